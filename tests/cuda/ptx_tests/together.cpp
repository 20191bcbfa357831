// SPDX-License-Identifier: Apache-2.0
// Operations of several threads: shuffles, votes, barriers, branches apart and together again, waits for each other,
// and loops that never end.
#include "calculator.h"
#include "ptx/results.h"

namespace clarity::ptx {
namespace {

/// The values of a warp's threads in %r2.
std::vector<std::uint64_t> perThread(const std::string& body, unsigned threads = 32, const std::string& before = {}) {
  Kernel kernel(body + "\nst.global.b32 [%rd3], %r2;", before);
  kernel.launch.block = {threads, 1, 1};
  return kernel.run(threads);
}

std::uint32_t lane(std::uint32_t of, const std::string& body) {
  return static_cast<std::uint32_t>(perThread(body)[of]);
}

TEST(PtxTogether, shufflesWithClampsAndSegments) {
  // Threads 8 to 15 only: a segment of eight.
  const std::string segment = "0x1807";
  EXPECT_EQ(lane(9, "shfl.sync.up.b32 %r2|%p1, %r1, 1, 0x1800, -1;"), 8u);
  EXPECT_EQ(lane(8, "shfl.sync.up.b32 %r2|%p1, %r1, 1, 0x1800, -1; @%p1 mov.u32 %r2, 99;"), 8u) << "out of its segment";
  EXPECT_EQ(lane(14, "shfl.sync.down.b32 %r2, %r1, 1, " + segment + ", -1;"), 15u);
  EXPECT_EQ(lane(15, "shfl.sync.down.b32 %r2|%p1, %r1, 1, " + segment + ", -1; @!%p1 add.u32 %r2, %r2, 100;"), 115u);
  EXPECT_EQ(lane(10, "shfl.sync.bfly.b32 %r2, %r1, 7, " + segment + ", -1;"), 13u);
  EXPECT_EQ(lane(10, "shfl.sync.idx.b32 %r2, %r1, 3, 0x181f, -1;"), 11u);
  EXPECT_EQ(lane(31, "shfl.sync.idx.b32 %r2, %r1, 35, 31, -1;"), 3u) << "five bits of the number";
  EXPECT_EQ(lane(30, "shfl.sync.down.b32 %r2|%p1, %r1, 5, 31, -1; selp.b32 %r2, 1, 0, %p1;"), 0u);
}

TEST(PtxTogether, votesMatchesAndReductions) {
  const std::string odd = "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 1;";
  EXPECT_EQ(lane(5, odd + "vote.sync.ballot.b32 %r2, %p1, -1;"), 0xaaaaaaaau);
  EXPECT_EQ(lane(5, odd + "vote.sync.ballot.b32 %r2, !%p1, -1;"), 0x55555555u);
  EXPECT_EQ(lane(5, odd + "vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, %p1, -1; selp.b32 %r2, 1, 0, %p2; "
                          "@%p3 add.u32 %r2, %r2, 2;"),
            1u);
  EXPECT_EQ(lane(4, "and.b32 %r3, %r1, 3; match.any.sync.b32 %r2, %r3, -1;"), 0x11111111u);
  EXPECT_EQ(lane(4, "match.all.sync.b32 %r2|%p1, %r1, -1;"), 0u);
  EXPECT_EQ(lane(9, "redux.sync.add.s32 %r2, %r1, -1;"), 31u * 16);
  EXPECT_EQ(lane(9, "not.b32 %r3, %r1; redux.sync.min.s32 %r2, %r3, -1;"), 0xffffffe0u);
  EXPECT_EQ(lane(9, "not.b32 %r3, %r1; redux.sync.max.u32 %r2, %r3, -1;"), 0xffffffffu);
  EXPECT_EQ(lane(3, "redux.sync.xor.b32 %r2, %r1, -1;"), 0u);
}

/// Two numbers of 16 bits as one word: those of an integer register, and of one behind it by `apart`.
std::string pair(const std::string& to, const std::string& from, unsigned plus, unsigned apart) {
  return "add.u32 %r20, " + from + ", " + std::to_string(plus) + "; add.u32 %r21, %r20, " + std::to_string(apart) +
         "; cvt.rn.f16.u32 %rs1, %r20; cvt.rn.f16.u32 %rs2, %r21; mov.b32 " + to + ", {%rs1, %rs2};\n";
}

TEST(PtxTogether, productsOfMatrices) {
  // a[i][k] = i + 32 k; b[k][j] = 1 where k is j or j + 8: sums of 2 i + 64 j + 256.
  const std::string places =
      "and.b32 %r3, %r1, 3; shl.b32 %r3, %r3, 1; shr.u32 %r4, %r1, 2; mad.lo.u32 %r5, %r3, 32, %r4;\n";
  const std::string a = pair("%r10", "%r5", 0, 32) + pair("%r11", "%r5", 8, 32) + pair("%r12", "%r5", 256, 32) +
                        pair("%r13", "%r5", 264, 32);
  const std::string b =
      "setp.eq.u32 %p1, %r3, %r4; selp.b32 %r14, 0x3c00, 0, %p1; add.u32 %r6, %r3, 1; "
      "setp.eq.u32 %p1, %r6, %r4; @%p1 mov.b32 %r14, 0x3c000000; mov.b32 %r15, %r14;\n";
  const std::string product =
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r16, %r17, %r18, %r19}, "
      "{%r10, %r11, %r12, %r13}, {%r14, %r15}, {0f3F800000, 0f00000000, 0f00000000, 0f00000000};\n";
  const auto result = [&](const std::string& word, unsigned of) {
    return lane(of, places + a + b + product + "cvt.rzi.u32.f32 %r2, " + word + ";");
  };
  for (const unsigned of : {0U, 5U, 30U, 31U}) {
    const unsigned i = of / 4, j = of % 4 * 2;
    EXPECT_EQ(result("%r16", of), 2 * i + 64 * j + 257);
    EXPECT_EQ(result("%r17", of), 2 * i + 64 * (j + 1) + 256);
    EXPECT_EQ(result("%r18", of), 2 * (i + 8) + 64 * j + 256);
    EXPECT_EQ(result("%r19", of), 2 * (i + 8) + 64 * (j + 1) + 256);
  }
}

TEST(PtxTogether, productsOfDoubles) {
  // a[i][k] = i + 16 k; b[k][j] = 1 where k is j; sums of i + 16 j.
  const auto result = [](const std::string& word, unsigned of) {
    return lane(of, R"(
  and.b32 %r3, %r1, 3; shr.u32 %r4, %r1, 2; mad.lo.u32 %r5, %r3, 16, %r4;
  add.u32 %r6, %r5, 8; add.u32 %r7, %r5, 64; add.u32 %r8, %r5, 72;
  cvt.rn.f64.u32 %rd10, %r5; cvt.rn.f64.u32 %rd11, %r6; cvt.rn.f64.u32 %rd12, %r7; cvt.rn.f64.u32 %rd13, %r8;
  setp.eq.u32 %p1, %r3, %r4; selp.b64 %rd14, 0x3ff0000000000000, 0, %p1;
  add.u32 %r6, %r3, 4; setp.eq.u32 %p1, %r6, %r4; selp.b64 %rd15, 0x3ff0000000000000, 0, %p1;
  mov.b64 %rd16, 0;
  mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%rd5, %rd6, %rd7, %rd8}, {%rd10, %rd11, %rd12, %rd13},
    {%rd14, %rd15}, {%rd16, %rd16, %rd16, %rd16};
  cvt.rzi.u32.f64 %r2, )" +
                        word + ";");
  };
  for (const unsigned of : {0U, 6U, 31U}) {
    EXPECT_EQ(result("%rd5", of), of / 4 + 16 * (of % 4 * 2));
    EXPECT_EQ(result("%rd6", of), of / 4 + 16 * (of % 4 * 2 + 1));
    EXPECT_EQ(result("%rd8", of), of / 4 + 8 + 16 * (of % 4 * 2 + 1));
  }
}

