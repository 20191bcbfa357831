// SPDX-License-Identifier: Apache-2.0
// An instruction that is not known is an error that names it.
#include "calculator.h"

namespace clarity::ptx {
namespace {

std::string errorOf(const std::string& text) {
  TestMemory memory;
  try {
    (void)Program(text, memory);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(PtxTexts, anInstructionThatIsNotKnownIsNamed) {
  const auto unknown = [](const std::string& instruction) {
    const Kernel kernel(instruction);
    return kernel.program->unknown.empty() ? std::string("none") : kernel.program->unknown[0];
  };
  EXPECT_TRUE(unknown("wgmma.fence.sync.aligned;").contains("'wgmma.fence.sync.aligned' is not known"));
  EXPECT_TRUE(unknown("add.rn.shiny.f32 %r2, %r3, %r4;").contains("modifier '.shiny' is not known"));
  EXPECT_TRUE(unknown("add.s32 %r2, %r3, %rd4;").contains("a source has 64 bits"));
  EXPECT_TRUE(unknown("mov.u32 %r2, %nothing;").contains("'%nothing' is not known"));
  EXPECT_TRUE(unknown("add.s32 %r2, %r3;").contains("it has 2 operands"));
  EXPECT_EQ(unknown("add.s32 %r2, %r3, %r4;"), "none");
}

TEST(PtxTexts, aLaunchWithOneFailsEvenIfItIsNotReached) {
  EXPECT_TRUE(
      Kernel("setp.eq.u32 %p1, %r1, 0; @%p1 bra END;\nwgmma.fence.sync.aligned;\nEND:").fault().text.contains("wgmma"));
}

TEST(PtxTexts, otherTextsAreErrorsWithTheirLines) {
  EXPECT_TRUE(errorOf(".version 8.0\nfoo\n").contains("line 3 of the PTX")) << errorOf(".version 8.0\nfoo\n");
  EXPECT_TRUE(errorOf(".visible .entry k() {\n add.s32 %r1 %r2; }").contains("line 2 of the PTX: ',' or ';'"));
  EXPECT_TRUE(errorOf(".visible .entry k() {\n bra NOWHERE; }").contains("there is no label 'NOWHERE'"));
  EXPECT_TRUE(errorOf(".visible .entry k() {").contains("a name was expected"));
}

TEST(PtxTexts, parametersHaveTheirPlaces) {
  TestMemory memory;
  const Program program(
      ".visible .entry k(.param .u64 .ptr .global .align 4 a, .param .u8 b, .param .align 16 .b8 "
      "c[20], .param .u32 d)\n.maxntid 64, 2, 1\n{ ret; }",
      memory);
  const Entry& entry = *program.entry("k");
  EXPECT_EQ(entry.maxThreads, 128u);
  ASSERT_EQ(entry.parameters.size(), 4u);
  EXPECT_EQ(entry.parameters[1].offset, 8u);
  EXPECT_EQ(entry.parameters[2].offset, 16u);
  EXPECT_EQ(entry.parameters[3].offset, 36u);
  EXPECT_EQ(entry.parameterBytes, 40u);
}

}  // namespace
}  // namespace clarity::ptx
