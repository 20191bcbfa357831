// SPDX-License-Identifier: Apache-2.0
// This file executes short PTX texts for tests of what instructions mean.
#pragma once

#include "ptx/block.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clarity::ptx {

/// Allocations of the host's memory, at their own addresses.
class TestMemory : public Memory {
public:
  Range find(std::uint64_t address) override;
  std::uint64_t version() const override { return 1; }
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment, std::byte*& host) override;
  void release(std::uint64_t address) override { blocks_.erase(address); }
  template <class T>
  T* make(std::size_t count) {
    std::byte* host = nullptr;
    (void)allocate(count * sizeof(T), alignof(T), host);
    return reinterpret_cast<T*>(host);
  }

private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> blocks_;
};

/// A kernel, whose body has the parameters "out" and "in", addresses of words of 64 bits, registers %p, %rs, %r and %rd
/// of each kind, %rd1 = out, %rd2 = in, %r1 = the thread's number in its block, %rd3 and %rd4 = addresses of its own
/// words of both.
struct Kernel {
  explicit Kernel(const std::string& body, const std::string& before = {});
  /// The words that `out` has then, filled up to `words`.
  std::vector<std::uint64_t> run(std::size_t words, const std::vector<std::uint64_t>& in = {});
  /// The fault that it ends with.
  Fault fault(std::size_t words = 64, const std::vector<std::uint64_t>& in = {});

  TestMemory memory;
  std::unique_ptr<Program> program;
  Launch launch;
};

/// The values of one thread in %r10, %rd10, %rs10 and %p1 behind instructions that find their inputs in %r11, %rd11 and
/// %rs11 (the low bits) and those that follow.
struct Calculated {
  std::uint32_t r;
  std::uint64_t rd;
  std::uint16_t rs;
  bool p;
};
Calculated calculate(const std::string& instructions, const std::vector<std::uint64_t>& inputs = {});

inline std::uint32_t bitsOf(float x) { return std::bit_cast<std::uint32_t>(x); }
inline std::uint64_t bitsOf(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace clarity::ptx
