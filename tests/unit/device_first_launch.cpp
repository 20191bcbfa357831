// SPDX-License-Identifier: Apache-2.0
// This file tests which code a launch on the CPU gets, with code that is written by hand: quick code for a small first
// launch, full code for all others, and full code for the rest of a launch that turns out to be long.
#include "device_first_launch.h"

#include <CL/cl.h>

#include <unistd.h>

#include "../api/watched_child.h"

namespace clarity::test {
namespace {

TEST_F(FirstLaunch, hasQuickCodeAndAllOthersFullCode) {
  const auto program = executable(2);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run(*program, launch(64)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, true), shape(16, false)}));
  EXPECT_EQ(byQuick, 4u);
  EXPECT_EQ(byFull, 8u);
  expectEach(64, 3);
}

// The facts that code is specialised for count: another work-group size is another first launch, and no other for
// kernels that cannot observe it.
TEST_F(FirstLaunch, isOneOfEachShape) {
  auto program = executable(1);
  for (const std::size_t local : {16, 32, 16, 32}) ASSERT_TRUE(run(*program, launch(64, local)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, true), shape(32, true), shape(16, false), shape(32, false)}));
  made.clear();
  info().groupAgnostic = true;
  program = executable(1);
  for (const std::size_t local : {16, 32, 16, 32}) ASSERT_TRUE(run(*program, launch(64, local)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(0, true), shape(0, false)}));
}

// Smaller work-groups at the edge: two functions, of the same kind.
TEST_F(FirstLaunch, hasQuickCodeForSmallerGroupsToo) {
  info().uniformWorkGroups = false;
  const auto program = executable(1);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(run(*program, launch(70)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, true), shape(0, true), shape(16, false), shape(0, false)}));
  EXPECT_EQ(byQuick, 5u);
  EXPECT_EQ(byFull, 5u);
  expectEach(70, 2);
}

TEST_F(FirstLaunch, hasFullCodeWhereItIsLarge) {
  const auto program = executable(1);
  ASSERT_TRUE(prepare(*program, launch(1000, 10, 1'000'000)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(10, false)}));
}

// Full code of a large kernel takes longer to make, so that quick code is better for longer.
TEST_F(FirstLaunch, hasQuickCodeForLongerWhereTheKernelIsLarge) {
  info().instructions = 1'000;
  auto program = executable(1);
  ASSERT_TRUE(prepare(*program, launch(1000, 10, 1'000'000)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(10, true)}));
  made.clear();
  info().instructions = 100;
  program = executable(1);
  ASSERT_TRUE(prepare(*program, launch(1000, 10, 1'000'000)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(10, false)}));
}

TEST_F(FirstLaunch, hasFullCodeWhereNothingIsKnown) {
  info().work = {};
  ASSERT_TRUE(run(*executable(1), launch(64)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)}));
}

// Loops that may run for any time: quick code must be a small part of the launch.
TEST_F(FirstLaunch, hasQuickCodeForUnknownLoopsWhereItHasManyParts) {
  info().work.isBounded = false;
  ASSERT_TRUE(prepare(*executable(2), launch(127 * 16)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)}));
  made.clear();
  ASSERT_TRUE(prepare(*executable(2), launch(128 * 16)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, true)}));
}

TEST_F(FirstLaunch, hasFullCodeIfTheUserWants) {
  ASSERT_TRUE(run(*executable(1, false), launch(64)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)}));
}

TEST_F(FirstLaunch, hasFullCodeOfProgramsThatHaveNoOther) {
  for (const char* options : {"-cl-opt-disable", "-cl-clarity-packet-width=1", "-cl-clarity-tile=2x1"}) {
    made.clear();
    compiled->options = options;
    ASSERT_TRUE(run(*executable(1), launch(64)));
    EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)})) << options;
  }
}

TEST_F(FirstLaunch, hasFullCodeWhereItIsRecorded) {
  ASSERT_TRUE(run(*executable(1), launch(64), Runs::Often));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)}));
}

// Full code that another process has left is better than quick code, and quick code than none.
TEST_F(FirstLaunch, takesWhatIsKept) {
  kept = {shape(16, true), shape(16, false)};
  ASSERT_TRUE(run(*executable(1), launch(64)));
  EXPECT_EQ(byFull, 4u);
  kept = {shape(16, true)};
  const auto program = executable(1);
  ASSERT_TRUE(run(*program, launch(64)));
  EXPECT_EQ(byQuick, 4u);
  EXPECT_TRUE(shapes().empty());
  ASSERT_TRUE(run(*program, launch(64)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)}));
}

// Code for a launch that waits for other commands is compiled meanwhile: quick code for the first launch, full code for
// the second.
TEST_F(FirstLaunch, isPreparedAhead) {
  const auto program = executable(2);
  for (std::size_t i = 1; i <= 2; ++i) {
    program->prepareAhead(launch(64), Runs::Once);
    waitForMade(i);
  }
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(run(*program, launch(64)));
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, true), shape(16, false)}));
  made.clear();
  const auto recorded = executable(2);
  recorded->prepareAhead(launch(64), Runs::Often);
  waitForMade(1);
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(16, false)}));
}