TEST(PtxTogether, matricesFromSharedMemory) {
  // Element c of row r of matrix i is 64 i + 8 r + c.
  const auto result = [](const char* form, const char* word, unsigned of) {
    const std::string body = std::string(R"(
  mov.u32 %r3, rows; shl.b32 %r4, %r1, 4; add.u32 %r3, %r3, %r4; shl.b32 %r4, %r1, 3; mov.u32 %r6, 0;
FILL:
  add.u32 %r7, %r4, %r6; shl.b32 %r8, %r6, 1; add.u32 %r8, %r8, %r3; cvt.u16.u32 %rs1, %r7; st.shared.b16 [%r8], %rs1;
  add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 8; @%p1 bra FILL;
  bar.warp.sync -1;
  ldmatrix.sync.aligned.m8n8.x4)") +
                             form + ".shared.b16 {%r10, %r11, %r12, %r13}, [%r3];\nmov.b32 %r2, " + word + ";";
    return perThread(body, 32, ".shared .align 16 .b8 rows[512];")[of];
  };
  EXPECT_EQ(result("", "%r12", 9), (64 * 2 + 8 * 2 + 2) | (64 * 2 + 8 * 2 + 3) << 16);
  EXPECT_EQ(result(".trans", "%r13", 9), (64 * 3 + 8 * 2 + 2) | (64 * 3 + 8 * 3 + 2) << 16);
}

