// SPDX-License-Identifier: Apache-2.0
// This file tests the three parts of a stream queue together: operations from submit() to complete().
#include "device/cuda/stream_queue.h"

#include "fixture.h"

#include <algorithm>
#include <deque>
#include <thread>

namespace clarity::test {
namespace {

using namespace device::cuda;

constexpr std::size_t unstagedBytes = 2 * Staging::smallBytes;

struct CudaStreamQueue : CudaParts {
  std::unique_ptr<device::Allocation> memory;
  std::vector<std::shared_ptr<StreamQueue>> queues;

  void SetUp() override {
    CudaParts::SetUp();
    memory = allocate(unstagedBytes);
  }
  void TearDown() override {
    for (const auto& each : queues) each->close();
    queues.clear();
    CudaParts::TearDown();
  }
  /// Which the thread of Completions does not know.
  const std::shared_ptr<StreamQueue>& queue() {
    return queues.emplace_back(std::make_shared<StreamQueue>(gpu, completions, staging, 1 << 10, false));
  }
  void expectOrder(const StreamQueue& queue) {
    EXPECT_TRUE(queue.isIdle());
    EXPECT_TRUE(queue.hasIssued(queue.lastSubmitted()));
  }
};

// Short operations and such as the issuer issues, submitted by several threads, end in the order of their places.
TEST_F(CudaStreamQueue, operationsOfThreadsEndInTheirOrder) {
  const auto its = queue();
  constexpr int threadCount = 4, each = 50;
  std::vector<std::byte> bytes(unstagedBytes);
  std::deque<Noted> all;
  std::vector<std::uint64_t> order;
  for (int i = 0; i < threadCount * each; ++i) {
    Noted& made = all.emplace_back(i % 7 == 0 ? write(*memory, bytes) : fill(*memory, 16, 1));
    made.then = [&] { order.push_back(made.link.place); };  // one thread retires at a time
  }
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < threadCount; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < each; ++i) {
          its->submit(all[std::size_t(t * each + i)], {});
          if (i % 10 == 0) its->wait(its->lastSubmitted(), all[std::size_t(t * each + i)]);
        }
      });
  }
  Noted last(fill(*memory, 16, 1));
  its->submit(last, {});
  its->wait(its->lastSubmitted(), last);
  ASSERT_EQ(order.size(), all.size());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i + 1);
  for (const Noted& one : all) EXPECT_EQ(one.completed, 1);
  expectOrder(*its);
}

// The predecessor of an operation is in another stream queue, and deferred there.
TEST_F(CudaStreamQueue, afterWhatIsDeferredElsewhere) {
  const auto first = queue(), second = queue();
  std::vector<std::byte> source(unstagedBytes, std::byte{5}), target(unstagedBytes);
  for (int i = 0; i < 20; ++i) {
    std::ranges::fill(target, std::byte{});
    Noted written(write(*memory, source)), copied(read(target, *memory));
    first->submit(written, {});
    second->submit(copied, {{first, written.link.place}});
    second->wait(copied.link.place, copied);
    EXPECT_TRUE(written.ended()) << "it ends before what comes after it";
    EXPECT_EQ(target, source);
    first->wait(written.link.place, written);
  }
}

// The one that ends submits the next one.
TEST_F(CudaStreamQueue, submissionsInsideComplete) {
  const auto its = queue();
  std::deque<Noted> all;
  for (int i = 0; i < 30; ++i) all.emplace_back(fill(*memory, 16, 1));
  for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i].then = [&, i] { its->submit(all[i + 1], {}); };
  its->submit(all.front(), {});
  while (!all.back().ended()) its->wait(its->lastSubmitted(), all.back());
  for (const Noted& one : all) EXPECT_EQ(one.completed, 1);
}

// A thread that submits does not wait while the driver is given an operation of another stream queue, or a thread
// waits.
TEST_F(CudaStreamQueue, submittingWhileAThreadWaits) {
  const auto its = queue();
  Noted first(fill(*memory, 16, 1)), second(fill(*memory, 16, 2));
  delay(2000);
  its->submit(first, {});
  std::jthread waiter([&] { its->wait(1, first); });
  its->submit(second, {});
  EXPECT_TRUE(its->hasIssued(2));
  its->wait(2, second);
}

}  // namespace
}  // namespace clarity::test
