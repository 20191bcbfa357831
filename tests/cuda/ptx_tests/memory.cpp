// SPDX-License-Identifier: Apache-2.0
// Spaces, addresses, atomics, calls and copies.
#include "calculator.h"
#include "ptx/results.h"

namespace clarity::ptx {
namespace {

TEST(PtxMemory, vectorsAndNarrowElements) {
  Kernel kernel(R"(
  ld.global.v2.b32 {%r10, %r11}, [%rd2];
  st.global.v2.b32 [%rd1], {%r11, 7};
  ld.global.v4.b16 {%rs1, %rs2, %rs3, %rs4}, [%rd2];
  st.global.v2.b16 [%rd1+8], {%rs4, %rs1};
  ld.global.b8 %rs5, [%rd2+7];
  st.global.b8 [%rd1+12], %rs5;)");
  const auto out = kernel.run(2, {0x8877665544332211});
  EXPECT_EQ(out[0], 0x0000000788776655u);
  EXPECT_EQ(out[1], 0x0000008822118877u);
}

// CUDA's assembler converts what such a store has from an operation of floating-point numbers.
TEST(PtxMemory, storesOfFewerBitsThanTheRegisterHasAreRefused) {
  for (const char* text : {"st.global.b8 [%rd1], %r1;", "st.global.b16 [%rd1], %r1;", "st.global.b32 [%rd1], %rd1;",
                           "st.global.v2.b16 [%rd1], {%r1, %r1};"})
    EXPECT_TRUE(Kernel(text).fault().text.contains("takes it for a conversion")) << text;
}

TEST(PtxMemory, accessesOutsideAndBetweenAreFaults) {
  const Fault outside = Kernel("ld.global.b32 %r2, [%rd1+512]; st.global.b32 [%rd1], %r2;").fault(64);
  EXPECT_EQ(outside.code, illegalAddressFault);
  EXPECT_TRUE(outside.text.contains("an access of 4 bytes") && outside.text.contains("thread (0, 0, 0)") &&
              outside.text.contains("'ld.global.b32 %r2, [%rd1+512];"))
      << outside.text;
  EXPECT_EQ(Kernel("st.global.b64 [%rd1+508], %rd1;").fault(64).code, misalignedAddressFault);
  EXPECT_EQ(Kernel("mov.b64 %rd5, 0; ld.b8 %r2, [%rd5];").fault().code, illegalAddressFault);
  Kernel shared("st.shared.b32 [words+64], %r1;", ".shared .align 4 .b8 words[64];");
  EXPECT_EQ(shared.fault().code, illegalAddressFault);
}

TEST(PtxMemory, genericAddressesTellSpacesApart) {
  Kernel kernel(R"(
  .local .align 8 .b8 own[16];
  mov.b64 %rd5, own; cvta.local.u64 %rd5, %rd5;
  cvta.shared.u64 %rd6, words;
  st.b64 [%rd5+8], 11; st.b64 [%rd6], 22;
  ld.local.b64 %rd7, [own+8]; ld.shared.b64 %rd8, [words];
  st.b64 [%rd1], %rd7; st.b64 [%rd1+8], %rd8;
  isspacep.local %p1, %rd5; isspacep.shared %p2, %rd6; isspacep.global %p3, %rd1; isspacep.global %p4, %rd6;
  selp.b32 %r2, 1, 0, %p1; @%p2 add.u32 %r2, %r2, 2; @%p3 add.u32 %r2, %r2, 4; @%p4 add.u32 %r2, %r2, 8;
  st.global.b32 [%rd1+16], %r2;
  cvta.to.shared.u64 %rd9, %rd6; mov.b64 %rd10, words; sub.s64 %rd9, %rd9, %rd10; st.global.b64 [%rd1+24], %rd9;)",
                ".shared .align 8 .b8 words[64];");
  EXPECT_EQ(kernel.run(4), (std::vector<std::uint64_t>{11, 22, 7, 0}));
}

TEST(PtxMemory, variablesOfTheModuleHaveTheirContents) {
  Kernel kernel(R"(
  ld.global.b64 %rd5, [place]; ld.global.b32 %r2, [%rd5]; st.global.b32 [%rd1], %r2;
  ld.const.b16 %rs1, [table+2]; st.global.b16 [%rd1+8], %rs1;
  ld.global.b64 %rd6, [one]; st.global.b64 [%rd1+16], %rd6;)",
                ".global .align 4 .u32 numbers[4] = {10, 20, 30};\n"
                ".global .align 8 .u64 place = generic(numbers)+8;\n"
                ".const .align 2 .b16 table[2] = {1, 0xffff};\n.global .align 8 .f64 one = 0d3FF0000000000000;\n");
  EXPECT_EQ(kernel.run(3), (std::vector<std::uint64_t>{30, 0xffff, bitsOf(1.0)}));
}

