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
