// SPDX-License-Identifier: Apache-2.0
// This file tests how the grains of a launch are divided among threads.
#include "device/cpu/shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

using device::cpu::Shares;

std::uint64_t aQuarter(std::uint64_t left) { return std::max<std::uint64_t>(1, left / 4); }
std::uint64_t all(std::uint64_t left) { return left; }

TEST(Shares, ofAllThreadsAreEachGrainOnce) {
  for (const std::uint64_t total : {1, 2, 7, 64, 1000, 4097})
    for (const unsigned threads : {1u, 2u, 3u, 16u, 64u, 100u})
      for (const std::uint64_t unit : {1, 5, 64})
        for (const std::uint64_t done : {std::uint64_t{0}, std::uint64_t{1}, total / 2, total}) {
          SCOPED_TRACE(testing::Message() << total << ' ' << threads << ' ' << unit << ' ' << done);
          Shares shares(done, total, {.row = unit}, threads);
          std::vector<std::atomic<int>> executed(total);
          std::vector<std::thread> others;
          const auto work = [&](unsigned thread) {
            Shares::Seat seat(shares, thread);
            for (std::uint64_t begin = 0, end = 0; shares.take(seat, aQuarter, begin, end);)
              for (std::uint64_t i = begin; i < end; ++i) ++executed[i];
          };
          // Fewer threads than there are runs: they take those of the others, too.
          others.emplace_back(work, 1);
          work(0);
          others.front().join();
          for (std::uint64_t i = 0; i < total; ++i) EXPECT_EQ(executed[i], i < done ? 0 : 1) << i;
        }
}

/// Each thread begins with its own part, which does not depend on what others do, nor on how much was done before.
TEST(Shares, beginWithTheThreadsOwn) {
  constexpr std::uint64_t total = 1603, unit = 10;
  constexpr unsigned threads = 16;
  Shares shares(25, total, {.row = unit}, threads);
  for (unsigned thread = threads; thread-- > 0;) {
    Shares::Seat seat(shares, thread);
    std::uint64_t begin = 0, end = 0;
    ASSERT_TRUE(shares.take(seat, all, begin, end));
    EXPECT_EQ(begin, std::max<std::uint64_t>(25, thread * total / threads / unit * unit));
    EXPECT_EQ(end, thread + 1 == threads ? total : (thread + 1) * total / threads / unit * unit);
  }
}

/// Work-groups that run together do not leave threads without any.
TEST(Shares, ofFewBundlesAreForAllThreads) {
  constexpr unsigned threads = 16;
  for (const std::uint64_t total : {16, 17, 32, 100, 300, 1000, 1600}) {
    SCOPED_TRACE(total);
    Shares shares(0, total, {.bundle = 16}, threads);
    std::uint64_t most = 0;
    for (unsigned thread = threads; thread-- > 0;) {
      Shares::Seat seat(shares, thread);
      std::uint64_t begin = 0, end = 0;
      ASSERT_TRUE(shares.take(seat, all, begin, end));
      most = std::max(most, end - begin);
    }
    EXPECT_LE(most, total / threads * 5 / 4 + 1);
  }
}

TEST(Shares, ofManyBundlesAreWholeOnes) {
  Shares shares(0, 1000, {.bundle = 16}, 3);
  for (unsigned thread = 3; thread-- > 0;) {
    Shares::Seat seat(shares, thread);
    std::uint64_t begin = 0, end = 0;
    ASSERT_TRUE(shares.take(seat, all, begin, end));
    EXPECT_EQ(begin % 16, 0);
  }
}

/// The time until all threads have ended, where a grain takes `costs`, as a multiple of what it takes at the least.
double timeOf(const std::vector<double>& costs, unsigned threads) {
  Shares shares(0, costs.size(), {}, threads);
  std::vector<Shares::Seat> seats;
  for (unsigned thread = 0; thread < threads; ++thread) seats.emplace_back(shares, thread);
  std::vector<double> busy(threads);  // until when
  double last = 0, sum = 0;
  const auto part = [&](std::uint64_t left) { return std::max<std::uint64_t>(1, shares.fairPart(left)); };
  for (;;) {
    const auto first = static_cast<std::size_t>(std::ranges::min_element(busy) - busy.begin());
    std::uint64_t begin = 0, end = 0;
    if (!shares.take(seats[first], part, begin, end)) break;
    for (; begin < end; ++begin) {
      busy[first] += costs[begin];
      sum += costs[begin];
    }
    last = std::max(last, busy[first]);
  }
  return last * threads / sum;
}

/// Others help the thread whose run takes longest before it has taken much of it.
TEST(Shares, ofUnequalWorkEndTogether) {
  constexpr unsigned threads = 16;
  constexpr std::size_t total = 8192;
  std::vector<double> atTheEnd(total, 1), growing(total);
  std::fill(atTheEnd.end() - total / threads, atTheEnd.end(), 20);
  for (std::size_t i = 0; i < total; ++i) growing[i] = static_cast<double>(i * i);
  EXPECT_LT(timeOf(atTheEnd, threads), 1.1);
  EXPECT_LT(timeOf(growing, threads), 1.05);
  std::ranges::reverse(atTheEnd);
  EXPECT_LT(timeOf(atTheEnd, threads), 1.1);
}

}  // namespace
}  // namespace clarity::test
