// SPDX-License-Identifier: Apache-2.0
// This file tests the discrete test device itself against the interface of devices: what the other tests rely on.
#include "discrete_device/control.h"
#include "discrete_device/device.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <random>
#include <vector>

namespace clarity::test {
namespace {

using device::Location;

struct Recorded final : device::Submission {
  device::Operation work;
  std::vector<const Recorded*> needed;  ///< that must have ended
  std::atomic<int>* ended_ = nullptr;
  std::atomic<bool> done{false};
  std::atomic<int> starts{0}, completions{0};
  bool inOrder = true;
  device::Result result;
  device::Times times;

  void started() noexcept override { ++starts; }
  void complete(device::Result its, const device::Times& when) noexcept override {
    for (const Recorded* each : needed) inOrder &= each->done.load();
    result = std::move(its);
    times = when;
    ++completions;
    std::atomic<int>* const ended = ended_;
    done = true;
    // The test may end, and this object with it, as soon as it is counted.
    if (ended->fetch_add(1) >= 0) ended->notify_all();
  }
  bool ended() const noexcept override { return done; }
};

struct DiscreteStreams : testing::Test {
  std::atomic<int> ended{0};  // outlives the threads of the device, which tell it last
  discrete::DiscreteDevice device{{.threads = 2}};
  std::unique_ptr<device::Stream> stream = device.createStream({.outOfOrder = true, .profiled = true});

  void submit(Recorded& recorded, device::Operation work, std::span<device::Submission* const> after = {},
              device::Start start = device::Start::AtOnce) {
    recorded.work = std::move(work);
    recorded.operation = &recorded.work;
    recorded.ended_ = &ended;
    stream->submit(recorded, start, after);
  }
  void waitFor(int count) {
    for (int now = ended; now < count; now = ended) ended.wait(now);
  }
};

TEST_F(DiscreteStreams, memoryCannotBeAccessedByTheHost) {
  const auto allocation = device.memory().allocate(4096);
  ASSERT_NE(allocation, nullptr);
  EXPECT_EQ(allocation->hostAddress(), nullptr);
  EXPECT_FALSE(device.memory().hostAccessible());
  EXPECT_EQ(device.memory().adopt(nullptr, 0), nullptr);
  std::byte* const address = static_cast<discrete::DiscreteAllocation&>(*allocation).base();
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // other threads may be there
  EXPECT_EXIT(*reinterpret_cast<volatile char*>(address) = 1, testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(DiscreteStreams, contentGoesThereAndBack) {
  const auto allocation = device.memory().allocate(1000);
  std::vector<std::byte> from(1000), to(1000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = std::byte(i);
  Recorded there, back;
  submit(there, device::Copy{{allocation.get(), 0}, Location::inHost(from.data()), 1000});
  device::Submission* const after[] = {&there};
  submit(back, device::Copy{Location::inHost(to.data()), {allocation.get(), 0}, 1000}, after);
  waitFor(2);
  EXPECT_EQ(to, from);
  for (const Recorded* each : {&there, &back}) {
    EXPECT_TRUE(each->result) << each->result.text;
    EXPECT_EQ(each->starts, 1);
    EXPECT_EQ(each->completions, 1);
    EXPECT_GT(each->times.started, 0U);
    EXPECT_LE(each->times.started, each->times.ended);
  }
}

// Chains of fills through `after`; what is not ordered is seen to change its order.
TEST_F(DiscreteStreams, orderIsThatOfAfterAndNoOther) {
  constexpr int count = 300;
  const auto allocation = device.memory().allocate(count);
  std::vector<Recorded> all(count);
  std::mt19937 random(3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<device::Submission*> after;
    for (int n = int(random() % 3); n > 0 && i > 0; --n) {
      Recorded& earlier = all[random() % i];
      after.push_back(&earlier);
      all[i].needed.push_back(&earlier);
    }
    device::Fill fill{.to = {allocation.get(), i}, .bytes = 1, .patternBytes = 1, .pattern = {}};
    fill.pattern[0] = std::byte(i);
    submit(all[i], fill, after);
  }
  waitFor(count);
  bool reordered = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(all[i].inOrder) << i;
    EXPECT_EQ(all[i].completions, 1);
    if (i > 0) reordered |= all[i].times.started < all[i - 1].times.started;
  }
  EXPECT_TRUE(reordered) << "operations that nothing orders ran in the order of submission";
}

TEST_F(DiscreteStreams, whatIsStartedWhenNeededWaitsForAFlush) {
  const auto allocation = device.memory().allocate(64);
  Recorded held;
  submit(held, device::Fill{.to = {allocation.get(), 0}, .bytes = 64, .patternBytes = 1, .pattern = {}}, {},
         device::Start::WhenNeeded);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(held.completions, 0);
  stream->flush();
  waitFor(1);
  EXPECT_EQ(held.completions, 1);
}

TEST_F(DiscreteStreams, injectedErrors) {
  clarityDiscreteFailAllocation(2);
  EXPECT_NE(device.memory().allocate(8), nullptr);
  EXPECT_EQ(device.memory().allocate(8), nullptr);
  const auto allocation = device.memory().allocate(8);
  ASSERT_NE(allocation, nullptr);
  clarityDiscreteFailOperation(1);
  std::vector<std::byte> from(8);
  Recorded failing;
  submit(failing, device::Copy{{allocation.get(), 0}, Location::inHost(from.data()), 8});
  waitFor(1);
  EXPECT_EQ(failing.result.code, CL_OUT_OF_RESOURCES);
  Recorded next;
  submit(next, device::Copy{{allocation.get(), 0}, Location::inHost(from.data()), 8});
  waitFor(2);
  EXPECT_TRUE(next.result);
}

TEST_F(DiscreteStreams, memoryIsLimited) {
  EXPECT_EQ(device.memory().allocate(device.properties().globalMemBytes + 1), nullptr);
}

}  // namespace
}  // namespace clarity::test
