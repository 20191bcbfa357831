// SPDX-License-Identifier: Apache-2.0
// This file listens to the code generator's warnings of large frames, which it is asked to give of every frame.
#include "compiler/host/frames.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>
#include <utility>

namespace clarity::compiler {
namespace {

constexpr const char* warnAttribute = "warn-stack-size";
/// Beside what the code generator calls a function's frame: the return address, arguments that are pushed, and what
/// aligning it to a vector's size costs.
constexpr std::uint64_t besideFrame = 256;

std::uint64_t largestAlignment(const llvm::Function& function) {
  std::uint64_t largest = 1;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      largest = std::max(largest, variable->getAlign().value());
  return largest;
}

/// The deepest chain of calls from a function.
class Chains {
public:
  explicit Chains(const std::map<const llvm::Function*, std::uint64_t>& sizes) : sizes_(sizes) {}

  std::uint64_t from(const llvm::Function& function) {
    if (function.isDeclaration()) return 0;
    if (const auto known = deepest_.find(&function); known != deepest_.end()) return known->second;
    deepest_[&function] = 0;  // until it is known: functions that call each other in a circle
    const auto size = sizes_.find(&function);
    const std::uint64_t own = (size == sizes_.end() ? 0 : size->second) + 2 * largestAlignment(function) + besideFrame;
    std::uint64_t called = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction()) called = std::max(called, from(*callee));
    return deepest_[&function] = own + called;
  }

private:
  const std::map<const llvm::Function*, std::uint64_t>& sizes_;
  std::map<const llvm::Function*, std::uint64_t> deepest_;
};

}  // namespace

/// Keeps the sizes and gives everything else to the handler that was there.
class Frames::Listener final : public llvm::DiagnosticHandler {
public:
  Listener(Sizes& sizes, llvm::DiagnosticHandler* outer) : sizes_(sizes), outer_(outer) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& diagnostic) override {
    if (diagnostic.getKind() != llvm::DK_StackSize) return outer_ && outer_->handleDiagnostics(diagnostic);
    const auto& warning = llvm::cast<llvm::DiagnosticInfoStackSize>(diagnostic);
    sizes_[&warning.getFunction()] = warning.getStackSize();
    return true;
  }

  bool isAnyRemarkEnabled() const override { return outer_ && outer_->isAnyRemarkEnabled(); }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return outer_ && outer_->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
    return outer_ && outer_->isPassedOptRemarkEnabled(pass);
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return outer_ && outer_->isAnalysisRemarkEnabled(pass);
  }

private:
  Sizes& sizes_;
  llvm::DiagnosticHandler* outer_;
};

Frames::Frames(llvm::Module& module) : module_(module), outer_(module.getContext().getDiagnosticHandler()) {
  module.getContext().setDiagnosticHandler(std::make_unique<Listener>(sizes_, outer_.get()));
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr(warnAttribute, "0");
    function.addFnAttr("probe-stack", "inline-asm");
  }
}

Frames::~Frames() { module_.getContext().setDiagnosticHandler(std::move(outer_)); }

std::uint64_t Frames::deepest() const {
  Chains chains(sizes_);
  std::uint64_t most = 0;
  for (const llvm::Function& function : module_) most = std::max(most, chains.from(function));
  return most;
}

}  // namespace clarity::compiler
