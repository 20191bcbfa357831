// SPDX-License-Identifier: Apache-2.0
// This file tests that faults end a guarded call and nothing else.
#include "support/fault_guard.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

using support::Fault;
using support::FaultGuard;

/// A page without any access rights.
struct ForbiddenPage {
  char* page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ~ForbiddenPage() { munmap(page, 4096); }
};

[[gnu::noinline]] void writeTo(volatile char* at) { *at = 1; }
[[gnu::noinline]] int readFrom(const volatile char* at) { return *at; }

TEST(FaultGuard, returnsTrueWhenTheFunctionReturns) {
  Fault fault;
  int calls = 0;
  EXPECT_TRUE(FaultGuard::run([&] { ++calls; }, fault));
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(FaultGuard::active());
}

TEST(FaultGuard, tellsWhatWasWrittenWhere) {
  const ForbiddenPage forbidden;
  Fault fault;
  EXPECT_FALSE(FaultGuard::run([&] { writeTo(forbidden.page + 24); }, fault));
  EXPECT_EQ(fault.signal, SIGSEGV);
  EXPECT_EQ(fault.address, forbidden.page + 24);
#if defined(__x86_64__)
  EXPECT_EQ(fault.access, Fault::Access::Write);
#endif
  EXPECT_FALSE(fault.stackOverflow);
  EXPECT_NE(fault.describe().find("wrote to address"), std::string::npos) << fault.describe();
  EXPECT_FALSE(FaultGuard::active());
}

TEST(FaultGuard, tellsWhatWasReadWhere) {
  const ForbiddenPage forbidden;
  Fault fault;
  EXPECT_FALSE(FaultGuard::run([&] { (void)readFrom(forbidden.page); }, fault));
  EXPECT_EQ(fault.address, forbidden.page);
  EXPECT_NE(fault.describe().find("read from address"), std::string::npos) << fault.describe();
}

TEST(FaultGuard, worksAgainAndAgain) {
  const ForbiddenPage forbidden;
  for (int i = 0; i < 1000; ++i) {
    Fault fault;
    ASSERT_FALSE(FaultGuard::run([&] { writeTo(forbidden.page + i); }, fault));
    ASSERT_EQ(fault.address, forbidden.page + i);
  }
}

TEST(FaultGuard, theInnermostGuardEnds) {
  const ForbiddenPage forbidden;
  Fault outer, inner;
  bool after = false;
  EXPECT_TRUE(FaultGuard::run(
      [&] {
        EXPECT_FALSE(FaultGuard::run([&] { writeTo(forbidden.page); }, inner));
        after = true;
      },
      outer));
  EXPECT_TRUE(after);
  EXPECT_EQ(inner.signal, SIGSEGV);
  EXPECT_EQ(outer.signal, 0);
}

TEST(FaultGuard, trapsAreFaults) {
  Fault fault;
  EXPECT_FALSE(FaultGuard::run([] { __builtin_trap(); }, fault));
  EXPECT_TRUE(fault.signal == SIGILL || fault.signal == SIGTRAP) << fault.signal;
}

#if defined(__x86_64__)
TEST(FaultGuard, divisionByZeroIsAFault) {
  Fault fault;
  EXPECT_FALSE(FaultGuard::run(
      [] {
        int quotient = 1, remainder = 0, divisor = 0;
        asm volatile("idivl %2" : "+a"(quotient), "+d"(remainder) : "r"(divisor));
      },
      fault));
  EXPECT_EQ(fault.signal, SIGFPE);
  EXPECT_NE(fault.describe().find("divided"), std::string::npos);
}
#endif

#if !__has_feature(thread_sanitizer)
// The handler runs on a stack of its own, and so the thread's may be full. No frame, sanitizers' zones around objects
// included, is as large as the page below a thread's stack: it would lead into the memory behind that.
[[gnu::noinline]] int deep(volatile char* outer, int n) {
  volatile char mine[1024];
  mine[0] = outer ? outer[0] : 1;
  return n < 0 ? mine[0] : deep(mine, n + 1) + mine[0];
}

