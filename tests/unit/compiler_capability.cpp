// SPDX-License-Identifier: Apache-2.0
// This file tests what is known of NVIDIA GPUs by their compute capability, against LLVM's list of them.
#include "compiler/nvptx/capability.h"

#include "compiler/ptx/nvptx_code.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace clarity::test {
namespace {

using namespace compiler::nvptx;

TEST(Capability, isInTheNamesOfGpus) {
  EXPECT_EQ(capabilityNamed("sm_50"), 50U);
  EXPECT_EQ(capabilityNamed("sm_90"), 90U);
  EXPECT_EQ(capabilityNamed("sm_121"), 121U);
  EXPECT_EQ(capabilityNamed("sm_20"), 20U);
  for (const char* other : {"", "sm", "sm_", "sm_5", "sm_1000", "sm_90a", "sm_-5", "sm_+50", "sm_ 50", "sm_50 ",
                            "SM_50", "compute_50", "znver4", "sm_5x"})
    EXPECT_FALSE(capabilityNamed(other)) << other;
}

TEST(Capability, leastIsSaidWithTheValues) {
  EXPECT_EQ(objectionTo(50), "");
  EXPECT_EQ(objectionTo(121), "");
  EXPECT_EQ(objectionTo(37), "compute capability 3.7; at least 5.0 is needed");
  EXPECT_EQ(objectionTo(0), "compute capability 0.0; at least 5.0 is needed");
}

TEST(Capability, targetsAreKnownOrTheNewestKnown) {
  EXPECT_EQ(compiler::nvptxTarget(6, 1).cpu, "sm_61");
  EXPECT_EQ(compiler::nvptxTarget(10, 0).cpu, "sm_100");
  EXPECT_EQ(compiler::nvptxTarget(7, 6).cpu, "sm_75");
  EXPECT_EQ(compiler::nvptxTarget(9, 9).cpu, "sm_90");
  EXPECT_EQ(compiler::nvptxTarget(12, 9).cpu, "sm_121");
  EXPECT_EQ(compiler::nvptxTarget(13, 0).cpu, "sm_121");
  EXPECT_EQ(compiler::nvptxTarget(99, 9).cpu, "sm_121");
  constexpr auto scope = "__opencl_c_atomic_scope_all_devices";
  EXPECT_FALSE(compiler::nvptxTarget(5, 3).extensions.contains(scope));
  EXPECT_TRUE(compiler::nvptxTarget(6, 0).extensions.contains(scope));
}

// A GPU that LLVM learns to know is to be added.
TEST(Capability, everyGpuOfLlvmIsKnown) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  ASSERT_TRUE(target) << error;
  const std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  std::set<Capability> theirs, ours;
  for (const llvm::SubtargetSubTypeKV& gpu : info->getAllProcessorDescriptions())
    if (const auto capability = capabilityNamed(gpu.Key); capability && *capability >= leastCapability)
      theirs.insert(*capability);
  for (Capability capability = leastCapability; capability < 1000; ++capability) {
    const Capability known = knownCapability(capability);
    EXPECT_LE(known, capability);
    EXPECT_GE(ptxVersion(known), 80U);
    ours.insert(known);
  }
  EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace clarity::test
