// SPDX-License-Identifier: Apache-2.0
// This file declares what passes say of their decisions, for the report (-cl-clarity-report).
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

struct Remark {
  unsigned line = 0;  ///< of the source; 0: unknown
  std::string text;
};

/// From now on passes leave their remarks with the function.
void askForRemarks(llvm::Function& function);
bool wantsRemarks(const llvm::Function& function);

/// Leaves a remark with the instruction's function, if somebody wants it.
void remark(const llvm::Instruction& where, std::string_view text);
void remark(llvm::Function& function, unsigned line, std::string_view text);

/// All that was left with a function, each once, by line.
std::vector<Remark> remarksIn(const llvm::Function& function);

/// The line that an instruction stands for; 0: unknown. What was inlined from another file stands for its call.
unsigned lineOf(const llvm::Instruction& instruction);

/// The line in which the variable that a value is was declared; the instruction's own where it is none.
unsigned lineOfVariable(const llvm::Instruction& value);

/// The line that a loop begins at; 0: unknown.
unsigned lineOf(const llvm::Loop& loop);

/// A node of variableMetadata (attributes.h) for a value of a kernel that a place is made for.
llvm::MDNode* variableNode(const llvm::Instruction& value, std::string_view why);

/// The variable of the program that a value is, or the argument; empty: none, or that is not known.
std::string variableName(const llvm::Value& value);

}  // namespace clarity::compiler