// A launch that looked small goes on with full code, and every work-item is executed once.
TEST_F(FirstLaunch, goesOnWithFullCode) {
  for (const bool ofItems : {false, true})
    for (const std::uint32_t units : {1u, 2u, 4u}) {
      SCOPED_TRACE(testing::Message() << units << " units, " << (ofItems ? "work-items" : "work-groups"));
      made.clear();
      byQuick = byFull = 0;
      quickSlices = 0;
      waitsForFull = true;
      fullIsMade = false;
      for (Counter& each : counters) each = 0;
      info().groupAgnostic = ofItems;
      quickMicroseconds = 2000;
      const auto program = executable(units);
      ASSERT_TRUE(run(*program, launch(counters.size(), 64)));
      EXPECT_EQ(shapes(), (std::vector<Shape>{shape(ofItems ? 0 : 64, true), shape(ofItems ? 0 : 64, false)}));
      EXPECT_GT(byQuick, 0u);
      EXPECT_GT(byFull, 0u);
      expectEach(counters.size(), 1);
      quickMicroseconds = 0;
      ASSERT_TRUE(run(*program, launch(counters.size(), 64)));
      EXPECT_EQ(shapes().size(), 2u) << "the second launch has it already";
    }
}

// Code that runs work-groups together needs memory for each of them, which quick code does not.
TEST_F(FirstLaunch, goesOnWithCodeThatNeedsMoreMemory) {
  static std::atomic<std::uint64_t> mostGroups;
  mostGroups = 0;
  adjust = [](NativeKernel& kernel, const Shape& shape) {
    kernel.spillBytesPerItem = shape.quick ? 4 : 12;
    if (shape.quick) return;
    kernel.interleavedGroups = 4;
    kernel.entry = [](const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory* memory) {
      std::memset(memory->local, 1, memory->localBytes * memory->groups);
      std::memset(memory->spill, 1, 12 * 64 * memory->groups);
      mostGroups = std::max<std::uint64_t>(mostGroups, memory->groups);
      fullCode<false>(args, launch, slice, memory);
    };
  };
  quickMicroseconds = 2000;
  waitsForFull = true;
  Launch l = launch(counters.size(), 64);
  l.localBytes = 128;
  ASSERT_TRUE(run(*executable(2), l));
  EXPECT_EQ(mostGroups, 4u);
  expectEach(counters.size(), 1);
}

// Full code whose slices are of another kind cannot execute what is left.
TEST_F(FirstLaunch, staysWithQuickCodeThatNothingCanReplace) {
  adjust = [](NativeKernel& kernel, const Shape& shape) {
    if (!shape.quick) kernel.groupAgnostic = true;
  };
  quickMicroseconds = 1000;
  ASSERT_TRUE(run(*executable(1), launch(counters.size() / 8, 64)));
  EXPECT_EQ(byFull, 0u);
  expectEach(counters.size() / 8, 1);
}

TEST_F(FirstLaunch, endsWithoutFullCodeIfThereIsNone) {
  fullFails = true;
  quickMicroseconds = 1000;
  for (const std::uint32_t units : {1u, 2u}) {
    made.clear();
    const auto program = executable(units);
    ASSERT_TRUE(run(*program, launch(counters.size() / 8, 64)));
    EXPECT_EQ(byFull, 0u);
    const Result second = run(*program, launch(64, 64));
    EXPECT_EQ(second.code, CL_OUT_OF_RESOURCES);
    EXPECT_NE(second.text.find("no full code for you"), std::string::npos) << second.text;
  }
}

// The second launch waits for the code that the first one has begun to have compiled.
TEST_F(FirstLaunch, theSecondWaitsForFullCode) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "on one processor the first launch waits itself";
  fullIsLate = true;
  quickMicroseconds = 500;
  const auto program = executable(2);
  ASSERT_TRUE(run(*program, launch(counters.size() / 2, 64)));
  expectEach(counters.size() / 2, 1);
  EXPECT_EQ(byFull, 0u);
  // Does nothing, unless quick code took so long to make that the launch was not worth full code.
  program->prepareAhead(launch(64, 64), Runs::Once);
  waitForMade(2);
  std::thread second([&] { EXPECT_TRUE(run(*program, launch(64, 64))); });
  letItEnd();
  second.join();
  EXPECT_EQ(byFull, 1u);
  EXPECT_EQ(shapes(), (std::vector<Shape>{shape(64, true), shape(64, false)}));
}

// One of many launches at once is the first; the others have full code.
TEST_F(FirstLaunch, isOneOfManyThreads) {
  const auto program = executable(2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_TRUE(run(*program, launch(64))); });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(byQuick, 4u);
  EXPECT_EQ(byFull, 28u);
  expectEach(64, 8);
}

// fork() waits for code that is compiled ahead of its time, and the child has it compiled itself.
TEST_F(FirstLaunch, aChildCompilesForItself) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "in a child of a process with threads the sanitizer knows of no order";
#endif
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "nothing is compiled in the background";
  const auto program = executable(2);
  fullIsLate = true;
  program->prepareAhead(launch(64), Runs::Often);
  waitForMade(1);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    letItEnd();
  });
  const pid_t child = fork();
  if (child == 0) {
    fullIsLate = false;
    _exit(run(*program, launch(64)) && byFull == 4 ? 0 : 1);
  }
  opener.join();
  ASSERT_NE(child, -1);
  const Ending ending = endingOf(child);
  EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
}

}  // namespace
}  // namespace clarity::test
