// SPDX-License-Identifier: Apache-2.0
// This file tests which IR is verified where only passes of ours are traced: what LLVM's have left is verified ahead of
// the next one of ours, or at the end.
#include "compiler/pipeline/pass_trace.h"

#include "compiler/host/machine.h"
#include "compiler_host.h"

#include <gtest/gtest.h>
#include <llvm/ADT/Any.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

namespace clarity::compiler {
namespace {

/// A pass by its name, which says whose it is: one that changes a function, or leaves it as it is.
void runPass(PassTracer& tracer, llvm::StringRef name, llvm::Function& function, bool changes) {
  struct Named {
    llvm::StringRef type;
    llvm::StringRef name() const { return type; }
    static bool isRequired() { return true; }
  };
  const llvm::PassInstrumentation passes(&tracer.callbacks());
  const Named pass{name};
  (void)passes.runBeforePass(pass, function);
  passes.runAfterPass(pass, function, changes ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all());
}

PassTrace ofOurs() {
  PassTrace trace;
  trace.verifyOurs = true;
  return trace;
}

class TracedPasses : public testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(
        "define void @right(i1 %c) { ret void }\n"
        "define void @wrong(i1 %c) {\n"
        "  br i1 %c, label %a, label %b\n"
        "a:\n  %x = add i32 1, 2\n  br label %b\n"
        "b:\n  %y = add i32 %x, 1\n  ret void\n}\n",
        diagnostic, context_);
    ASSERT_TRUE(module_) << diagnostic.getMessage().str();
  }
  llvm::Function& right() { return *module_->getFunction("right"); }
  llvm::Function& wrong() { return *module_->getFunction("wrong"); }

  /// Behind a pass of LLVM that leaves a function broken, runs `next`.
  template <class Next>
  void breakAnd(Next next) {
    PassTracer tracer(ofOurs(), "", *machine_);
    runPass(tracer, ours, right(), false);
    runPass(tracer, llvms, wrong(), true);
    next(tracer);
  }

  static constexpr char ours[] = "clarity::Pass", llvms[] = "Breaker";
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Machine machine_ = machineFor(host(), true);
};
constexpr char broken[] = "function 'wrong' is broken after pass 'Breaker' or an earlier one: Instruction does not";

TEST_F(TracedPasses, thatAreLlvmsAreVerifiedAheadOfOneOfOurs) {
  EXPECT_DEATH(breakAnd([&](PassTracer& tracer) { runPass(tracer, ours, wrong(), false); }), broken);
}

TEST_F(TracedPasses, thatAreLlvmsAreVerifiedAtTheEnd) {
  EXPECT_DEATH(breakAnd([&](PassTracer& tracer) { tracer.finish(*module_); }),
               "the module is broken after pass 'Breaker' or an earlier one: Instruction does not");
}

TEST_F(TracedPasses, thatAreLlvmsAreNotVerifiedEach) {
  breakAnd([&](PassTracer& tracer) {
    runPass(tracer, llvms, wrong(), true);
    runPass(tracer, ours, right(), true);  // of another function
  });
}

TEST_F(TracedPasses, ofOursAreVerified) {
  EXPECT_DEATH(
      {
        PassTracer tracer(ofOurs(), "", *machine_);
        runPass(tracer, ours, wrong(), true);
      },
      "function 'wrong' is broken after pass 'clarity::Pass': Instruction does not");
}

}  // namespace
}  // namespace clarity::compiler
