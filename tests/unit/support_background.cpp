// SPDX-License-Identifier: Apache-2.0
// This file tests threads that nobody waits for at once.
#include "support/background.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace clarity::test {
namespace {

TEST(SupportBackground, RunsEverythingThatIsGiven) {
  std::mutex mutex;
  std::condition_variable changed;
  int ran = 0;
  for (int i = 0; i < 20; ++i)
    support::runInBackground([&] {
      const std::lock_guard lock(mutex);
      ++ran;
      changed.notify_all();
    });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ran == 20; });
  EXPECT_EQ(ran, 20);
}

// All of it runs, and no more at a time than there are processors.
TEST(SupportBackground, WhenIdleRunsEverythingInTurn) {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned ran = 0, now = 0, most = 0;
  for (int i = 0; i < 200; ++i)
    support::runWhenIdle([&] {
      {
        const std::lock_guard lock(mutex);
        most = std::max(most, ++now);
      }
      std::this_thread::yield();
      const std::lock_guard lock(mutex);
      --now;
      ++ran;
      changed.notify_all();
    });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ran == 200; });
  EXPECT_GE(most, 1u);
  EXPECT_LE(most, std::max(1u, std::thread::hardware_concurrency()));
}

// What runs may ask for more.
TEST(SupportBackground, WorkMayAddWork) {
  std::mutex mutex;
  std::condition_variable changed;
  int ran = 0;
  std::function<void(int)> add = [&](int left) {
    support::runWhenIdle([&, left] {
      if (left > 0) add(left - 1);
      const std::lock_guard lock(mutex);
      ++ran;
      changed.notify_all();
    });
  };
  add(9);
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ran == 10; });
  EXPECT_EQ(ran, 10);
}

}  // namespace
}  // namespace clarity::test
