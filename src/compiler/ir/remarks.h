// SPDX-License-Identifier: Apache-2.0
// This file declares optimisation remarks, which passes leave for the report (-cl-clarity-report).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class Loop;
class MDNode;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// The subject of a remark. The names in reports as JSON are those of kindName().
enum class RemarkKind : unsigned {
  Kernel,    ///< the kernel as a whole: its work-groups
  Region,    ///< how the work-items of a region run
  Access,    ///< a load or a store
  Loop,      ///< how a loop of the program runs in packets
  Branch,    ///< a divergent branch
  Guard,     ///< a condition folded into the bounds of the loops over work-items
  Version,   ///< a loop over work-items split, or versioned
  Order,     ///< iterations, work-groups or lanes in another order or arrangement
  Unroll,    ///< a loop unrolled
  Spill,     ///< a value stored across a barrier
  Atomic,    ///< an atomic function
  Division,  ///< an integer division
  Call,      ///< a call, or another instruction without a vector form
  Budget,    ///< an optimisation that was given up because the kernel is large
};
std::string_view kindName(RemarkKind kind);

/// Lines and columns of the source, from 1; 0: unknown.
struct Place {
  unsigned line = 0, column = 0;
  bool operator==(const Place&) const = default;
};

struct Remark {
  RemarkKind kind = RemarkKind::Kernel;
  Place place;
  std::string message;
  std::string help{};   ///< a change that would make the code faster; empty: none is known
  bool missed = false;  ///< a slow form; otherwise an optimisation, or a fact
  bool operator==(const Remark&) const = default;
};

/// From now on passes leave their remarks with the function.
void requestRemarks(llvm::Function& function);
bool wantsRemarks(const llvm::Function& function);

/// Leaves a remark with the instruction's function, if it wants remarks.
void remark(const llvm::Instruction& where, RemarkKind kind, std::string_view message);
void remark(llvm::Function& function, Place place, RemarkKind kind, std::string_view message);

/// All that was left with a function, each once, by line.
std::vector<Remark> remarksIn(const llvm::Function& function);

/// The place in the source that an instruction stands for. An instruction that was inlined from another file stands for
/// its call.
Place placeOf(const llvm::Instruction& instruction);
Place placeOf(const llvm::Loop& loop);
unsigned lineOf(const llvm::Instruction& instruction);
unsigned lineOf(const llvm::Loop& loop);

/// The line in which the variable that a value is was declared; the instruction's own where it is none.
unsigned lineOfVariable(const llvm::Instruction& value);

/// A node of variableMetadata (attributes.h) for a value of a kernel that is stored across a barrier.
llvm::MDNode* variableNode(const llvm::Instruction& value, std::string_view why);

/// The variable of the program that a value is, or the argument; empty: none, or not known.
std::string variableName(const llvm::Value& value);

}  // namespace clarity::compiler