TEST(PtxTogether, threadsMeetBehindBranches) {
  const auto out = perThread(R"(
  setp.lt.u32 %p1, %r1, 12; @%p1 bra LOW;
  activemask.b32 %r2; bra JOINED;
LOW:
  activemask.b32 %r2;
JOINED:
  activemask.b32 %r3; setp.ne.u32 %p2, %r3, 0xffffffff; @%p2 mov.u32 %r2, 0;)");
  EXPECT_EQ(out[0], 0xfffu);
  EXPECT_EQ(out[12], 0xfffff000u);
}

TEST(PtxTogether, threadsMeetBehindLoopsOfDifferentLengthsAndWithSeveralWaysBack) {
  const auto out = perThread(R"(
  mov.u32 %r4, 0; mov.u32 %r2, 0;
LOOP:
  add.u32 %r4, %r4, 1; and.b32 %r5, %r1, 1; setp.gt.u32 %p1, %r4, %r1; @%p1 bra OUT;
  setp.eq.u32 %p2, %r5, 0; @%p2 bra LOOP;
  activemask.b32 %r6; popc.b32 %r6, %r6; add.u32 %r2, %r2, %r6; bra LOOP;
OUT:
  activemask.b32 %r3; setp.ne.u32 %p2, %r3, 0xffffffff; @%p2 mov.u32 %r2, 0;)");
  // Thread 5: five iterations with 16, 15, 15, 14, 14 odd threads.
  EXPECT_EQ(out[5], 16u + 15 + 15 + 14 + 14);
  EXPECT_EQ(out[4], 0u);
  EXPECT_EQ(out[1], 16u);
}

TEST(PtxTogether, anInstructionIsOneWhereverThreadsExecuteIt) {
  const auto out = perThread(R"(
  setp.lt.u32 %p1, %r1, 16; mov.u32 %r4, 16; @%p1 bra LOW;
  shfl.sync.bfly.b32 %r2, %r1, %r4, 31, -1; bra JOINED;
LOW:
  add.u32 %r5, %r1, 100; shfl.sync.bfly.b32 %r2, %r5, %r4, 31, -1;
JOINED:)");
  EXPECT_EQ(out[3], 19u);
  EXPECT_EQ(out[19], 103u);
}

TEST(PtxTogether, threadsThatHaveEndedAreNotWaitedFor) {
  const auto out = perThread("setp.gt.u32 %p1, %r1, 3; @%p1 exit; redux.sync.add.u32 %r2, %r1, -1; bar.sync 0;");
  EXPECT_EQ(out[0], 6u);
  EXPECT_EQ(out[4], 0u);
}

TEST(PtxTogether, barriersOfAllAndOfSomeThreads) {
  const auto all = perThread(R"(
  mul.wide.u32 %rd5, %r1, 4; mov.b64 %rd6, words; add.s64 %rd5, %rd6, %rd5; st.shared.b32 [%rd5], %r1; bar.sync 0;
  xor.b32 %r3, %r1, 64; mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd6, %rd5; ld.shared.b32 %r2, [%rd5];)",
                             128, ".shared .align 4 .b8 words[512];");
  EXPECT_EQ(all[3], 67u);
  const auto some = perThread(R"(
  setp.lt.u32 %p1, %r1, 64; mov.u32 %r2, 1; @!%p1 bra END;
  barrier.sync 3, 64; mov.u32 %r2, 2;
END:)",
                              128);
  EXPECT_EQ(some[0], 2u);
  EXPECT_EQ(some[127], 1u);
  const auto counted = perThread(
      "setp.lt.u32 %p1, %r1, 10; bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, "
      "%p1; @%p2 add.u32 %r2, %r2, 1000; @%p3 add.u32 %r2, %r2, 100;",
      96);
  EXPECT_EQ(counted[50], 110u);
}

TEST(PtxTogether, anAlignedBarrierIsForWholeWarps) {
  const std::string apart = "setp.lt.u32 %p1, %r1, 5; @%p1 bra LOW; KIND 0; bra END;\nLOW: KIND 0;\nEND:";
  const auto with = [&](const std::string& kind) {
    std::string text = apart;
    for (std::size_t at; (at = text.find("KIND")) != text.npos;) text.replace(at, 4, kind);
    Kernel kernel(text);
    kernel.launch.block = {32, 1, 1};
    return kernel;
  };
  (void)with("barrier.sync").run(1);
  const Fault fault = with("bar.sync").fault();
  EXPECT_TRUE(fault.text.contains("an aligned barrier is executed by 5 of the warp's 32 threads") ||
              fault.text.contains("an aligned barrier is executed by 27 of the warp's 32 threads"))
      << fault.text;
}

