// SPDX-License-Identifier: Apache-2.0
// This file tests that faults stay guarded whatever an application does to its signals, and that its handlers get what
// is not guarded.
#include "support/fault_guard.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <csetjmp>
#include <cstdint>
#include <thread>

namespace clarity::test {
namespace {

using support::Fault;
using support::FaultGuard;

#if !__has_feature(thread_sanitizer)  // which has handlers of its own, and calls the application's later

[[gnu::noinline]] void fault() { *reinterpret_cast<volatile char*>(std::uintptr_t{16}) = 1; }

bool guardedFaultEnds() {
  Fault out;
  return !FaultGuard::run([] { fault(); }, out) && out.signal == SIGSEGV;
}

/// Until the next guard looks at the signals of this thread.
void waitForLook() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2 * FaultGuard::lookIntervalMilliseconds + 1));
}

struct sigaction handler(void (*function)(int), int flags = 0) {
  struct sigaction action = {};
  action.sa_handler = function;
  action.sa_flags = flags;
  return action;
}

struct sigaction previous;

using FaultHandlersDeathTest = testing::Test;

TEST(FaultHandlers, areInstalledAgainWhenTheApplicationHasReplacedThem) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(guardedFaultEnds());
    const struct sigaction theirs = handler([](int) { _exit(3); });
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaction(each, &theirs, nullptr);
    waitForLook();
    ASSERT_TRUE(guardedFaultEnds());
  }
}

TEST(FaultHandlers, areInstalledAgainWhereSignalsAreIgnoredOrStandard) {
  for (const auto action : {SIG_IGN, SIG_DFL}) {
    ASSERT_TRUE(guardedFaultEnds());
    signal(SIGSEGV, action);
    waitForLook();
    ASSERT_TRUE(guardedFaultEnds());
  }
}

TEST_F(FaultHandlersDeathTest, theLatestHandlerOfTheApplicationGetsTheRest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        guardedFaultEnds();
        signal(SIGSEGV, [](int) { _exit(41); });
        waitForLook();
        guardedFaultEnds();
        signal(SIGSEGV, [](int) { _exit(42); });
        waitForLook();
        guardedFaultEnds();
        fault();
      },
      testing::ExitedWithCode(42), "");
}

// As Python's faulthandler does: it calls what it has replaced, which is ours, which has replaced it.
TEST_F(FaultHandlersDeathTest, aHandlerMayCallTheOneThatItHasReplaced) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, [](int) { _exit(40); });
        guardedFaultEnds();
        struct sigaction theirs = {};
        theirs.sa_flags = SA_SIGINFO | SA_ONSTACK;
        theirs.sa_sigaction = [](int number, siginfo_t* info, void* context) {
          [[maybe_unused]] const auto written = write(2, "theirs\n", 7);
          previous.sa_sigaction(number, info, context);
        };
        sigaction(SIGSEGV, &theirs, &previous);
        waitForLook();
        guardedFaultEnds();
        fault();
      },
      testing::ExitedWithCode(40), "^theirs\n$");
}

// Each calls the other one: the process ends all the same.
TEST_F(FaultHandlersDeathTest, aCircleOfHandlersEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        guardedFaultEnds();
        struct sigaction theirs = {};
        theirs.sa_flags = SA_SIGINFO | SA_ONSTACK;
        theirs.sa_sigaction = [](int number, siginfo_t* info, void* context) {
          previous.sa_sigaction(number, info, context);
        };
        for (int round = 0; round < 20; ++round) {
          sigaction(SIGSEGV, &theirs, &previous);
          waitForLook();
          guardedFaultEnds();
        }
        fault();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

// As Python's faulthandler.disable() does.
TEST_F(FaultHandlersDeathTest, aHandlerThatWasTakenBackIsNotCalled) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, [](int) { _exit(40); });
        guardedFaultEnds();
        const struct sigaction theirs = handler([](int) { _exit(41); });
        sigaction(SIGSEGV, &theirs, &previous);
        waitForLook();
        guardedFaultEnds();
        sigaction(SIGSEGV, &previous, nullptr);
        waitForLook();
        guardedFaultEnds();
        fault();
      },
      testing::ExitedWithCode(40), "");
}