TEST(PtxMemory, sharedMemoryOfALaunchLiesBehindThatOfTheKernel) {
  Kernel kernel(
      "mov.b64 %rd5, more; mov.b64 %rd6, words; sub.u64 %rd5, %rd5, %rd6; st.global.b64 [%rd1], %rd5; "
      "st.shared.b32 [more+28], 1;",
      ".extern .shared .align 16 .b8 more[];\n.shared .align 4 .b8 words[20];\n");
  kernel.launch.sharedBytes = 32;
  EXPECT_EQ(kernel.run(1)[0], 32u);
  kernel.launch.sharedBytes = 28;
  EXPECT_EQ(kernel.fault().code, illegalAddressFault);
}

TEST(PtxMemory, functionsTakeAndReturnParameters) {
  const std::string functions = R"(
.func (.param .b32 result) product(.param .b32 a, .param .align 8 .b8 pair[16]) {
  .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<2>;
  ld.param.b32 %r1, [a]; ld.param.b64 %rd1, [pair+8]; cvt.u32.u64 %r2, %rd1;
  setp.eq.u32 %p1, %r1, 3; @%p1 ret;
  mul.lo.u32 %r3, %r1, %r2; st.param.b32 [result], %r3; ret;
})";
  Kernel kernel(R"(
  { .param .b32 p0; .param .align 8 .b8 p1[16]; .param .b32 r0;
    st.param.b32 [p0], %r1; st.param.b64 [p1+8], 100; st.param.b32 [r0], 9;
    call.uni (r0), product, (p0, p1);
    ld.param.b32 %r2, [r0]; }
  { .param .b32 p0; .param .align 8 .b8 p1[16]; .param .b32 r0;
    st.param.b32 [p0], 5; st.param.b64 [p1+8], 2; call.uni (r0), product, (p0, p1); ld.param.b32 %r3, [r0]; }
  add.u32 %r2, %r2, %r3; st.global.b32 [%rd3], %r2;)",
                functions);
  kernel.launch.block = {5, 1, 1};
  const auto out = kernel.run(5);
  EXPECT_EQ(out[2], 210u);
  EXPECT_EQ(out[4], 410u);
}

TEST(PtxMemory, recursionIsRefused) { EXPECT_THROW(Kernel("", ".func again() { call.uni again; ret; }\n"), Error); }

TEST(PtxMemory, atomicsGiveWhatWasThere) {
  Kernel kernel(R"(
  atom.global.add.u32 %r2, [%rd1], 3;
  atom.acq_rel.sys.global.inc.u32 %r3, [%rd1+8], 2;
  atom.shared.max.s32 %r4, [word], %r1;
  atom.relaxed.cta.global.cas.b32 %r5, [%rd1+16], 0, 77;
  red.relaxed.gpu.global.or.b64 [%rd1+24], %rd2;
  atom.global.exch.b64 %rd7, [%rd1+32], %rd2;
  atom.global.min.s32 %r6, [%rd1+40], -5;
  atom.global.dec.u32 _, [%rd1+48], 9;)",
                ".shared .align 4 .b8 word[4];");
  kernel.launch.block = {64, 1, 1};
  kernel.launch.grid = {10, 1, 1};
  const auto out = kernel.run(8);
  EXPECT_EQ(out[0], 3u * 640);
  EXPECT_EQ(out[1], 640u % 3);
  EXPECT_EQ(out[2], 77u);
  EXPECT_EQ(out[3], out[4]);
  EXPECT_EQ(out[5], 0xfffffffbu);
  EXPECT_EQ(out[6], 0u) << "0, 9, 8, ... 1, ten of them";
}

