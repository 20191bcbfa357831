// SPDX-License-Identifier: Apache-2.0
// This file declares calls of OpenCL C's functions of groups, with what they lack: vectors, bools, small integers.
#pragma once

#include "compiler/spirv/mangle.h"
#include "compiler/spirv/typed_operands.h"

namespace clarity::compiler::spirv {

/// The part of a function's name that says what it computes, and whether its integers have a sign.
struct GroupArithmetic {
  const char* name;
  bool isSigned;
};

inline constexpr GroupArithmetic groupAdd = {"add", true}, groupMul = {"mul", true}, groupMin = {"min", true},
                                 groupUmin = {"min", false}, groupMax = {"max", true}, groupUmax = {"max", false},
                                 groupAnd = {"and", true}, groupOr = {"or", true}, groupXor = {"xor", true},
                                 groupLogicalAnd = {"logical_and", true}, groupLogicalOr = {"logical_or", true},
                                 groupLogicalXor = {"logical_xor", true};

/// A number, or a vector of what is computed of each component.
llvm::Value* byComponents(FunctionReader& in, llvm::Value& value,
                          llvm::function_ref<llvm::Value*(llvm::Value*)> compute);
/// NAME(value, further arguments of type uint or size_t), once for each component of a vector. A bool is passed as an
/// int; char and short are widened for functions of work-groups.
llvm::Value* callGroup(FunctionReader& in, std::string_view name, llvm::Value& value, bool isSigned,
                       llvm::ArrayRef<llvm::Value*> further);
/// NAME(predicate) of int to int, as a bool.
llvm::Value* callVote(FunctionReader& in, std::string_view name, llvm::Value& predicate);
/// intel_sub_group_block_read_us4 and its like: by the width and number of components. uint has no letters.
std::string blockName(FunctionReader& in, const char* action, llvm::Type* type);
/// "reduce", "scan_inclusive" or "scan_exclusive" of the group operation in an operand.
std::string_view groupForm(FunctionReader& in, std::size_t index);

}  // namespace clarity::compiler::spirv
