// SPDX-License-Identifier: Apache-2.0
// This file says where in the source an instruction stands, and what the source calls the memory that it accesses.
#pragma once

#include "compiler/ir/site.h"

#include <llvm/ADT/SmallVector.h>

#include <string>

namespace llvm {
class DILocation;
class Instruction;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// One access of an instruction, which may have two (a copy).
struct Access {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  llvm::Value* bytes;  ///< i64
  SiteKind kind;
  std::uint64_t alignment = 1;
};

/// Appends the accesses of an instruction, those to private memory included.
void addAccesses(llvm::Instruction&, llvm::SmallVectorImpl<Access>&);

/// Adds an instruction's accesses that other work-items may race with: neither to private memory nor to constants.
void addRaceAccesses(llvm::Instruction&, llvm::SmallVectorImpl<Access>&);

/// A site of this kind at a place of the debug information, with the calls that led there.
Site siteOfLocation(const llvm::DILocation&, SiteKind);
/// A site of this kind with the place of the instruction and the calls that led there.
Site siteAt(const llvm::Instruction&, SiteKind);
/// The same with what is accessed.
Site siteOf(const Access&);

/// Whether an access at a constant offset of a variable is within it.
bool isInsideVariable(const Access&);

/// Whether a pointer is to a table of the builtin library, which is no memory of the program.
bool isOfLibrary(llvm::Value* pointer);

}  // namespace clarity::compiler
