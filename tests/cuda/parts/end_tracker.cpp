// SPDX-License-Identifier: Apache-2.0
// This file tests how it is learnt what the GPU has executed.
#include "device/cuda/end_tracker.h"

#include "fixture.h"

#include <mutex>
#include <thread>

namespace clarity::test {
namespace {

using device::cuda::CuStream;
using device::cuda::EndSignal;
using device::cuda::EndTracker;
using device::cuda::EndWait;

struct CudaEndTracker : CudaParts {
  CuStream stream = nullptr;
  std::unique_ptr<EndTracker> ends;
  std::mutex mutex;
  Noted awaited;

  void SetUp() override {
    CudaParts::SetUp();
    stream = makeStream();
    ends = std::make_unique<EndTracker>(gpu, completions, stream);
  }
  void TearDown() override {
    release();
    ends.reset();
    CudaParts::TearDown();
  }
  void lookUntil(std::uint64_t place) {
    while (ends->executed() < place) (void)ends->look();
  }
  void wait(bool isOfStream = true, bool isLikelyOver = false) {
    std::unique_lock lock(mutex);
    ends->wait(lock, EndWait{.awaited = awaited, .isOfStream = isOfStream, .isLikelyOver = isLikelyOver});
    EXPECT_TRUE(lock.owns_lock());
  }
};

TEST_F(CudaEndTracker, anEmptyStreamHasExecutedAll) {
  hold(stream);
  EXPECT_FALSE(ends->noteIssued(1));
  EXPECT_FALSE(ends->look());
  EXPECT_EQ(ends->executed(), 0U);
  release();
  lookUntil(1);
  EXPECT_EQ(ends->executed(), 1U);
}

// The first part of a long queue is known to have been executed while the rest is under way.
TEST_F(CudaEndTracker, anEventNowAndThen) {
  std::uint64_t place = 1;
  while (!ends->noteIssued(place)) ++place;
  EXPECT_GT(place, 1U);
  EXPECT_TRUE(ends->hasEvents());
  hold(stream);
  ends->noteIssued(place + 1);
  lookUntil(place);
  EXPECT_EQ(ends->executed(), place);
  EXPECT_FALSE(ends->hasEvents()) << "none behind what has been executed is kept";
  EXPECT_FALSE(ends->look());
}

TEST_F(CudaEndTracker, anotherStreamQueueGetsTheFirstEventBehindAPlace) {
  hold(stream);
  ends->noteIssued(1);
  const auto first = ends->eventBehind(1);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(ends->eventBehind(1), first) << "one is enough";
  ends->noteIssued(2);
  EXPECT_NE(ends->eventBehind(2), first);
}

// Operations behind the one that is awaited are waited for once, not again and again.
TEST_F(CudaEndTracker, operationsThatAreAwaitedLateGetEvents) {
  hold(stream);
  for (std::uint64_t place = 1; place <= 3; ++place) ends->noteIssued(place);
  EXPECT_FALSE(ends->nextHasEvent());
  const auto behindAll = ends->eventBehind(1);
  EXPECT_EQ(ends->eventBehind(3), behindAll);
  EXPECT_TRUE(ends->nextHasEvent());
  for (std::uint64_t place = 4; place <= 6; ++place) ends->noteIssued(place);
  EXPECT_NE(ends->eventBehind(4), ends->eventBehind(5));
  EXPECT_NE(ends->eventBehind(5), ends->eventBehind(6));
  std::uint64_t place = 6;
  while (ends->nextHasEvent()) ends->noteIssued(++place);
  ends->noteIssued(place + 1);
  ends->noteIssued(place + 2);
  EXPECT_EQ(ends->eventBehind(place + 1), ends->eventBehind(place + 2)) << "events cost time";
}

TEST_F(CudaEndTracker, anEventThatIsAskedFor) {
  hold(stream);
  ends->noteIssued(1, true);
  ends->noteIssued(2);
  EXPECT_NE(ends->eventBehind(1), ends->eventBehind(2));
}

TEST_F(CudaEndTracker, waitingForANumberOfTheStream) {
  hold(stream);
  ends->noteIssued(1);
  const auto before = calls("cuStreamWriteValue32_v2");
  std::jthread later([&] {
    while (calls("cuStreamWriteValue32_v2") == before) std::this_thread::yield();
    release();
  });
  wait();
  EXPECT_EQ(ends->executed(), 1U);
}

TEST_F(CudaEndTracker, waitingForAnEventWhereTheDriverWritesNoNumbers) {
  failCall("cuStreamWriteValue32_v2", 1, 801);
  hold(stream);
  ends->noteIssued(1);
  std::jthread later([&] {
    while (calls("cuEventSynchronize") == 0) std::this_thread::yield();
    release();
  });
  wait();
  EXPECT_EQ(ends->executed(), 1U);
}

// Without events either, the stream is asked again and again.
TEST_F(CudaEndTracker, waitingWithoutEvents) {
  failCall("cuMemAllocHost_v2", 1, 2);
  failCall("cuEventCreate", 1, 2);
  hold(stream);
  ends->noteIssued(1);
  std::jthread later([&] {
    while (calls("cuEventCreate") == 0) std::this_thread::yield();
    release();
  });
  wait();
  EXPECT_EQ(ends->executed(), 1U);
}

// The kernel writes its number before the driver knows that the stream is empty.
TEST_F(CudaEndTracker, aKernelsNumberIsEnough) {
  EXPECT_EQ(ends->kernelSignals(), nullptr) << "no thread has waited yet";
  ends->noteIssued(1);
  wait();
  ASSERT_NE(ends->kernelSignals(), nullptr);
  const EndSignal signal = ends->kernelSignals()->kernelEnd(ends->nextKernelNumber());
  hold(stream);
  ends->noteKernelSignal(2, signal);
  ends->noteIssued(2);
  EXPECT_EQ(ends->nextKernelNumber(), signal.number + 1);
  EXPECT_FALSE(ends->look());
  const_cast<std::atomic<std::uint32_t>*>(signal.word)->store(signal.number);
  EXPECT_TRUE(ends->look());
  EXPECT_EQ(ends->executed(), 2U);
  ends->noteIssued(3);  // what comes behind it has no number
  EXPECT_FALSE(ends->look());
}

TEST_F(CudaEndTracker, whatIsAwaitedEndsElsewhere) {
  hold(stream);
  ends->noteIssued(1);
  std::jthread later([&] { awaited.complete({}, {}); });
  wait(false);
  EXPECT_EQ(ends->executed(), 0U);
}

TEST_F(CudaEndTracker, aLostGpuIsNotWaitedFor) {
  hold(stream);
  ends->noteIssued(5);
  failCall("cuStreamQuery", 1, 719);
  EXPECT_TRUE(ends->look());
  EXPECT_EQ(ends->failure(), 719);
  EXPECT_EQ(ends->executed(), 5U);
}

}  // namespace
}  // namespace clarity::test
