// SPDX-License-Identifier: Apache-2.0
// This file is a block of a launch: its warps take turns on one thread of the host.
#pragma once

#include "warp.h"

#include <mutex>

namespace clarity::ptx {

/// How a launch has used words of global memory.
class Uses {
public:
  /// A byte for each word of an allocation: 1 loaded as read-only, 2 written.
  std::uint8_t* of(const Range& range) {
    const std::lock_guard lock(mutex_);
    auto& words = words_[range.begin];
    if (words.empty()) words.resize((range.end - range.begin + 3) / 4);
    return words.data();
  }

private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> words_;
};

class Block {
public:
  Block(Memory& memory, Uses& uses) : memory(memory), uses(uses) {}
  void start(const Launch& launch, std::array<unsigned, 3> id);
  /// Each warp goes on `turns` times; true when all threads have ended. Throws Fault, also if none can go on.
  bool run(unsigned turns);

  /// `lanes` of a warp come to a barrier, for `threads` threads in all (0: those that have not ended).
  void arrive(Warp& warp, Lanes lanes, unsigned barrier, unsigned threads);
  /// Threads have ended: others may have waited for them.
  void ended(unsigned threads);

  std::uint64_t executed() const;
  unsigned threads() const { return launch->block[0] * launch->block[1] * launch->block[2]; }

  const Launch* launch = nullptr;
  Memory& memory;
  Uses& uses;
  std::array<unsigned, 3> id{};
  std::vector<std::byte> shared;
  std::uint64_t sharedBytes = 0;

private:
  struct Barrier {
    unsigned arrived = 0, expected = 0;
  };
  void open(unsigned barrier);
  [[noreturn]] void failAsNoneGoesOn();

  std::vector<std::unique_ptr<Warp>> warps_;  ///< more than used, if another launch had more
  std::size_t used_ = 0;
  std::array<Barrier, 16> barriers_{};
  unsigned alive_ = 0;
};

/// Executes a launch on this thread, and on others if it is long; returns the number of instructions that its warps
/// have executed. Throws Fault.
std::uint64_t execute(const Launch& launch, Memory& memory);

}  // namespace clarity::ptx
