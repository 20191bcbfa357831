// SPDX-License-Identifier: Apache-2.0
// This file declares calls of OpenCL C's functions of groups, with what they lack: vectors, bools, small integers.
#pragma once

#include "compiler/spirv/mangle.h"
#include "compiler/spirv/typed_operands.h"

namespace clarity::compiler::spirv {

/// NAME(value, further arguments of type uint or size_t), once for each component of a vector. A bool is passed as an
/// int; char and short are widened for functions of work-groups.
llvm::Value* callGroup(FunctionReader& in, std::string_view name, llvm::Value& value, bool isSigned,
                       llvm::ArrayRef<llvm::Value*> further);
/// NAME(predicate) of int to int, as a bool.
llvm::Value* callVote(FunctionReader& in, std::string_view name, llvm::Value& predicate);
/// "reduce", "scan_inclusive" or "scan_exclusive" of the group operation in an operand.
std::string_view groupForm(FunctionReader& in, std::size_t index);

}  // namespace clarity::compiler::spirv
