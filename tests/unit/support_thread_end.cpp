// SPDX-License-Identifier: Apache-2.0
// This file tests functions that run when a thread ends, and the reserve of a thread.
#include "support/memory_reserve.h"
#include "support/thread_end.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace clarity::support {
namespace {

constexpr int many = 100;

/// The order in which functions were called.
std::vector<int> calls;

void note(void* number) { calls.push_back(static_cast<int>(reinterpret_cast<std::intptr_t>(number))); }

void* numbered(int number) { return reinterpret_cast<void*>(static_cast<std::intptr_t>(number)); }

TEST(ThreadEnd, functionsRunWithTheThreadsEndLastFirst) {
  calls.clear();
  std::thread([] {
    for (int i = 0; i < many; ++i) EXPECT_TRUE(atThreadEnd(note, numbered(i)));
    EXPECT_TRUE(calls.empty());
  }).join();
  ASSERT_EQ(calls.size(), static_cast<std::size_t>(many));
  for (int i = 0; i < many; ++i) EXPECT_EQ(calls[static_cast<std::size_t>(i)], many - 1 - i);
}

TEST(ThreadEnd, aFunctionMayRegisterAnother) {
  calls.clear();
  std::thread([] {
    atThreadEnd(
        [](void* number) {
          note(number);
          atThreadEnd(note, numbered(2));
        },
        numbered(1));
  }).join();
  EXPECT_EQ(calls, (std::vector<int>{1, 2}));
}

TEST(ThreadEnd, threadsHaveListsOfTheirOwn) {
  calls.clear();
  std::thread([] {
    atThreadEnd(note, numbered(1));
    std::thread([] { atThreadEnd(note, numbered(2)); }).join();
    EXPECT_EQ(calls, (std::vector<int>{2}));
  }).join();
  EXPECT_EQ(calls, (std::vector<int>{2, 1}));
}

TEST(MemoryReserve, isSpentPieceByPieceAndThenGone) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer looks for leaks in the program's variables, of which the reserve of loading is one";
#endif
  MemoryReserve::endOfLoading();
  EXPECT_FALSE(MemoryReserve::spend());
  {
    const MemoryReserve outer;
    EXPECT_FALSE(MemoryReserve::spent());
    int pieces = 0;
    {
      const MemoryReserve inner;
      while (pieces < many && MemoryReserve::spend()) ++pieces;
      EXPECT_GT(pieces, 1);
      EXPECT_LT(pieces, many);
    }
    EXPECT_TRUE(MemoryReserve::spent());
  }
  EXPECT_FALSE(MemoryReserve::spent());
  const MemoryReserve next;
  std::thread([] { EXPECT_FALSE(MemoryReserve::spend()) << "the reserve of another thread"; }).join();
  EXPECT_TRUE(MemoryReserve::spend());
}

}  // namespace
}  // namespace clarity::support
