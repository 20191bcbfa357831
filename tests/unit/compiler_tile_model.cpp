// SPDX-License-Identifier: Apache-2.0
// This file tests what the model of machines expects of a matrix product, on a CPU and on a GPU.
#include "compiler/analysis/tile_model.h"

#include "compiler/nvptx/warp_machine.h"
#include "compiler/packets/core_machine.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// sum += a[y * 512 + i] * b[i * 512 + x]: one load for all of a row, one for all of a column.
constexpr char product[] = R"(
declare i64 @__clarity_local_id(i32)
declare float @llvm.fmuladd.f32(float, float, float)
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul i64 %y, 512
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %at.a = add i64 %row, %i
  %p.a = getelementptr float, ptr addrspace(1) %a, i64 %at.a
  %l.a = load float, ptr addrspace(1) %p.a, align 4
  %line = mul i64 %i, 512
  %at.b = add i64 %line, %x
  %p.b = getelementptr float, ptr addrspace(1) %b, i64 %at.b
  %l.b = load float, ptr addrspace(1) %p.b, align 4
  %more = call float @llvm.fmuladd.f32(float %l.a, float %l.b, float %sum)
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %at.c = add i64 %row, %x
  %p.c = getelementptr float, ptr addrspace(1) %c, i64 %at.c
  store float %more, ptr addrspace(1) %p.c, align 4
  ret void
})";

class TileModelOfProduct : public testing::Test {
protected:
  TileModel modelOf(const TileMachine& machine) {
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(product, diagnostic, context_);
    EXPECT_TRUE(module_) << diagnostic.getMessage().str();
    llvm::Function& kernel = *module_->getFunction("k");
    variance_.emplace(kernel);
    dominators_.recalculate(kernel);
    loops_.analyze(dominators_);
    TileModel model(machine, {.variance = *variance_, .loops = loops_});
    for (const llvm::BasicBlock& block : kernel) model.add(block, [](const llvm::Instruction&) { return true; });
    return model;
  }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::optional<VarianceInfo> variance_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
};

TEST_F(TileModelOfProduct, aThreadSharesLoads) {
  const TileModel model = modelOf(nvptx::warpMachine);
  // Two loads of a transaction each, at four cycles.
  EXPECT_DOUBLE_EQ(model.cycles({1, 1, 1}, 0), 8);
  EXPECT_DOUBLE_EQ(model.cycles({1, 8, 1}, 0), 4 * (8 + 1) / 8.0);
  EXPECT_DOUBLE_EQ(model.cycles({4, 8, 1}, 0), 4 * (8 + 4) / 32.0);
  EXPECT_TRUE(model.fits({4, 8, 1}));
  EXPECT_FALSE(model.fits({8, 8, 1})) << "more sums than registers";
  // Lanes along y load a column of a, of which each element is in a line of its own.
  EXPECT_GT(model.demand().transactions[1], 10 * model.demand().transactions[0]);
}

TEST_F(TileModelOfProduct, rowsAndPacketsShareLoads) {
  const TileModel model = modelOf(coreMachine({.bits = 512, .registers = 32, .maskRegisters = true}, 16));
  EXPECT_DOUBLE_EQ(model.registers({2, 14, 1}), 28);
  EXPECT_TRUE(model.fits({2, 14, 1}));
  EXPECT_FALSE(model.fits({2, 15, 1}));
  EXPECT_LT(model.cycles({2, 14, 1}, 0), model.cycles({1, 16, 1}, 0));
  EXPECT_LT(model.cycles({2, 14, 1}, 0), model.cycles({4, 7, 1}, 0)) << "half the vectors of b, which are most bytes";
  EXPECT_LT(model.cycles({2, 14, 1}, 0), model.cycles({2, 2, 1}, 0)) << "four sums wait for themselves";
}

TEST(TileModel, chainsAreHiddenByPackets) {
  llvm::LLVMContext context;
  llvm::LoopInfo loops;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString("define void @k() {\n ret void\n}", diagnostic, context);
  const VarianceInfo variance(*module->getFunction("k"));
  const TileModel model(coreMachine({.bits = 256}, 8), {.variance = variance, .loops = loops});
  const Chain chain{.cycles = 40, .operations = 40};
  EXPECT_GT(model.waitingCycles(chain, {1, 1, 1}), model.waitingCycles(chain, {2, 1, 1}));
  EXPECT_GT(model.waitingCycles(chain, {2, 1, 1}), model.waitingCycles(chain, {4, 1, 1}));
  EXPECT_DOUBLE_EQ(model.waitingCycles(chain, {4, 1, 1}), model.waitingCycles(chain, {8, 1, 1}));
}

TEST(TileModel, transactions) {
  const auto address = [](std::optional<std::int64_t> stride) {
    return ValueVariance{.dims = Dimensions::only(0), .stride = {stride, 0, 0}};
  };
  EXPECT_EQ(transactionsOf(nvptx::warpMachine, {}, 0, 4), 1) << "all threads load the same";
  EXPECT_EQ(transactionsOf(nvptx::warpMachine, address(4), 0, 4), 1);
  EXPECT_EQ(transactionsOf(nvptx::warpMachine, address(-16), 0, 16), 4);
  EXPECT_EQ(transactionsOf(nvptx::warpMachine, address(4096), 0, 4), 31.03125) << "a line for each thread";
  EXPECT_EQ(transactionsOf(nvptx::warpMachine, address(128), 0, 4, true), 32) << "one bank";
  EXPECT_EQ(transactionsOf(nvptx::warpMachine, address(132), 0, 4, true), 1) << "padded rows";
  const TileMachine core = coreMachine({.bits = 256}, 8);
  EXPECT_EQ(transactionsOf(core, address(4), 0, 4), 1);
  EXPECT_EQ(transactionsOf(core, address(64), 0, 4), 8) << "gathered";
  EXPECT_EQ(transactionsOf(core, address(std::nullopt), 0, 4), 8);
}

}  // namespace
}  // namespace clarity::compiler