TEST(PtxTogether, threadsWaitForThoseOfTheirWarpInLoops) {
  // Each waits until the thread before it has had its turn, the last one behind first.
  const auto out = perThread(R"(
  mov.b64 %rd5, turn; setp.ne.u32 %p2, %r1, 0; @!%p2 st.shared.b32 [%rd5], 31;
  bar.warp.sync -1;
WAIT:
  ld.volatile.shared.b32 %r4, [%rd5]; setp.ne.u32 %p1, %r4, %r1; @%p1 bra WAIT;
  sub.u32 %r4, %r4, 1; st.volatile.shared.b32 [%rd5], %r4; mov.u32 %r2, 1;
  activemask.b32 %r6; setp.eq.u32 %p3, %r6, 0xffffffff; @%p3 mov.u32 %r2, 2;)",
                             32, ".shared .align 4 .b8 turn[4];");
  EXPECT_EQ(out[0], 2u) << "together behind the loop";
  EXPECT_EQ(out[31], 2u);
}

TEST(PtxTogether, warpsAndBlocksWaitForEachOther) {
  // The first block and the first warp wait for the last ones.
  Kernel kernel(R"(
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r2, %r2, %r3, %r1; sub.u32 %r4, 127, %r2;
WAIT:
  ld.acquire.gpu.global.b32 %r5, [%rd1]; setp.ne.u32 %p1, %r5, %r4; @%p1 bra WAIT;
  atom.global.add.u32 %r6, [%rd1], 1;)");
  kernel.launch.block = {64, 1, 1};
  kernel.launch.grid = {2, 1, 1};
  kernel.launch.mostInstructions = 10'000'000'000;
  EXPECT_EQ(kernel.run(1)[0], 128u);
}

TEST(PtxTogether, whatNeverEndsIsAFault) {
  Kernel endless("LOOP: add.u32 %r2, %r2, 1; bra LOOP;");
  endless.launch.mostInstructions = 1'000'000;
  const Fault forever = endless.fault();
  EXPECT_EQ(forever.code, launchTimeoutFault);
  EXPECT_TRUE(forever.text.contains("1000000 instructions")) << forever.text;
  Kernel stuck("setp.lt.u32 %p1, %r1, 32; @!%p1 barrier.sync 1;\n@%p1 barrier.sync 2;");
  stuck.launch.block = {64, 1, 1};
  const Fault fault = stuck.fault();
  EXPECT_EQ(fault.code, launchTimeoutFault);
  EXPECT_TRUE(fault.text.contains("64 wait") && fault.text.contains("thread (0, 0, 0)") &&
              fault.text.contains("thread (32, 0, 0)") && fault.text.contains("barrier.sync 1"))
      << fault.text;
}

TEST(PtxTogether, aThreadIsInItsOwnMask) {
  EXPECT_TRUE(Kernel("shfl.sync.idx.b32 %r2, %r1, 0, 31, 2;").fault().text.contains("not in its own mask"));
}

TEST(PtxTogether, gpusBeforeVoltaHaveOnePlaceForAWarp) {
  Kernel kernel(R"(
  setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW;
  vote.sync.ballot.b32 %r2, %p1, -1; bra END;
LOW: vote.sync.ballot.b32 %r2, %p1, -1;
END: st.global.b32 [%rd3], %r2;)");
  kernel.launch.block = {32, 1, 1};
  EXPECT_EQ(kernel.run(32)[20], 0xffffu);
  kernel.launch.capability = 61;
  EXPECT_TRUE(kernel.fault().text.contains("do not execute the instruction together"));
}

TEST(PtxTogether, trapsAreFaults) { EXPECT_EQ(Kernel("trap;").fault().code, launchFailedFault); }

TEST(PtxTogether, tablesOfBranches) {
  const auto out = perThread(R"(
  and.b32 %r3, %r1, 3; mov.u32 %r2, 9;
TABLE: .branchtargets A, B, A, C;
  brx.idx %r3, TABLE;
A: mov.u32 %r2, 1; bra END;
B: mov.u32 %r2, 2; bra END;
C: mov.u32 %r2, 3;
END:)");
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[5], 2u);
  EXPECT_EQ(out[31], 3u);
}

}  // namespace
}  // namespace clarity::ptx
