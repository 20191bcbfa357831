// SPDX-License-Identifier: Apache-2.0
// This file finds the accesses of a program and what the source calls them.
#include "compiler/instrument/record_accesses.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr const char* kHook = "__clarity_observe_access";
constexpr unsigned kPrivateAddressSpace = 0;

}  // namespace

void recordAccesses(llvm::Module& module, InstrumentedPlaces& places) {
  llvm::SmallVector<Access, 32> accesses;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) addAccesses(instruction, accesses);
  for (const Access& access : accesses) {
    if (access.pointer->getType()->getPointerAddressSpace() == kPrivateAddressSpace || isOfLibrary(access.pointer))
      continue;
    llvm::IRBuilder<> builder(access.instruction);
    emitHook(builder, kHook,
             {builder.getInt32(places.add(siteOf(access))),
              builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()), access.bytes});
  }
}

}  // namespace clarity::compiler