TEST_F(FaultHandlersDeathTest, aHandlerForOneSignalIsCalledOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        guardedFaultEnds();
        const struct sigaction theirs =
            handler([](int) { [[maybe_unused]] const auto written = write(2, "once\n", 5); }, SA_RESETHAND);
        sigaction(SIGSEGV, &theirs, nullptr);
        waitForLook();
        guardedFaultEnds();
        fault();
      },
      testing::KilledBySignal(SIGSEGV), "^once\n$");
}

sigjmp_buf recovery;

TEST(FaultHandlers, aHandlerOfTheApplicationMayJumpAway) {
  ASSERT_TRUE(guardedFaultEnds());
  const struct sigaction theirs = handler([](int) { siglongjmp(recovery, 1); });
  sigaction(SIGSEGV, &theirs, nullptr);
  waitForLook();
  ASSERT_TRUE(guardedFaultEnds());
  static volatile int jumps = 0;
  while (jumps < 20) {
    if (sigsetjmp(recovery, 1) == 0) {
      fault();
      FAIL();
    }
    jumps = jumps + 1;
    ASSERT_TRUE(guardedFaultEnds());
  }
}

TEST(FaultHandlers, threadsThatBlockTheSignals) {
  std::thread([] {
    sigset_t all, after;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (int round = 0; round < 10; ++round) ASSERT_TRUE(guardedFaultEnds());
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGSEGV), 1) << "the thread's mask is another one";
    EXPECT_EQ(sigismember(&after, SIGUSR1), 1);
  }).join();
  std::thread([] {
    ASSERT_TRUE(guardedFaultEnds());
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &faults, nullptr);
    waitForLook();
    ASSERT_TRUE(guardedFaultEnds());
  }).join();
}

// A frame is smaller than the page below the stack, also with a sanitizer's zones.
[[gnu::noinline]] int overflow(volatile char* outer, int n) {
  volatile char mine[1024];
  mine[0] = outer ? outer[0] : 1;
  return n < 0 ? mine[0] : overflow(mine, n + 1) + mine[0];
}

TEST(FaultHandlers, anAlternateStackThatWasTakenAwayIsReplaced) {
  std::thread([] {
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(guardedFaultEnds());
      stack_t off = {};
      off.ss_flags = SS_DISABLE;
      ASSERT_EQ(sigaltstack(&off, nullptr), 0);
      waitForLook();
      Fault out;
      volatile int result = 0;
      ASSERT_FALSE(FaultGuard::run([&] { result = overflow(nullptr, 0); }, out));
      ASSERT_TRUE(out.stackOverflow);
    }
  }).join();
}

TEST(FaultHandlers, theApplicationsAlternateStackIsKept) {
  std::thread([] {
    static char memory[1 << 16];
    stack_t theirs = {};
    theirs.ss_sp = memory;
    theirs.ss_size = sizeof memory;
    ASSERT_EQ(sigaltstack(&theirs, nullptr), 0);
    ASSERT_TRUE(guardedFaultEnds());
    stack_t after = {};
    ASSERT_EQ(sigaltstack(nullptr, &after), 0);
    EXPECT_EQ(after.ss_sp, static_cast<void*>(memory));
    theirs.ss_flags = SS_DISABLE;
    sigaltstack(&theirs, nullptr);
  }).join();
}

// A handler that faults itself after a fault: the process ends, and does not try again.
TEST_F(FaultHandlersDeathTest, aSecondFaultIsNotGuarded) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        alarm(120);
        Fault out;
        FaultGuard::run(
            [] {
              // All of this thread's stack that guards may have used is gone.
              auto* const here = static_cast<char*>(__builtin_frame_address(0));
              const auto page = reinterpret_cast<std::uintptr_t>(here) & ~std::uintptr_t{4095};
              mprotect(reinterpret_cast<void*>(page), 8192, PROT_NONE);
              fault();
            },
            out);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

#endif

}  // namespace
}  // namespace clarity::test
