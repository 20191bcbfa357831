// SPDX-License-Identifier: Apache-2.0
// This file tests threads that no other thread waits for at once.
#include "support/background.h"

#include "watched_child.h"

#include <gtest/gtest.h>

#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
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

// Work that runs may ask for more.
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

std::atomic<bool> objectsGone{false};

struct Slow {
  ~Slow() {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    objectsGone = true;
  }
};

// Handlers of the process's end run in the reverse order: this one, which is registered first, when all threads are
// said to have ended.
TEST(SupportBackground, TheEndOfTheProcessWaitsForTheThreadsOwnObjects) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::alarm(60);
        std::atexit([] { ::_exit(objectsGone ? 0 : 1); });
        std::atomic<bool> another{false};  // that has ended before
        support::runInBackground([&] {
          another = true;
          another.notify_all();
        });
        another.wait(false);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        support::runInBackground([] { static thread_local const Slow slow; });
        std::exit(2);
      },
      testing::ExitedWithCode(0), "");
}

std::atomic<bool> working{false};

// Work that a fork waits for is started by another thread at that very moment, which needs what fork() locks. In a
// process of its own, where nothing has been started before.
TEST(SupportBackground, AForkMayWaitForWork) {
  const pid_t process = ::fork();
  ASSERT_NE(process, -1);
  if (process == 0) {
    constexpr int times = 200;
    if (!support::waitBeforeForks([] { working.wait(true); })) ::_exit(1);
    std::atomic<bool> over{false};
    std::thread starts([&] {
      for (int i = 0; i < times; ++i) {
        working = true;
        std::this_thread::yield();
        support::runInBackground([] {
          working = false;
          working.notify_all();
        });
        working.wait(true);
      }
      over = true;
    });
    while (!over) {
      const pid_t child = ::fork();
      // Not _exit(): in there ThreadSanitizer reports the thread that ended during fork, which the child does not have.
      if (child == 0) ::syscall(SYS_exit_group, 0);
      int status = -1;
      if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) ::_exit(1);
    }
    starts.join();
    ::_exit(0);
  }
  const Ending ending = endingOf(process);
  EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
}

}  // namespace
}  // namespace clarity::test
