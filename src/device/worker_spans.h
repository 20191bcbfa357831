// SPDX-License-Identifier: Apache-2.0
// This file is how a profile learns what each thread of a device does: a device calls the listener, if there is one,
// whenever a thread has executed a part of a launch.
#pragma once

#include <atomic>
#include <cstdint>

namespace clarity::compiler {
struct KernelInfo;
}

namespace clarity::device {

/// A part of a launch that a thread has executed: `count` of its `all` pieces of equal size, from `first` on.
struct WorkerSpan {
  const compiler::KernelInfo* kernel = nullptr;
  std::uint64_t begin = 0, end = 0;  ///< support/clock.h
  std::uint64_t first = 0, count = 0, all = 0;
};

using SpanListener = void(const WorkerSpan&) noexcept;
/// Null: there is no profile. On the thread that has executed it.
inline std::atomic<SpanListener*> spanListener{nullptr};

}  // namespace clarity::device
