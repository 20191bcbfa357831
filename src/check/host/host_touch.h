// SPDX-License-Identifier: Apache-2.0
// This file is a touch of memory that is watched, as a signal handler records it, in memory that is there already.
#pragma once

#include "check/host/host_call.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace clarity::check {

/// The first touch of some memory. record() and recordPlace() are for signal handlers, the rest is not.
class TouchRecord {
public:
  /// To be called before the first record(), outside of signal handlers.
  static void prepare();

  /// There is no touch yet.
  void reset() { isRecorded_ = isReported_ = false; }
  /// Records the interrupted instruction and the calls that led to it; `context` is the handler's. False, and nothing
  /// is done, if there was a touch already.
  bool record(const void* context);
  /// Records the line of Python that the thread executes, unless the instruction is the C library's, which may hold its
  /// locks.
  void recordPlace();

  bool isRecorded() const { return isRecorded_; }
  /// True once for each touch.
  bool takeUnreported() { return isRecorded_ && !isReported_.exchange(true); }
  /// The instruction that a signal names: the one that touches, or the one behind it.
  enum class Instruction : std::uint8_t { IsNext, IsBehind };
  /// The places of the touch: of Python where there is one, then return addresses.
  Frames frames(Instruction) const;

private:
  std::atomic<bool> isRecorded_{false}, isReported_{false};
  const void* instruction_ = nullptr;
  std::array<void*, 24> backtrace_{};
  int backtraceSize_ = 0;
  const void* place_ = nullptr;  ///< the place in Python
};

/// Puts a place of Python in front of the others; null: there is none.
void prepend(const void* place, Frames& frames);

}  // namespace clarity::check
