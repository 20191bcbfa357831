// SPDX-License-Identifier: Apache-2.0
// This file reads names of functions, and replaces queries.
#include "compiler/instrument/library_calls.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace clarity::compiler {
namespace {

constexpr unsigned dimensionCount = 3;

std::optional<Primitive> queryOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Primitive>>(name)
      .Case("get_global_id", Primitive::GlobalId)
      .Case("get_local_id", Primitive::LocalId)
      .Case("get_group_id", Primitive::GroupId)
      .Case("get_global_offset", Primitive::GlobalOffset)
      .Case("get_global_size", Primitive::GlobalSize)
      .Case("get_local_size", Primitive::LocalSize)
      .Case("get_enqueued_local_size", Primitive::EnqueuedLocalSize)
      .Case("get_num_groups", Primitive::NumGroups)
      .Default(std::nullopt);
}

}  // namespace

llvm::StringRef libraryName(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  unsigned length = 0;
  if (!name.consume_front("cl._Z") || name.consumeInteger(10, length)) return {};
  return name.take_front(length);
}

void callPrimitives(llvm::Module& module, InstrumentedPlaces&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->getCalledFunction() || call->arg_size() != 1) continue;
      const auto query = queryOf(libraryName(*call->getCalledFunction()));
      const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
      if (!query || !dimension || dimension->getValue().uge(dimensionCount)) continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value* const answer = emitQuery(builder, *query, static_cast<unsigned>(dimension->getZExtValue()));
      if (answer->getType() != call->getType()) continue;
      call->replaceAllUsesWith(answer);
      call->eraseFromParent();
    }
  }
}

}  // namespace clarity::compiler
