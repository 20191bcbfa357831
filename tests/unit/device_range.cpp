// SPDX-License-Identifier: Apache-2.0
// This file tests where the CPU device's memory is: what is accessible, what is not, and what happens when addresses or
// memory are limited.
#include "device/cpu/device_range.h"

#include "device/cpu/allocator.h"
#include "device/cpu/worker_memory.h"
#include "faulting_access.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

using device::cpu::Allocator;
using device::cpu::DeviceRange;
using device::cpu::pageSize;
using device::cpu::Piece;

/// Some as large as a page, a slab, a huge page, and what lies between.
const std::vector<std::size_t> kSizes{1, 4096, 5000, 100'000, 1 << 20, 2 << 20, (5 << 20) + 13};

bool isZero(const std::byte* at, std::size_t bytes) {
  return std::all_of(at, at + bytes, [](std::byte each) { return each == std::byte{0}; });
}

void expectGuarded(const Piece& piece) {
  EXPECT_TRUE(isAccessible(piece.begin));
  EXPECT_TRUE(isAccessible(piece.end() - 1));
  EXPECT_FALSE(isAccessible(piece.begin - 1));
  EXPECT_FALSE(isAccessible(piece.end()));
}

TEST(DeviceRange, piecesLieBetweenInaccessibleAddresses) {
  // In a range, in one that is used up, and without any.
  for (const std::size_t most : {std::size_t{1} << 40, std::size_t{16} << 20, std::size_t{0}}) {
    SCOPED_TRACE(most);
    DeviceRange range(most);
    for (const std::size_t bytes : kSizes) {
      SCOPED_TRACE(bytes);
      std::vector<Piece> pieces;
      for (int i = 0; i < 3; ++i) {
        pieces.push_back(range.take(bytes));
        ASSERT_TRUE(pieces.back());
        EXPECT_GE(pieces.back().bytes, bytes);
        EXPECT_EQ(pieces.back().bytes % pageSize(), 0u);
        expectGuarded(pieces.back());
      }
      for (const Piece& piece : pieces) {
        range.release(piece);
        if (bytes >= device::cpu::hugePageBytes) EXPECT_FALSE(isAccessible(piece.begin));
      }
    }
  }
}

TEST(DeviceRange, noSignedIndexLeadsOutOfIt) {
  DeviceRange& range = DeviceRange::get();
  if (range.bytes() == 0) GTEST_SKIP() << "the addresses of this process are limited";
  for (const std::size_t bytes : kSizes) {
    const Piece piece = range.take(bytes);
    ASSERT_TRUE(piece);
    const std::ptrdiff_t far = (std::ptrdiff_t{1} << 31) * 16;
    EXPECT_TRUE(range.contains(piece.end() + far)) << bytes;
    EXPECT_TRUE(range.contains(piece.begin - far)) << bytes;
    range.release(piece);
  }
  int outside = 0;
  EXPECT_FALSE(range.contains(&outside));
  EXPECT_FALSE(range.contains(nullptr));
}

// Content of a piece may be seen in a later one of the same process, unless it says that it is zero.
TEST(DeviceRange, whatIsCalledZeroIsZero) {
  DeviceRange range(std::size_t{1} << 40);
  for (const std::size_t bytes : kSizes)
    for (int i = 0; i < 4; ++i) {
      const Piece piece = range.take(bytes);
      ASSERT_TRUE(piece);
      if (piece.zero) EXPECT_TRUE(isZero(piece.begin, piece.bytes)) << bytes;
      std::memset(piece.begin, 7, piece.bytes);
      range.release(piece);
    }
}

TEST(DeviceRange, manyPiecesOfAllSizesAreDistinct) {
  DeviceRange range(std::size_t{1} << 40);
  std::vector<Piece> pieces;
  for (int i = 0; i < 600; ++i) {
    pieces.push_back(range.take(kSizes[static_cast<std::size_t>(i) % kSizes.size()]));
    ASSERT_TRUE(pieces.back());
    std::memcpy(pieces.back().begin, &i, sizeof i);
    std::memcpy(pieces.back().end() - sizeof i, &i, sizeof i);
  }
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(std::memcmp(pieces[static_cast<std::size_t>(i)].begin, &i, sizeof i), 0);
    EXPECT_EQ(std::memcmp(pieces[static_cast<std::size_t>(i)].end() - sizeof i, &i, sizeof i), 0);
  }
  for (const Piece& piece : pieces) range.release(piece);
}

// More than the mappings that a process may have.
TEST(DeviceRange, pieceAfterPiece) {
  DeviceRange range(std::size_t{1} << 40);
  std::vector<Piece> pieces;
  for (int i = 0; i < 40'000; ++i) {
    pieces.push_back(range.take(1));
    ASSERT_TRUE(pieces.back()) << i;
    *pieces.back().begin = std::byte(i);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) ASSERT_EQ(*pieces[i].begin, std::byte(i));
  for (const Piece& piece : pieces) range.release(piece);
  const Piece again = range.take(1);
  expectGuarded(again);
  range.release(again);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

std::size_t addressesInUse() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * pageSize();
}

