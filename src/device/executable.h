// SPDX-License-Identifier: Apache-2.0
// This file is a program as a device holds it, and a launch of one of its kernels.
#pragma once

#include "compiler/driver/compiler.h"
#include "device/arg_block.h"
#include "device/memory.h"
#include "device/source_text.h"
#include "support/inline_vector.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace clarity::device {

struct Launch;

/// The number of times that a launch will run, as far as is known.
enum class Runs : std::uint8_t {
  Once,
  Often,  ///< it is recorded
};

/// One program on one device. Thread-safe. Which code it has, and when that is compiled, is the device's decision: at
/// the latest when a stream runs a launch. Errors of compiling are results of that launch.
class Executable : public std::enable_shared_from_this<Executable> {
public:
  virtual ~Executable() = default;
  /// A launch that has to wait for others will come: its code may be compiled meanwhile. Returns at once, never fails.
  /// The launch's buffers may not have allocations yet. Does nothing unless a shared pointer holds this object.
  virtual void prepareAhead(const Launch&, Runs) {}
  /// The application has a kernel of the program, and may launch it: code that takes long to compile may be compiled
  /// meanwhile. As prepareAhead() otherwise.
  virtual void prepareKernel(const compiler::KernelInfo&) {}
  /// Work-items of the largest work-group for which the kernel's code has enough registers (CL_KERNEL_WORK_GROUP_SIZE);
  /// 0 if that is no less than the device allows, or not known without a launch. May wait for prepareKernel().
  virtual std::size_t largestGroup(const compiler::KernelInfo&) { return 0; }

  /// Sets the source that messages quote. Set before the first launch.
  void setSource(SourceText source) { source_ = std::move(source); }
  const SourceText& source() const { return source_; }

private:
  SourceText source_;
};

/// The index space of a launch, complete: unused dimensions are 1, offset 0, and `local` is never 0.
struct NDRange {
  std::uint32_t dims = 1;
  std::array<std::size_t, 3> offset{0, 0, 0};
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};
  bool operator==(const NDRange&) const = default;
};

/// A box of the work-groups of an NDRange, counted in work-groups.
struct GroupBox {
  std::array<std::size_t, 3> first{}, count{};
  bool operator==(const GroupBox&) const = default;
};

/// The NDRange that a launch is a part of, where it is divided among devices: work-items of the part, whose range is a
/// box of its work-groups, see its sizes and ids.
struct WholeRange {
  bool isDivided = false;  ///< false: there is nothing beside the launch's own range, and what follows says nothing
  std::array<std::size_t, 3> offset{}, global{};
  std::array<std::size_t, 3> firstGroup{};  ///< the first work-group of the part
};

/// A buffer among the arguments of a launch. Arguments that are NULL have none.
struct BufferArgument {
  std::uint32_t argument = 0;  ///< index in KernelInfo::args, whose `offset` is where its address goes
  bool readOnly = false;       ///< the kernel cannot write it: pointer to const, or a buffer created read-only
  bool writeOnly = false;      ///< created for kernels that write it only (CL_MEM_WRITE_ONLY)
  bool isInside = false;       ///< a pointer into shared memory: the kernel may use what lies before it too
  Location memory{};           ///< always with an allocation of the device's pool when the launch is submitted
  std::size_t bytes = 0;       ///< bytes of the buffer or sub-buffer, from `memory` on
};

/// Local memory among the arguments of a launch.
struct LocalArgument {
  std::uint32_t argument = 0;  ///< index in KernelInfo::args, whose value is its offset in local memory
  std::uint64_t bytes = 0;
};

class Observer;
struct LaunchQueues;

/// A launch as a device gets it, nothing left to check. The device writes the addresses of buffers into `args` when it
/// runs the launch. Launches are submitted to a stream (stream.h).
struct Launch {
  Executable* executable = nullptr;
  const compiler::KernelInfo* info = nullptr;  ///< the kernel in the executable's compiled program
  NDRange range{};
  WholeRange whole{};
  /// KernelInfo::argBlockBytes: values; for __local arguments their offset in local memory; 0 for buffers.
  ArgBlock args{};
  support::InlineVector<BufferArgument, 8> buffers{};
  support::InlineVector<LocalArgument, 4> locals{};
  bool hasOtherPointers = false;  ///< an argument points to memory of the application, which is none of `buffers`
  std::uint64_t localBytes = 0;   ///< the kernel's own and the arguments' local memory together
  /// The on-device command-queues of a kernel that enqueues others (device_queue.h); null for other kernels.
  std::shared_ptr<const LaunchQueues> queues{};
  void* parent = nullptr;  ///< the device's own: what the code of such a kernel hands to the hooks that enqueue
  /// observer.h: the launch runs code that is instrumented for it. Null: code that is not instrumented.
  Observer* observer = nullptr;
  std::uint64_t command = 0;  ///< for the observer: which command it is; 0: it need not know
  /// Once it is true the launch ends early with CL_CONTEXT_TERMINATED_KHR, and Device::endLaunches() ends it wherever
  /// it is. Null: it cannot be ended.
  const std::atomic<bool>* ended = nullptr;
};

}  // namespace clarity::device
