// SPDX-License-Identifier: Apache-2.0
// This file is the memory of lists that the fuzzer of calls passes: each ends at a page that cannot be accessed, so
// that a driver that reads or writes behind a list ends the process.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace clarity::fuzz {

/// Pieces of memory of one size, with addresses between them that cannot be accessed.
class GuardedMemory {
public:
  /// Sizes are multiples of that of a page.
  /// @param apart bytes ahead of and behind each piece; 0: a page
  GuardedMemory(std::size_t pieces, std::size_t bytes, std::size_t apart = 0)
      : bytes_(bytes),
        stride_(bytes + (apart ? apart : static_cast<std::size_t>(sysconf(_SC_PAGESIZE)))),
        total_(pieces * stride_ + stride_ - bytes) {
    void* const memory = mmap(nullptr, total_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memory_ = static_cast<std::byte*>(memory);
    bool isThere = memory != MAP_FAILED;
    for (std::size_t i = 0; isThere && i < pieces; ++i)
      isThere = mprotect(piece(i), bytes, PROT_READ | PROT_WRITE) == 0;
    if (!isThere) fail();
  }
  ~GuardedMemory() { munmap(memory_, total_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::byte* piece(std::size_t i) const { return memory_ + i * stride_ + stride_ - bytes_; }
  [[noreturn]] static void fail() {
    std::fputs("api_fuzz: no memory for arguments\n", stderr);
    std::exit(EXIT_FAILURE);
  }

private:
  std::size_t bytes_, stride_, total_;
  std::byte* memory_ = nullptr;
};

/// Lists of one call after another.
class Lists {
public:
  static constexpr std::size_t largestBytes = std::size_t{256} << 10, mostLists = 128;

  /// The lists made until now are used no more.
  void begin() { made_ = 0; }

  /// Zeroes. Behind them are less than 8 bytes that can be accessed, none if the size is a multiple of 8.
  void* make(std::size_t bytes) {
    const std::size_t rounded = (bytes + 7) / 8 * 8;
    if (made_ == mostLists || rounded > largestBytes) GuardedMemory::fail();
    return std::memset(memory_.piece(made_++) + largestBytes - rounded, 0, rounded);
  }

private:
  GuardedMemory memory_{mostLists, largestBytes};
  std::size_t made_ = 0;
};

}  // namespace clarity::fuzz
