// SPDX-License-Identifier: Apache-2.0
// This file tests the import of dma-bufs with a system that takes files in memory for such.
#include "core/external_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/dma-buf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace clarity::core {
namespace {

constexpr std::size_t kBytes = 8192;

struct ImportDmaBuffer : testing::Test {
  struct Call {
    int descriptor;
    std::uint64_t flags;
    bool operator==(const Call&) const = default;
  };
  static inline std::vector<Call> calls;
  static constexpr support::DmaBufferSystem system{
      .isDmaBuffer = [](int descriptor) { return fcntl(descriptor, F_GET_SEALS) >= 0; },
      .synchronise =
          [](int descriptor, std::uint64_t flags) {
            calls.push_back({descriptor, flags});
            return 0;
          },
  };
  int file = -1;
  std::string why;

  void SetUp() override {
    calls.clear();
    file = memfd_create("test", MFD_CLOEXEC);
    ASSERT_GE(file, 0);
    ASSERT_EQ(ftruncate(file, kBytes), 0);
  }
  void TearDown() override { close(file); }
  std::unique_ptr<ExternalMemory> import(int descriptor, std::size_t bytes = kBytes, bool readOnly = false) {
    return ExternalMemory::importDmaBuffer(descriptor, bytes, readOnly, why, system);
  }
};

TEST_F(ImportDmaBuffer, sharesItsBytes) {
  const auto memory = import(dup(file));
  ASSERT_TRUE(memory) << why;
  EXPECT_TRUE(memory->isDmaBuffer());
  std::memcpy(memory->address() + 100, "here", 4);
  char read[4] = {};
  ASSERT_EQ(pread(file, read, 4, 100), 4);
  EXPECT_EQ(std::string(read, 4), "here");
}

// The descriptor stays open as long as the memory, for what is asked of it.
TEST_F(ImportDmaBuffer, accessesAreAnnounced) {
  const int given = dup(file);
  auto memory = import(given);
  ASSERT_TRUE(memory) << why;
  EXPECT_TRUE(calls.empty());
  memory->beginAccess();
  EXPECT_EQ(calls, (std::vector<Call>{{given, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW}}));
  memory->endAccess();
  EXPECT_EQ(calls[1], (Call{given, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW}));
  EXPECT_GE(fcntl(given, F_GETFD), 0);
  memory.reset();
  EXPECT_EQ(fcntl(given, F_GETFD), -1);
}

TEST_F(ImportDmaBuffer, onlyForReading) {
  const auto memory = import(dup(file), kBytes, true);
  ASSERT_TRUE(memory) << why;
  memory->beginAccess();
  memory->endAccess();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].flags, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ);
  EXPECT_EQ(calls[1].flags, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ);
}

// Memory that is not imported stays open, and the reason is said.
TEST_F(ImportDmaBuffer, refuses) {
  EXPECT_FALSE(import(file, kBytes + 1));
  EXPECT_NE(why.find("8192 bytes, 8193 are needed"), std::string::npos) << why;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(import(ends[0]));
  EXPECT_NE(why.find("not that of a dma-buf"), std::string::npos) << why;
  EXPECT_FALSE(import(-1));
  for (const int each : {file, ends[0], ends[1]}) EXPECT_GE(fcntl(each, F_GETFD), 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(ExternalMemory::importDmaBuffer(file, kBytes, false, why)) << "Linux knows that it is none";
}

TEST_F(ImportDmaBuffer, filesAnnounceNothing) {
  const int given = dup(file);
  const auto memory = ExternalMemory::import(given, kBytes, false, why);
  ASSERT_TRUE(memory) << why;
  EXPECT_FALSE(memory->isDmaBuffer());
  EXPECT_EQ(fcntl(given, F_GETFD), -1);
  memory->beginAccess();
  memory->endAccess();
  EXPECT_TRUE(calls.empty());
}

}  // namespace
}  // namespace clarity::core
