// SPDX-License-Identifier: Apache-2.0
// This file gives private variables a value that stands for "never written", so that promoting them to registers keeps
// it visible: `undef` would be folded.
#pragma once

#include "compiler/instrument/instrument.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Intrinsics.h>

#include <cstdint>
#include <optional>

namespace llvm {
class AllocaInst;
class Instruction;
class IntrinsicInst;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Stores the value where the lives of these variables begin, and where they end: a pointer may be used afterwards.
/// Variables that the source does not name get none.
void markUninitialised(llvm::ArrayRef<llvm::AllocaInst*> variables, InstrumentedPlaces&);

/// The site of a variable's declaration.
std::optional<Site> declarationOf(llvm::AllocaInst&);

/// Where the scopes of a variable begin, or end.
llvm::SmallVector<llvm::IntrinsicInst*, 4> scopesOf(llvm::AllocaInst&, llvm::Intrinsic::ID beginOrEnd);
/// Whether the instruction may be executed after the end of the variable's scope, ahead of its next beginning.
bool isAfterScope(llvm::AllocaInst&, llvm::Instruction&);

/// The site of the variable, for a value that markUninitialised made.
std::optional<std::uint32_t> uninitialisedSite(const llvm::Value*);

}  // namespace clarity::compiler