/// Runs in a process of its own, whose limits may be changed.
template <class Work>
void expectTrueInAnotherProcess(const Work& work) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(work() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(DeviceRange, limitedAddresses) {
  if (sanitized) GTEST_SKIP() << "a sanitizer ends the process when it gets no memory";
  expectTrueInAnotherProcess([] {
    const rlimit limit{addressesInUse() + (std::size_t{512} << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
    DeviceRange range(std::size_t{1} << 40);
    if (range.bytes() != 0) return false;
    Allocator allocator(std::size_t{1} << 40, range);
    std::vector<Allocator::Block> blocks;
    while (const Allocator::Block block = allocator.allocate(16 << 20)) {
      if (!isAccessible(block.memory) || isAccessible(block.piece.end())) return false;
      blocks.push_back(block);
    }
    if (blocks.size() < 16 || blocks.size() > 32) return false;
    for (const Allocator::Block& block : blocks) allocator.free(block);
    return static_cast<bool>(allocator.allocate(64));
  });
}

// The range is reserved before the application limits itself.
TEST(DeviceRange, addressesAreLimitedLater) {
  if (sanitized) GTEST_SKIP() << "a sanitizer ends the process when it gets no memory";
  expectTrueInAnotherProcess([] {
    DeviceRange range(std::size_t{1} << 40);
    if (range.bytes() == 0) return true;
    const Piece first = range.take(4 << 20);
    const rlimit limit{std::size_t{1} << 30, RLIM_INFINITY};
    if (!first || setrlimit(RLIMIT_AS, &limit) != 0) return false;
    range.release(first);
    const Piece second = range.take(4 << 20);
    return second && isAccessible(second.begin) && !isAccessible(second.end());
  });
}

TEST(CpuAllocator, allocationsAreAlignedAndWritable) {
  Allocator allocator(1u << 30);
  for (const std::size_t bytes : kSizes) {
    const Allocator::Block block = allocator.allocate(bytes);
    ASSERT_TRUE(block) << bytes;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.memory) % 128, 0u) << bytes;
    std::memset(block.memory, 7, bytes);
    EXPECT_GE(allocator.used(), bytes);
    allocator.free(block);
  }
  EXPECT_EQ(allocator.used(), 0u);
}

TEST(CpuAllocator, anOverrunFaultsWithinAPage) {
  Allocator allocator(1u << 30);
  if (DeviceRange::get().bytes() == 0) GTEST_SKIP() << "the addresses of this process are limited";
  for (const std::size_t bytes : kSizes)
    for (int i = 0; i < 8; ++i) {
      const Allocator::Block block = allocator.allocate(bytes);
      ASSERT_TRUE(block);
      EXPECT_FALSE(isAccessible(block.memory + bytes + pageSize())) << bytes;
      // Nothing is behind it where its place in a page does not matter and its size leaves no gap.
      if (bytes < 32u << 10 && bytes % 128 == 0) EXPECT_FALSE(isAccessible(block.memory + bytes)) << bytes;
      allocator.free(block);
    }
}

TEST(CpuAllocator, largeAllocationsBeginAtPlacesOfTheirOwnInAPage) {
  Allocator allocator(1u << 30);
  for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{4} << 20}) {
    std::set<std::uintptr_t> places;
    std::vector<Allocator::Block> all;
    for (int i = 0; i < 16; ++i) {
      all.push_back(allocator.allocate(bytes));
      ASSERT_TRUE(all.back());
      const auto address = reinterpret_cast<std::uintptr_t>(all.back().memory);
      EXPECT_EQ(address % 128, 0u);
      places.insert(address % 4096);
      std::memset(all.back().memory, i, bytes);
    }
    EXPECT_EQ(places.size(), all.size()) << bytes;
    for (const Allocator::Block& block : all) allocator.free(block);
    EXPECT_EQ(allocator.used(), 0u);
  }
}

TEST(CpuAllocator, zeroedIsZero) {
  Allocator allocator(1u << 30);
  for (const std::size_t bytes : kSizes)
    for (int i = 0; i < 3; ++i) {  // the allocator may give the same memory again
      const Allocator::Block block = allocator.allocateZeroed(bytes);
      ASSERT_TRUE(block) << bytes;
      EXPECT_TRUE(isZero(block.memory, bytes)) << bytes;
      std::memset(block.memory, 7, bytes);
      allocator.free(block);
    }
  EXPECT_FALSE(allocator.allocateZeroed((1u << 30) + 1));
}

TEST(CpuAllocator, noMoreThanTheLimit) {
  Allocator allocator(1u << 20);
  EXPECT_FALSE(allocator.allocate((1u << 20) + 1));
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 127, SIZE_MAX - 128, SIZE_MAX - 4096, SIZE_MAX / 2})
    EXPECT_FALSE(Allocator(~std::uint64_t{0}).allocate(bytes)) << bytes;
  const Allocator::Block most = allocator.allocate(1u << 20);
  ASSERT_TRUE(most);
  EXPECT_FALSE(allocator.allocate(1));
  allocator.free(most);
  EXPECT_EQ(allocator.used(), 0u);
}