TEST(PtxMemory, additionsOfFloatFlushInGlobalMemoryOnly) {
  Kernel kernel(R"(
  st.shared.b32 [word], 0; atom.shared.add.f32 %r2, [word], 0f00000001; atom.shared.add.f32 %r2, [word], 0f00000001;
  ld.shared.b32 %r3, [word]; st.global.b32 [%rd1], %r3;
  atom.global.add.f32 %r2, [%rd1+8], 0f00000001; atom.global.add.f32 %r2, [%rd1+16], 0f3f800000;
  atom.global.add.f64 %rd5, [%rd1+24], 0d0000000000000001;)",
                ".shared .align 4 .b8 word[4];");
  EXPECT_EQ(kernel.run(4), (std::vector<std::uint64_t>{2, 0, bitsOf(1.0f), 1}));
}

TEST(PtxMemory, asynchronousCopiesHappenWhenTheyAreWaitedFor) {
  const std::string begin = R"(
  st.shared.b64 [words], 0; st.shared.b64 [words+8], -1;
  cp.async.ca.shared.global [words], [%rd2], 8; cp.async.commit_group;
  cp.async.ca.shared.global [words+8], [%rd2], 8, 3; cp.async.commit_group;)";
  const std::string end = "ld.shared.v2.b64 {%rd5, %rd6}, [words]; st.global.v2.b64 [%rd1], {%rd5, %rd6};";
  const auto run = [&](const std::string& wait) {
    return Kernel(begin + wait + end, ".shared .align 16 .b8 words[16];").run(2, {0x1122334455667788});
  };
  const std::uint64_t first = 0x1122334455667788, second = 0x667788, none = ~std::uint64_t{0};
  EXPECT_EQ(run(""), (std::vector<std::uint64_t>{0, none}));
  EXPECT_EQ(run("cp.async.wait_group 1;"), (std::vector<std::uint64_t>{first, none}));
  EXPECT_EQ(run("cp.async.wait_group 0;"), (std::vector<std::uint64_t>{first, second}));
  EXPECT_EQ(run("cp.async.wait_all;"), (std::vector<std::uint64_t>{first, second}));
}

TEST(PtxMemory, whatIsLoadedAsReadOnlyIsNotWritten) {
  const std::string load = "ld.global.nc.b32 %r2, [%rd3+4]; ";
  const std::string text = "is written and loaded through the read-only cache";
  (void)Kernel(load + "st.global.b32 [%rd3], %r2;").run(64);
  EXPECT_TRUE(Kernel(load + "st.global.b64 [%rd3], 1;").fault().text.contains(text));
  EXPECT_TRUE(Kernel(load + "atom.add.u32 %r3, [%rd3+4], 1;").fault().text.contains(text));
  Kernel blocks("mov.u32 %r3, %ctaid.x; setp.eq.u32 %p1, %r3, 5; @%p1 st.global.b32 [%rd3+4], %r3;\n" + load);
  blocks.launch.grid = {8, 1, 1};
  EXPECT_TRUE(blocks.fault().text.contains(text));
}

TEST(PtxMemory, blocksOfALaunchAreAllExecuted) {
  Kernel kernel(R"(
  mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %ctaid.x; mad.lo.u32 %r2, %r2, %r3, %r4;
  mul.wide.u32 %rd5, %r2, 8; add.s64 %rd5, %rd1, %rd5;
  mov.u32 %r5, %tid.y; mov.u32 %r6, %ntid.x; mad.lo.u32 %r5, %r5, %r6, %r1; atom.global.add.u32 %r7, [%rd5], %r5;)");
  kernel.launch.grid = {7, 6, 1};
  kernel.launch.block = {10, 5, 1};
  EXPECT_EQ(kernel.run(42), std::vector<std::uint64_t>(42, 49 * 50 / 2));
}

}  // namespace
}  // namespace clarity::ptx
