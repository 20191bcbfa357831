// SPDX-License-Identifier: Apache-2.0
// This file tests in which order the operations of a stream queue get their turns.
#include "device/cuda/issue_order.h"

#include "device/cuda/launch_batch.h"
#include "fixture.h"

#include <deque>
#include <thread>

namespace clarity::test {
namespace {

using device::cuda::IssueOrder;
using device::cuda::LaunchBatch;

struct CudaIssueOrder : testing::Test {
  std::mutex mutex;
  IssueOrder order;
  std::deque<Noted> operations;

  Noted& add() {
    Noted& made = operations.emplace_back();
    order.add(made);
    return made;
  }
};

TEST_F(CudaIssueOrder, placesFollowEachOther) {
  for (std::uint64_t place = 1; place < 4; ++place) EXPECT_EQ(add().link.place, place);
  EXPECT_EQ(order.lastSubmitted(), 3U);
}

// Threads that come in another order than their operations were submitted in, and unlock the mutex in their turns.
TEST_F(CudaIssueOrder, turnsComeInTheOrderOfPlaces) {
  constexpr std::uint64_t count = 8;
  for (std::uint64_t i = 0; i < count; ++i) add();
  std::vector<std::uint64_t> issued;
  std::atomic<int> inTurn{0};
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t place = count; place > 0; --place)
      threads.emplace_back([&, place] {
        std::unique_lock lock(mutex);
        order.takeTurn(lock, place);
        lock.unlock();
        EXPECT_EQ(++inTurn, 1);
        issued.push_back(place);
        --inTurn;
        lock.lock();
        order.endTurn(place);
      });
  }
  EXPECT_EQ(issued, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(CudaIssueOrder, whatComesBehindADeferredOneIsDeferred) {
  std::unique_lock lock(mutex);
  EXPECT_FALSE(order.defers());
  Noted &first = add(), &second = add();
  order.defer(first);
  order.defer(second);
  EXPECT_TRUE(order.hasDeferred());
  EXPECT_EQ(&order.claimDeferred(lock), &first);
  EXPECT_TRUE(order.defers());
  EXPECT_FALSE(order.hasDeferred()) << "one thread at a time";
  order.endDeferred(first.link.place);
  EXPECT_EQ(&order.claimDeferred(lock), &second);
  EXPECT_TRUE(order.defers()) << "it is being issued";
  order.endDeferred(second.link.place);
  EXPECT_FALSE(order.defers());
}

TEST_F(CudaIssueOrder, whoFlushesTheBatch) {
  std::unique_lock lock(mutex);
  EXPECT_FALSE(order.takeTurnToFlush(lock)) << "it is empty";
  for (std::size_t i = 1; i <= LaunchBatch::most; ++i) {
    Noted& launch = add();
    order.takeTurn(lock, launch.link.place);
    EXPECT_FALSE(order.tryTurnToFlush()) << "a thread has the turn";
    EXPECT_TRUE(order.hasRoom(1));
    order.addToBatch(launch, 1);
    EXPECT_EQ(order.hasRoom(1), i < LaunchBatch::most);
    order.endTurn(launch.link.place);
  }
  ASSERT_TRUE(order.takeTurnToFlush(lock));
  EXPECT_EQ(order.clearBatch(), LaunchBatch::most);
  order.endTurnToFlush();
  Noted& last = add();
  order.takeTurn(lock, last.link.place);
  order.addToBatch(last, 1);
  order.endTurn(last.link.place);
  order.defer(add());
  EXPECT_FALSE(order.takeTurnToFlush(lock)) << "the issuer does";
}

// A thread that is to flush waits for who has the turn, but not for the issuer, whose turn may be long.
TEST_F(CudaIssueOrder, flushingDoesNotWaitForTheIssuer) {
  std::unique_lock lock(mutex);
  Noted& launch = add();
  order.takeTurn(lock, launch.link.place);
  order.addToBatch(launch, 1);
  std::atomic<bool> returned{false};
  std::jthread flusher([&] {
    std::unique_lock its(mutex);
    EXPECT_FALSE(order.takeTurnToFlush(its));
    returned = true;
    returned.notify_all();
  });
  order.defer(add());
  lock.unlock();
  returned.wait(false);
  lock.lock();
  order.endTurn(launch.link.place);
}

TEST_F(CudaIssueOrder, rows) {
  int quick = 0;  // again where this thread was late
  for (; !order.isInRow(true); ++quick) order.endSubmission();
  EXPECT_GE(quick, 32);
  order.endRow();
  EXPECT_FALSE(order.isInRow(true));
  for (; !order.isInRow(true);) order.endSubmission();
  EXPECT_FALSE(order.isInRow(false)) << "not a launch";
  EXPECT_FALSE(order.isInRow(true)) << "the first one after that";
}

}  // namespace
}  // namespace clarity::test
