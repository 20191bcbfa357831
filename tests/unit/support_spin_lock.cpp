// SPDX-License-Identifier: Apache-2.0
// This file tests the spin lock with more threads than there are processors, and with one that holds it for long.
#include "support/spin_lock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace clarity::support {
namespace {

TEST(SpinLocks, letOneThreadInAtATime) {
  constexpr int threads = 8, rounds = 20000;
  SpinLock lock;
  long count = 0;  // which ThreadSanitizer watches
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        const std::lock_guard guard(lock);
        ++count;
      }
    });
  for (std::thread& each : all) each.join();
  EXPECT_EQ(count, long{threads} * rounds);
}

TEST(SpinLocks, areWaitedForAsLongAsTheyAreHeld) {
  SpinLock lock;
  bool done = false;
  std::unique_lock held(lock);
  std::thread other([&] {
    const std::lock_guard guard(lock);
    EXPECT_TRUE(done);
  });
  EXPECT_FALSE(lock.try_lock());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  done = true;
  held.unlock();
  other.join();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

}  // namespace
}  // namespace clarity::support
