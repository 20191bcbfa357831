// SPDX-License-Identifier: Apache-2.0
// This file stores remarks in the function's metadata, where they outlive the instructions that they are about.
#include "compiler/ir/remarks.h"

#include "compiler/ir/attributes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>

namespace clarity::compiler {

void requestRemarks(llvm::Function& function) {
  if (!wantsRemarks(function)) function.setMetadata(remarksMetadata, llvm::MDNode::get(function.getContext(), {}));
}

bool wantsRemarks(const llvm::Function& function) { return function.getMetadata(remarksMetadata) != nullptr; }

std::string_view kindName(RemarkKind kind) {
  constexpr std::string_view names[] = {"kernel", "region", "access", "loop",   "branch",   "guard", "version",
                                        "order",  "unroll", "spill",  "atomic", "division", "call",  "budget"};
  return names[static_cast<unsigned>(kind)];
}

void remark(llvm::Function& function, Place place, RemarkKind kind, std::string_view message) {
  const llvm::MDNode* known = function.getMetadata(remarksMetadata);
  if (!known) return;
  llvm::LLVMContext& context = function.getContext();
  llvm::SmallVector<llvm::Metadata*, 16> all(known->op_begin(), known->op_end());
  for (const unsigned number : {static_cast<unsigned>(kind), place.line, place.column})
    all.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number)));
  all.push_back(llvm::MDString::get(context, message));
  function.setMetadata(remarksMetadata, llvm::MDNode::get(context, all));
}

void remark(const llvm::Instruction& where, RemarkKind kind, std::string_view message) {
  remark(const_cast<llvm::Function&>(*where.getFunction()), placeOf(where), kind, message);
}

std::vector<Remark> remarksIn(const llvm::Function& function) {
  std::vector<Remark> remarks;
  const llvm::MDNode* known = function.getMetadata(remarksMetadata);
  const auto number = [&](unsigned i) {
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(known->getOperand(i))->getZExtValue());
  };
  for (unsigned i = 0; known && i + 3 < known->getNumOperands(); i += 4) {
    Remark each{static_cast<RemarkKind>(number(i)),
                {number(i + 1), number(i + 2)},
                llvm::cast<llvm::MDString>(known->getOperand(i + 3))->getString().str()};
    const auto same = [&](const Remark& other) {
      return other.place.line == each.place.line && other.message == each.message;
    };
    if (llvm::none_of(remarks, same)) remarks.push_back(std::move(each));
  }
  std::ranges::stable_sort(remarks, {}, [](const Remark& each) { return each.place.line; });
  return remarks;
}

Place placeOf(const llvm::Instruction& instruction) {
  const llvm::DILocation* place = instruction.getDebugLoc();
  const llvm::DISubprogram* kernel = instruction.getFunction()->getSubprogram();
  while (place && kernel && place->getInlinedAt() && place->getFile() != kernel->getFile())
    place = place->getInlinedAt();
  return place ? Place{place->getLine(), place->getColumn()} : Place{};
}

unsigned lineOf(const llvm::Instruction& instruction) { return placeOf(instruction).line; }

llvm::MDNode* variableNode(const llvm::Instruction& value, std::string_view why) {
  llvm::LLVMContext& context = value.getContext();
  llvm::Metadata* line =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), lineOfVariable(value)));
  return llvm::MDNode::get(
      context, {line, llvm::MDString::get(context, variableName(value)), llvm::MDString::get(context, why)});
}

unsigned lineOfVariable(const llvm::Instruction& value) {
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgValues(const_cast<llvm::Instruction*>(&value), records);
  return records.empty() ? lineOf(value) : records.front()->getVariable()->getLine();
}

Place placeOf(const llvm::Loop& loop) {
  if (const llvm::DebugLoc place = loop.getStartLoc()) return {place.getLine(), place.getCol()};
  for (const llvm::Instruction& instruction : *loop.getHeader())
    if (const Place place = placeOf(instruction); place.line) return place;
  return {};
}

unsigned lineOf(const llvm::Loop& loop) { return placeOf(loop).line; }

std::string variableName(const llvm::Value& value) {
  if (llvm::isa<llvm::Argument>(value)) return value.getName().str();
  const auto* memory = llvm::dyn_cast<llvm::Instruction>(&value);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
    memory = llvm::dyn_cast<llvm::Instruction>(load->getPointerOperand());
  if (const llvm::MDNode* known = memory ? memory->getMetadata(variableMetadata) : nullptr)
    return llvm::cast<llvm::MDString>(known->getOperand(1))->getString().str();
  auto& of = const_cast<llvm::Value&>(value);
  for (const llvm::DbgVariableRecord* declared : llvm::findDVRDeclares(&of))
    return declared->getVariable()->getName().str();
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgValues(&of, records);
  for (const llvm::DbgVariableRecord* record : records)
    if (record->getVariable() && !record->getVariable()->getName().empty())
      return record->getVariable()->getName().str();
  return {};
}

}  // namespace clarity::compiler
