// SPDX-License-Identifier: Apache-2.0
// This file tests that whatever happens on a compile thread comes back as a status.
#include "compiler/guard/worker.h"
#include "compiler_host.h"

#include "watched_child.h"

#include <gtest/gtest.h>

#include <pthread.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace llvm {
[[noreturn]] void report_fatal_error(const char* reason, bool generateCrashDiagnostics);
[[noreturn]] void report_bad_alloc_error(const char* reason, bool generateCrashDiagnostics);
}  // namespace llvm

namespace clarity::compiler {
namespace {

TEST(CompileThread, runsOnAnotherThreadAndReturns) {
  std::string log;
  pthread_t where = pthread_self();
  EXPECT_EQ(runGuarded([&] { where = pthread_self(); }, log), Status::Ok);
  EXPECT_FALSE(pthread_equal(where, pthread_self()));
  EXPECT_EQ(log, "");
}

TEST(CompileThread, nestedCallsStayOnTheirThread) {
  std::string log;
  bool same = false;
  EXPECT_EQ(runGuarded(
                [&] {
                  const pthread_t outer = pthread_self();
                  std::string inner;
                  runGuarded([&] { same = pthread_equal(outer, pthread_self()); }, inner);
                },
                log),
            Status::Ok);
  EXPECT_TRUE(same);
}

TEST(CompileThread, exceptionsBecomeStatuses) {
  std::string log;
  EXPECT_EQ(runGuarded([] { throw std::bad_alloc(); }, log), Status::OutOfMemory);
  EXPECT_EQ(log, "error: not enough memory to compile the program\n");
  log.clear();
  EXPECT_EQ(runGuarded([] { throw std::runtime_error("the reason"); }, log), Status::Internal);
  EXPECT_EQ(log, "error: internal compiler error: the reason\n");
}

TEST(CompileThread, aFaultEndsTheWorkAndNotTheProcess) {
  for (int i = 0; i < 10; ++i) {
    std::string log;
    EXPECT_EQ(runGuarded([] { *reinterpret_cast<volatile int*>(16) = 1; }, log), Status::Internal);
    EXPECT_EQ(log, "error: internal compiler error: wrote to address 0x10, which it may not access\n");
    EXPECT_EQ(runGuarded([] {}, log), Status::Ok);
  }
}

TEST(CompileThread, whatLlvmCallsFatalEndsTheWork) {
  std::string log;
  EXPECT_EQ(runGuarded([] { llvm::report_fatal_error("no such register", true); }, log), Status::Internal);
  EXPECT_EQ(log, "error: internal compiler error: no such register\n");
  log.clear();
  EXPECT_EQ(runGuarded([] { llvm::report_bad_alloc_error("Allocation failed", true); }, log), Status::OutOfMemory);
  EXPECT_EQ(log, "error: not enough memory to compile the program\n");
}

// Not a leaf, and not a tail call: every level keeps its frame.
[[gnu::noinline]] std::size_t fall(volatile char* above) {
  volatile char here[512];
  here[0] = above ? above[0] : 1;
  if (here[0] != 1) return 0;
  return fall(here) + static_cast<std::size_t>(here[0]);
}

TEST(CompileThread, theEndOfTheStackIsTheProgramsFault) {
  if (threadSanitized) GTEST_SKIP() << "the sanitizer ends the process by itself";
  std::string log;
  EXPECT_EQ(runGuarded([] { fall(nullptr); }, log), Status::CompileFailure);
  EXPECT_EQ(log, "error: the program is nested too deeply: the compiler has used up its stack\n");
}

TEST(CompileThread, halfMadeThingsAreNotTouched) {
  struct Tripwire {
    bool armed = false;
    ~Tripwire() { EXPECT_FALSE(armed); }
  };
  Status status;
  std::string log;
  const auto made = makeGuarded<Tripwire>(
      [](Tripwire& t) {
        static Tripwire* lost;  // what is given up on purpose is no leak to the sanitizer
        lost = &t;
        lost->armed = true;
        *reinterpret_cast<volatile int*>(16) = 1;
      },
      status, log);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(status, Status::Internal);
}

TEST(CompileThread, hasRoomOnItsStackAndNoneOfTheApplicationsSignals) {
  std::string log;
  std::size_t size = 0;
  bool blocksUser = false, blocksFault = true;
  runGuarded(
      [&] {
        pthread_attr_t attributes;
        pthread_getattr_np(pthread_self(), &attributes);
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
        sigset_t mask;
        pthread_sigmask(SIG_BLOCK, nullptr, &mask);
        blocksUser = sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGCHLD);
        blocksFault = sigismember(&mask, SIGSEGV);
      },
      log);
  EXPECT_GE(size, 16u << 20);
  EXPECT_TRUE(blocksUser);
  EXPECT_FALSE(blocksFault);
}

TEST(CompileThread, manyAtOnce) {
  std::atomic<int> done{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 20; ++k) {
          std::string log;
          if (runGuarded([&] { ++done; }, log) != Status::Ok) done = -100000;
        }
      });
  }
  EXPECT_EQ(done, 320);
}

TEST(CompileThread, aChildOfForkHasWorkersOfItsOwn) {
  if (threadSanitized) GTEST_SKIP() << "the sanitizer allows no threads in a child";
  std::string log;
  ASSERT_EQ(runGuarded([] {}, log), Status::Ok);  // a thread waits idly in this process now, and in no child
  const pid_t child = ::fork();
  if (child == 0) {
    std::string childLog;
    bool ran = false;
    const Status status = runGuarded([&] { ran = true; }, childLog);
    ::_exit(status == Status::Ok && ran ? 0 : 1);
  }
  const test::Ending ending = test::endingOf(child);
  EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
}

}  // namespace
}  // namespace clarity::compiler
