// SPDX-License-Identifier: Apache-2.0
// This file is the stacks that kernels run on: mapped ranges between guard pages, and the switch from one stack to
// another.
#pragma once

#include "compiler/ir/kernel_abi.h"
#include "device/cpu/device_range.h"
#include "support/stack_range.h"

#include <cstddef>
#include <cstdint>

namespace clarity::device::cpu {

/// On every stack of a kernel beside the kernel's own frames: for the functions of the driver that it calls (printf,
/// math), and for handlers of signals that the application has installed to run on whatever stack the thread is on.
inline constexpr std::size_t stackBesideFrames = 256 * 1024;

/// Frames of a kernel that need more than this are refused before it runs.
inline constexpr std::uint64_t mostFrameBytes = std::uint64_t{128} << 20;

/// One stack. It lies in the device range, so that an index that misses a private array by more than the guards does
/// not reach the host's memory either; where the process's addresses are limited it lies anywhere. Pages take memory
/// when they are first touched.
class Stack {
public:
  constexpr Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// Maps at least so many bytes where there were none; false when there is no memory.
  bool map(std::size_t bytes);
  void unmap();

  const support::StackRange& range() const { return range_; }
  std::byte* top() const { return range_.high; }
  std::size_t bytes() const { return range_.bytes(); }

private:
  support::StackRange range_;
  Piece piece_;
};

/// The stack that a thread executes kernels on. Trivial, because a thread may execute kernels while its objects are
/// destroyed.
class KernelStack {
public:
  constexpr KernelStack() = default;
  KernelStack(const KernelStack&) = delete;
  KernelStack& operator=(const KernelStack&) = delete;

  /// This thread's.
  static KernelStack& mine();

  /// Makes room for frames of so many bytes, beside what stackBesideFrames is for; false when there is no memory. Keeps
  /// the stack from launch to launch. Not while a kernel runs.
  bool reserve(std::uint64_t frameBytes) {
    frameBytes_ = frameBytes;
    const std::size_t needed = static_cast<std::size_t>(frameBytes) + stackBesideFrames;
    return (needed <= stack_.bytes() && stack_.bytes() <= kept(needed)) || remap(needed);
  }
  /// The argument of the last reserve().
  std::uint64_t frameBytes() const { return frameBytes_; }

  /// Calls a kernel on this stack. Its frames lie next to the region above the stack, and what is needed to come back
  /// lies on the caller's stack.
  void call(compiler::Entry, const std::byte* args, const compiler::LaunchInfo*, const compiler::Slice*,
            const compiler::WorkerMemory*);

  bool contains(const void* address) const { return stack_.range().contains(address); }

private:
  /// A stack of a kernel with large frames is not kept for others: what lies below their frames would be far away.
  static std::size_t kept(std::size_t needed) { return 4 * needed + (std::size_t{4} << 20); }
  bool remap(std::size_t needed);

  Stack stack_;
  std::uint64_t frameBytes_ = 0;
};

/// The place where a computation that has been left goes on.
using Continuation = void*;

/// One that begins at the top of the stack with main(), which does not return.
Continuation beginningAt(std::byte* top, void (*main)());

/// Leaves this computation for another one; `left` is where this one goes on.
void switchTo(Continuation to, Continuation& left);

}  // namespace clarity::device::cpu
