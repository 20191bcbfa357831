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

/// Lists of one call after another.
class Lists {
public:
  static constexpr std::size_t largestBytes = std::size_t{256} << 10, mostLists = 128;

  Lists() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const memory =
        mmap(nullptr, stride() * mostLists, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail();
    memory_ = static_cast<std::byte*>(memory);
    for (std::size_t i = 0; i < mostLists; ++i)
      if (mprotect(memory_ + i * stride(), largestBytes, PROT_READ | PROT_WRITE) != 0) fail();
  }
  ~Lists() { munmap(memory_, stride() * mostLists); }
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;

  /// The lists made until now are used no more.
  void begin() { made_ = 0; }

  /// Zeroes. Behind them are less than 8 bytes that can be accessed, none if the size is a multiple of 8.
  void* make(std::size_t bytes) {
    const std::size_t rounded = (bytes + 7) / 8 * 8;
    if (made_ == mostLists || rounded > largestBytes) fail();
    std::byte* const list = memory_ + made_++ * stride() + largestBytes - rounded;
    return std::memset(list, 0, rounded);
  }

private:
  std::size_t stride() const { return largestBytes + page_; }
  [[noreturn]] static void fail() {
    std::fputs("api_fuzz: no memory for lists\n", stderr);
    std::exit(EXIT_FAILURE);
  }

  std::size_t page_, made_ = 0;
  std::byte* memory_;
};

}  // namespace clarity::fuzz