TEST(FaultGuard, stackOverflowOfAThread) {
  std::thread([] {
    Fault fault;
    volatile int result = 0;
    EXPECT_FALSE(FaultGuard::run([&] { result = deep(nullptr, 0); }, fault));
    EXPECT_EQ(fault.signal, SIGSEGV);
    EXPECT_TRUE(fault.stackOverflow);
  }).join();
}
#endif

TEST(FaultGuard, everyThreadHasItsOwn) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      const ForbiddenPage forbidden;
      for (int i = 0; i < 200; ++i) {
        Fault fault;
        ASSERT_FALSE(FaultGuard::run([&] { writeTo(forbidden.page + i); }, fault));
        ASSERT_EQ(fault.address, forbidden.page + i);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(FaultGuard, exceptionsPassThrough) {
  Fault fault;
  EXPECT_THROW(FaultGuard::run([] { throw std::runtime_error("out"); }, fault), std::runtime_error);
  EXPECT_FALSE(FaultGuard::active());
}

TEST(FaultGuard, abandonLeavesWithItsText) {
  Fault fault;
  bool after = false;
  EXPECT_FALSE(FaultGuard::run(
      [&] {
        FaultGuard::abandon("the compiler gave up");
        after = true;
      },
      fault));
  EXPECT_FALSE(after);
  EXPECT_EQ(fault.signal, 0);
  EXPECT_EQ(fault.text, "the compiler gave up");
  EXPECT_EQ(fault.describe(), "the compiler gave up");
}

TEST(FaultGuard, abandonWithoutAGuardReturns) { FaultGuard::abandon("without a guard"); }

TEST(FaultGuard, outsideIsNotGuarded) {
  Fault fault;
  EXPECT_TRUE(FaultGuard::run(
      [] {
        EXPECT_TRUE(FaultGuard::active());
        const FaultGuard::Outside outside;
        EXPECT_FALSE(FaultGuard::active());
        FaultGuard::abandon("not taken");
      },
      fault));
}

/// Code that is outside nearly always, where requests to end it are lost, ends where it comes back.
TEST(FaultGuard, endsBehindWhatIsOutside) {
  std::atomic<bool> ended = false;
  const FaultGuard::Endable endable(&ended);
  Fault fault;
  unsigned rounds = 0;
  EXPECT_FALSE(FaultGuard::run(
      [&] {
        for (; rounds < 10; ++rounds) {
          {
            const FaultGuard::Outside outside;
            ended = rounds == 3;
            FaultGuard::endIfWanted();  // not in here
          }
          FaultGuard::endIfWanted();
        }
      },
      fault));
  EXPECT_EQ(rounds, 3U);
  EXPECT_EQ(fault.signal, 0);
  EXPECT_EQ(fault.text, "");
  FaultGuard::endIfWanted();  // without a guard
}

TEST(FaultGuard, aGuardInsideIsNotEnded) {
  const std::atomic<bool> ended = true;
  const FaultGuard::Endable endable(&ended);
  Fault outer, inner;
  bool isInnerWhole = false;
  EXPECT_FALSE(FaultGuard::run(
      [&] {
        isInnerWhole = FaultGuard::run([] { FaultGuard::endIfWanted(); }, inner);
        FaultGuard::endIfWanted();
      },
      outer));
  EXPECT_TRUE(isInnerWhole);
}

using FaultGuardDeathTest = testing::Test;

// A fault outside of a guard meets the handler that was there before: here the default, death by the signal.
TEST_F(FaultGuardDeathTest, otherFaultsStillKill) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Fault fault;
        FaultGuard::run([] {}, fault);
        writeTo(reinterpret_cast<volatile char*>(std::uintptr_t{16}));
      },
      "");
}

#if !__has_feature(thread_sanitizer)  // which keeps the handlers of the application to itself
// A handler that the application has installed before gets what is not ours.
TEST_F(FaultGuardDeathTest, theApplicationsHandlerGetsTheRest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, [](int) { _exit(42); });
        Fault fault;
        FaultGuard::run([] { writeTo(reinterpret_cast<volatile char*>(std::uintptr_t{16})); }, fault);
        writeTo(reinterpret_cast<volatile char*>(std::uintptr_t{16}));
      },
      testing::ExitedWithCode(42), "");
}
#endif

}  // namespace
}  // namespace clarity::test