// Enough of each size that slabs become full, empty and full again.
TEST(CpuAllocator, smallBuffersDoNotOverlap) {
  for (const bool ranged : {true, false}) {
    DeviceRange none(0);
    Allocator allocator(std::uint64_t{1} << 32, ranged ? DeviceRange::get() : none);
    std::vector<std::pair<Allocator::Block, std::size_t>> blocks;
    std::uint32_t random = 1;
    const auto check = [&](std::size_t i) {
      const auto& [block, bytes] = blocks[i];
      const auto mark = static_cast<std::byte>(bytes * 31);
      return std::all_of(block.memory, block.memory + bytes, [&](std::byte each) { return each == mark; });
    };
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 8000; ++i) {
        random = random * 1664525 + 1013904223;
        const std::size_t bytes = i % 8 ? (random >> 8) % 600 + 1 : (random >> 8) % 32768 + 1;
        const Allocator::Block block = allocator.allocate(bytes);
        ASSERT_TRUE(block);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block.memory) % 128, 0u);
        std::memset(block.memory, static_cast<int>(bytes * 31), bytes);
        blocks.emplace_back(block, bytes);
      }
      for (std::size_t i = 0; i < blocks.size(); ++i) ASSERT_TRUE(check(i));
      // Most of them, in another order than they were made in.
      while (blocks.size() > 500) {
        random = random * 1664525 + 1013904223;
        const std::size_t i = (random >> 8) % blocks.size();
        allocator.free(blocks[i].first);
        blocks[i] = blocks.back();
        blocks.pop_back();
      }
    }
    for (const auto& [block, bytes] : blocks) allocator.free(block);
    EXPECT_EQ(allocator.used(), 0u);
  }
}

TEST(CpuAllocator, manyThreads) {
  Allocator allocator(std::uint64_t{1} << 32);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      std::vector<Allocator::Block> mine;
      for (unsigned i = 0; i < 3000; ++i) {
        const std::size_t bytes = i % 100 == 0 ? std::size_t{1} << 20 : (i * 37 + t) % 9000 + 4;
        mine.push_back(allocator.allocate(bytes));
        const unsigned mark = i * 8 + t;
        std::memcpy(mine.back().memory, &mark, sizeof mark);
        if (mine.size() < 40) continue;
        for (std::size_t k = 0; k < mine.size(); ++k) {
          const unsigned wanted = (i + 1 - 40 + static_cast<unsigned>(k)) * 8 + t;
          wrong += std::memcmp(mine[k].memory, &wanted, sizeof wanted) != 0;
        }
        allocator.free(mine.front());
        mine.erase(mine.begin());
      }
      for (const Allocator::Block& block : mine) allocator.free(block);
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(allocator.used(), 0u);
}

TEST(WorkerMemory, growsIsReusedAndEndsAtAGuard) {
  const auto small = device::cpu::workerMemory(128, 1, 100);
  ASSERT_NE(small.local, nullptr);
  EXPECT_EQ(device::cpu::workerMemory(128, 1, 10).local, small.local);
  const auto large = device::cpu::workerMemory(1 << 18, 4, 1 << 21);
  ASSERT_NE(large.spill, nullptr);
  EXPECT_EQ(large.localBytes, 1u << 18);
  EXPECT_EQ(large.groups, 4u);
  std::memset(large.local, 1, 1 << 20);
  std::memset(large.spill, 2, 1 << 21);
  EXPECT_EQ(large.local[(1 << 20) - 1], std::byte{1});
  // Code may access whole vectors before and behind both, and read elements behind local memory.
  constexpr std::size_t beside = compiler::localBeside;
  std::memset(large.spill - beside, 3, beside);
  std::memset(large.spill + (1 << 21), 3, beside);
  EXPECT_FALSE(isAccessible(large.spill + (1 << 21) + beside));
  std::memset(large.local - beside, 3, beside);
  std::memset(large.local + (1 << 20), 3, compiler::localBehind);
  EXPECT_FALSE(isAccessible(large.local + (1 << 20) + compiler::localBehind));
  // It ends there for a kernel that needs less, too.
  const auto less = device::cpu::workerMemory(512, 2, 4096);
  EXPECT_TRUE(isAccessible(less.local + 1023));
  EXPECT_FALSE(isAccessible(less.local + 1024 + compiler::localBehind));
  EXPECT_FALSE(isAccessible(less.spill + 4096 + beside));
  for (const std::uint64_t bytes : {1u, 128u, 5000u, 128u << 10}) {
    std::byte* const copies = device::cpu::reductionMemory(bytes);
    ASSERT_NE(copies, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copies) % 128, 0u);
    EXPECT_TRUE(isAccessible(copies + bytes - 1));
    EXPECT_FALSE(isAccessible(copies + (bytes + 127) / 128 * 128));
  }
}

}  // namespace
}  // namespace clarity::test
