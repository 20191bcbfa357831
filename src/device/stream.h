// SPDX-License-Identifier: Apache-2.0
// This file is how a device is given work: operations are submitted to streams, and the device reports when each of
// them starts and ends.
#pragma once

#include "device/executable.h"
#include "device/memory.h"
#include "device/result.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace clarity::device {

/// Launches that are one command: each starts when the one before it has ended, and the first that fails is the last.
struct Sequence {
  std::vector<Launch> launches;
};

/// Bytes from one place to another, which do not overlap. Each end is in the device's memory or in the host's.
struct Copy {
  Location to, from;
  std::size_t bytes = 0;
};

/// A rectangular copy in bytes: `region` is bytes x rows x slices; pitches are the distances of rows and of slices.
struct RectCopy {
  Location to, from;  ///< the rectangles' first bytes
  std::array<std::size_t, 3> region{0, 1, 1};
  std::size_t toRowPitch = 0, toSlicePitch = 0;
  std::size_t fromRowPitch = 0, fromSlicePitch = 0;
};

/// A pattern over and over, in one row of bytes or in several, between which nothing is written. `bytes` is a multiple
/// of `patternBytes`, which is 128 at most.
struct Fill {
  Location to;
  std::size_t bytes = 0;  ///< bytes of a row
  std::size_t rows = 1, slices = 1;
  std::size_t rowPitch = 0, slicePitch = 0;  ///< distances of rows and of slices, where there are several
  std::size_t patternBytes = 0;
  std::array<std::byte, 128> pattern;
};

/// A function of the application (clEnqueueNativeKernel; OpenCL 3.0, section 5.10), for devices with
/// CL_EXEC_NATIVE_KERNEL in Properties::execution. The device writes the addresses of `pointers` into `args` before it
/// calls.
struct HostFunction {
  struct Pointer {
    std::size_t at = 0;  ///< offset in `args`
    Location memory;
  };
  void (*function)(void* args) = nullptr;
  std::vector<std::byte> args{};
  bool hasArgs = true;  ///< false: called with a null pointer
  std::vector<Pointer> pointers{};
};

/// Operations that a device has prepared to run again and again (Device::record). Immutable: streams of the device may
/// replay one at the same time. Objects that the operations name outlive it.
class Recording {
public:
  Recording() = default;
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
};

/// The operations of a recording one after the other, in their order; the first that fails is the last one that runs,
/// and its error that of the replay. For streams of the device that made the recording.
struct Replay {
  std::shared_ptr<const Recording> recording;
};

/// Memory that is shared by address goes to the host, or to the device, so that its next user need not wait for it: a
/// hint. Only for devices with MemoryPool::sharesByAddress().
struct Move {
  struct Part {
    Location memory;
    std::size_t bytes = 0;
  };
  std::vector<Part> parts;
  bool toHost = false;
};

/// An operation of a device. Images are linear memory: they are copied as rectangles.
using Operation = std::variant<Launch, Copy, RectCopy, Fill, HostFunction, Replay, Move, Sequence>;

/// When an operation ran: nanoseconds of Device::now(). Zero where they are not wanted.
struct Times {
  std::uint64_t started = 0, ended = 0;
  std::uint64_t completed = 0;  ///< it and all that its kernel has enqueued; 0: with `ended`
};

/// An operation on its way through a device, and what is called about it. Whoever submits it owns it and leaves it
/// and `operation` unchanged until complete() is called; the device uses neither afterwards.
class Submission {
public:
  /// The operation to execute. The device may change it (resolve addresses in place).
  Operation* operation = nullptr;

  /// The operation runs. At most once, before complete(), from any thread. Devices that do not learn of it leave it
  /// out.
  virtual void started() noexcept = 0;
  /// The operation has ended; exactly once for each submit(), from any thread, the one inside submit() or help()
  /// included, with no lock of the device held: it may submit further operations, and may destroy this object and,
  /// with it, the stream.
  virtual void complete(Result, const Times&) noexcept = 0;
  /// Whether complete() has been called.
  virtual bool ended() const noexcept = 0;

  /// Whether its times are wanted; only of streams that are profiled.
  bool timed = true;

  /// For the device, from submit() on; no other code changes it while this object lives.
  struct Link {
    Submission* next = nullptr;
    std::uint32_t flags = 0;
    std::uint64_t place = 0;
    void* data = nullptr;
    std::atomic<void*> owner{nullptr};

    /// As at first: what has ended may be submitted again.
    void reset() {
      next = nullptr;
      flags = 0;
      place = 0;
      data = nullptr;
      owner.store(nullptr, std::memory_order_relaxed);
    }
  } link;

protected:
  ~Submission() = default;
};

/// When an operation that could start does start.
enum class Start : std::uint8_t {
  AtOnce,
  /// The application has just enqueued it and may be about to wait for it: the device may leave it until flush(),
  /// help(), or until there is a reason to start it.
  WhenNeeded,
};

/// The properties of a command-queue, for devices to which they make a difference.
struct StreamOptions {
  bool outOfOrder = false;
  bool profiled = false;  ///< times are wanted, of the submissions that say so
};

/// The destination of operations: each command-queue has one stream of its device. Thread-safe. Its owner destroys it
/// when all submissions are complete, perhaps inside complete() of the last one.
class Stream {
public:
  virtual ~Stream() = default;

  /// Success, or why there is no stream: then every operation ends with that. Asked when it has been made.
  virtual Result made() const { return {}; }

  /// Takes an operation and returns without waiting. Never fails: errors are the operation's result.
  ///
  /// The operation starts when all of `after` have ended: earlier submissions to streams of the same device, or of
  /// a peer of its memory pool (MemoryPool::ordersPeers). Operations that `after` does not order may run in any order
  /// and at the same time. Complete() of all of `after` has returned before complete() of this one is called. A failure
  /// among `after` does not keep the operation from running. One that the device no longer has is complete; its owner
  /// keeps the objects named until submit() returns. `after` is empty unless the device has
  /// Properties::ordersOperations.
  virtual void submit(Submission&, Start, std::span<Submission* const> after) = 0;

  /// Everything that was submitted runs without any thread waiting for it (clFlush).
  virtual void flush() = 0;

  /// The calling thread has nothing to do until `awaited`, a submission to this stream or something that depends on
  /// one, has ended. A device may run operations on it: the CPU does, so that enqueue-and-finish of a small kernel
  /// wakes no other thread. Returns when `awaited` has ended or there is nothing more to do for this thread.
  virtual void help(const Submission& awaited) = 0;
};

}  // namespace clarity::device
