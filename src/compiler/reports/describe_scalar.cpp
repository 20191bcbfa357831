// SPDX-License-Identifier: Apache-2.0
// This file says why a region keeps its scalar loop.
#include "compiler/reports/describe.h"
#include "compiler/reports/explain.h"
#include "compiler/reports/names.h"

#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

std::string obstacleText(const llvm::Instruction& obstacle) {
  if (llvm::isa<llvm::AllocaInst>(obstacle)) return "the size of a private array is known at run time only";
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&obstacle);
  if (call && call->isInlineAsm()) return "inline assembly has no vector form";
  const std::string type = typeName(*obstacle.getType());
  if (call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
    return fmt::format("{} returns {}, which cannot be an element of a vector",
                       std::string_view(call->getCalledFunction()->getName()), type);
  return fmt::format("'{}' of type {} has no vector form", obstacle.getOpcodeName(), type);
}

}  // namespace

RegionReport describeScalar(const ItemLoop& items, const llvm::Instruction* obstacle, const NoPackets& reasons,
                            std::string_view source) {
  RegionReport result{.form = "one work-item at a time, as ", .missed = true, .lines = {}};
  if (obstacle) {
    result.form += obstacleText(*obstacle);
    const Place place = Explainer::placeNear(*obstacle);
    result.lines[place.line].push_back({RemarkKind::Call, place, "this keeps the region out of packets", {}, true});
  } else if (reasons.expensive) {
    result.form += fmt::format("packets would cost {:.1f} times as much (estimated)", reasons.packet / reasons.alone);
    const llvm::Instruction& access = *reasons.expensive;
    const Place place = Explainer::placeNear(access);
    const llvm::DILocation* at = access.getDebugLoc();
    std::string text = at ? SourceText(source).expressionAt(at->getLine(), at->getColumn()) : std::string();
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(access)) {
      if (text.empty()) text = "atomic function on " + objectName(*access.getOperand(0));
      text += ": would run one work-item after the other, with too little to compute beside it";
    } else {
      if (text.empty()) text = objectName(*llvm::getLoadStorePointerOperand(&access));
      const bool isLoad = llvm::isa<llvm::LoadInst>(access);
      text = fmt::format("{} {}: would be a {}, with too little to compute beside it", isLoad ? "load" : "store", text,
                         isLoad ? "gather" : "scatter");
    }
    result.lines[place.line].push_back({RemarkKind::Access, place, text, {}, true});
  } else {
    result.form += "too few stand side by side";
    for (const llvm::BasicBlock* block : items.loop->blocks())
      for (const llvm::Instruction& instruction : *block)
        if (const unsigned line = lineOf(instruction); line && instruction.mayReadOrWriteMemory()) result.lines[line];
  }
  return result;
}

}  // namespace clarity::compiler
