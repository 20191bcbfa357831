// SPDX-License-Identifier: Apache-2.0
// This file tests threads that share work.
#include "device/host/worker_threads.h"
#include "device/host/workers.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace clarity::test {
namespace {

using device::host::WorkerThreads;

template <class Body>
void share(unsigned others, Body&& body) {
  using Function = std::remove_reference_t<Body>;
  WorkerThreads::get().run([](void* function) { (*static_cast<Function*>(function))(); }, &body, others);
}

/// Returns when so many threads have called it: they execute the body at the same time.
void meet(std::atomic<unsigned>& arrived, unsigned threads) {
  ++arrived;
  while (arrived < threads) std::this_thread::yield();
}

/// Takes numbers below `count` until there are none left.
void addAll(std::atomic<unsigned>& next, std::atomic<std::uint64_t>& sum, unsigned count) {
  for (unsigned i = next++; i < count; i = next++) sum += i;
}

TEST(WorkerThreads, executeTheBodyTogether) {
  for (const unsigned others : {0u, 1u, 3u, 7u}) {
    std::atomic<unsigned> arrived{0};
    share(others, [&] { meet(arrived, others + 1); });
    EXPECT_EQ(arrived, others + 1);
  }
}

TEST(WorkerThreads, areEnoughForAllWorkAtOnce) {
  constexpr unsigned callers = 3, others = 6;
  WorkerThreads::get().allow(callers * others);
  std::atomic<unsigned> arrived{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < callers; ++i)
    threads.emplace_back([&] { share(others, [&] { meet(arrived, callers * (others + 1)); }); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(arrived, callers * (others + 1));
}

/// Two halves of a device, each with work of its own, have all of its threads.
TEST(Workers, areSharedByPartsOfADevice) {
  constexpr unsigned units = 24;
  const device::host::Workers all(units);
  device::host::Workers half(units / 2);
  std::atomic<unsigned> arrived{0};
  const auto work = [&] { half.run([&] { meet(arrived, units); }); };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(arrived, units);
}

/// R: it runs or could, S: it sleeps.
char stateOf(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name = text.rfind(") ");
  return name == std::string::npos ? '?' : text[name + 2];
}

/// The share of another thread ends when this one sleeps: it takes no processor's time while it waits.
TEST(WorkerThreads, letTheOneThatWaitsForThemSleep) {
  const pid_t owner = ::gettid();
  for (int i = 0; i < 3; ++i) {
    std::atomic<unsigned> arrived{0};
    share(1, [&] {
      meet(arrived, 2);
      while (::gettid() != owner && stateOf(owner) != 'S') ::usleep(1000);
    });
  }
}

TEST(WorkerThreads, areNoMoreThanWanted) {
  std::atomic<unsigned> all{0};
  share(7, [&] { meet(all, 8); });  // so many are there
  for (int i = 0; i < 200; ++i) {
    std::atomic<unsigned> now{0}, most{0}, next{0};
    share(2, [&] {
      const unsigned here = ++now;
      for (unsigned seen = most; seen < here && !most.compare_exchange_weak(seen, here);) continue;
      while (next++ < 20) std::this_thread::yield();
      --now;
    });
    EXPECT_LE(most, 3u);
    EXPECT_EQ(now, 0u);  // all have returned
  }
}

TEST(WorkerThreads, sleepAndWakeUp) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<unsigned> arrived{0};
    share(3, [&] { meet(arrived, 4); });
    ::usleep(1000);
  }
}

/// More threads than may share work at the same time, each with work of its own; the results of all are complete.
TEST(WorkerThreads, haveManyCallersAtOnce) {
  constexpr unsigned callers = 40, rounds = 100, count = 500;
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned caller = 0; caller < callers; ++caller)
    threads.emplace_back([&] {
      for (unsigned round = 0; round < rounds; ++round) {
        std::atomic<unsigned> next{0};
        std::atomic<std::uint64_t> sum{0};
        share(3, [&] { addAll(next, sum, count); });
        wrong += sum != std::uint64_t{count} * (count - 1) / 2;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
}

TEST(WorkerThreads, shareWorkWithinWork) {
  std::atomic<std::uint64_t> sum{0};
  std::atomic<unsigned> outer{0};
  share(3, [&] {
    while (outer++ < 100) {
      std::atomic<unsigned> next{0};
      share(2, [&] { addAll(next, sum, 100); });
    }
  });
  EXPECT_EQ(sum, 100u * 4950u);
}

TEST(WorkerThreads, ofAForkedProcessAreItsOwn) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer ends a forked process that starts threads";
#endif
#endif
  std::atomic<unsigned> arrived{0};
  share(3, [&] { meet(arrived, 4); });
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(60);  // a child that waits for threads it does not have
    // It may give itself fewer processors, which its threads keep to.
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
    ::sched_setaffinity(0, sizeof one, &one);
    std::atomic<unsigned> there{0}, elsewhere{0};
    share(3, [&] {
      meet(there, 4);
      cpu_set_t its;
      if (::sched_getaffinity(0, sizeof its, &its) != 0 || !CPU_EQUAL(&its, &one)) ++elsewhere;
    });
    ::_exit(there == 4 && elsewhere == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace clarity::test
