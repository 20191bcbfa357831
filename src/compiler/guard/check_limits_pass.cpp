// SPDX-License-Identifier: Apache-2.0
// This file is a pass that changes nothing.
#include "compiler/guard/check_limits_pass.h"

#include "compiler/guard/limits.h"

#include <llvm/Pass.h>

#include <utility>

namespace clarity::compiler {
namespace {

class CheckLimits final : public llvm::FunctionPass {
public:
  explicit CheckLimits(std::function<void()> begins) : FunctionPass(identity), begins_(std::move(begins)) {}
  llvm::StringRef getPassName() const override { return "Check limits"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(llvm::Function&) override {
    checkLimits();
    if (begins_) begins_();
    return false;
  }

private:
  static inline char identity = 0;
  const std::function<void()> begins_;
};

}  // namespace

llvm::FunctionPass* makeCheckLimitsPass(std::function<void()> begins) { return new CheckLimits(std::move(begins)); }

}  // namespace clarity::compiler
