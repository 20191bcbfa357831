// SPDX-License-Identifier: Apache-2.0
// This file lays out __local variables.
#include "compiler/passes/lower_local_memory.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include <string>

namespace clarity::compiler {
namespace {

constexpr std::uint64_t placeAlignment = 64;

bool usedIn(const llvm::Value& value, const llvm::Function& function) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return instruction->getFunction() == &function;
    return llvm::isa<llvm::Constant>(user) && usedIn(*user, function);
  });
}

struct LocalPlace {
  llvm::GlobalVariable* variable;
  std::uint64_t offset;
};

/// To a multiple of a power of two; the largest one where that does not fit.
std::uint64_t alignedUp(std::uint64_t bytes, std::uint64_t alignment) {
  return llvm::SaturatingAdd(bytes, alignment - 1) & ~(alignment - 1);
}

/// `bytes` becomes a number that no device has where the sum of what a program declares does not fit.
llvm::SmallVector<LocalPlace, 4> layOut(llvm::Function& kernel, std::uint64_t& bytes) {
  llvm::SmallVector<LocalPlace, 4> places;
  const llvm::DataLayout& layout = kernel.getDataLayout();
  bytes = 0;
  for (llvm::GlobalVariable& variable : kernel.getParent()->globals()) {
    if (variable.getAddressSpace() != localAddressSpace || !usedIn(variable, kernel)) continue;
    bytes = alignedUp(bytes, std::max<std::uint64_t>(placeAlignment, variable.getAlign().valueOrOne().value()));
    places.push_back({&variable, bytes});
    bytes = llvm::SaturatingAdd(bytes, layout.getTypeAllocSize(variable.getValueType()).getFixedValue());
  }
  bytes = alignedUp(bytes, placeAlignment);
  return places;
}

/// The "variable" in a name like "kernel.variable.3", which clang and the linker make of it.
llvm::StringRef nameInSource(llvm::StringRef name) {
  const auto [function, rest] = name.split('.');
  return rest.empty() ? function : rest.split('.').first;
}

/// "tile,0,1024,4;sums,1024,64,4"
std::string describe(llvm::ArrayRef<LocalPlace> places, const llvm::DataLayout& layout) {
  std::string text;
  for (const LocalPlace& place : places) {
    llvm::Type* const type = place.variable->getValueType();
    llvm::Type* element = type;
    while (const auto* array = llvm::dyn_cast<llvm::ArrayType>(element)) element = array->getElementType();
    text += fmt::format("{}{},{},{},{}", text.empty() ? "" : ";", nameInSource(place.variable->getName()).str(),
                        place.offset, layout.getTypeAllocSize(type).getFixedValue(),
                        layout.getTypeAllocSize(element).getFixedValue());
  }
  return text;
}

/// A variable that debug information describes gets a slot with its address, which is where debuggers find it.
void describe(llvm::GlobalVariable& variable, llvm::Value* address, llvm::IRBuilder<>& builder) {
  llvm::Function& function = *builder.GetInsertBlock()->getParent();
  llvm::DISubprogram* const own = function.getSubprogram();
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
  variable.getDebugInfo(known);
  if (!own || known.empty()) return;
  const llvm::DIGlobalVariable& described = *known.front()->getVariable();
  // A function that was inlined has its variables in a frame of its own.
  auto* const scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(described.getScope());
  if (!scope || scope->getSubprogram() != own) return;
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::AllocaInst* const slot =
      llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(address->getType(), nullptr, variable.getName());
  builder.CreateStore(address, slot);
  llvm::DIBuilder describing(*function.getParent(), false);
  describing.insertDeclare(
      slot,
      describing.createAutoVariable(scope, described.getName(), described.getFile(), described.getLine(),
                                    described.getType(), /*AlwaysPreserve=*/true),
      describing.createExpression({llvm::dwarf::DW_OP_deref}),
      llvm::DILocation::get(function.getContext(), described.getLine(), 0, scope), builder.GetInsertPoint());
}

}  // namespace

std::uint64_t localBytesOf(llvm::Function& kernel) {
  std::uint64_t bytes;
  layOut(kernel, bytes);
  return bytes;
}

llvm::PreservedAnalyses LowerLocalMemoryPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::uint64_t bytes;
  const auto places = layOut(function, bytes);
  if (places.empty()) return llvm::PreservedAnalyses::all();
  function.addFnAttr(localArraysAttribute, describe(places, function.getDataLayout()));
  llvm::Module& module = *function.getParent();
  for (const LocalPlace& place : places) llvm::convertUsersOfConstantsToInstructions({place.variable}, &function);
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  llvm::Value* memory = builder.CreateCall(&declarePrimitive(module, Primitive::LocalMemory), {}, "local");
  for (const auto& [variable, offset] : places) {
    llvm::Value* address =
        builder.CreateInBoundsGEP(builder.getInt8Ty(), memory, builder.getInt64(offset), variable->getName());
    describe(*variable, address, builder);
    variable->replaceUsesWithIf(address, [&](llvm::Use& use) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == &function;
    });
    if (variable->use_empty()) variable->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
