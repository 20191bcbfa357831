// SPDX-License-Identifier: Apache-2.0
// This file lists the events of instrumented code, as observers get them (device/observer.h).
#pragma once

#include "compiler/driver/compiler.h"
#include "support/race_cells.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clarity::device {

struct NDRange;

/// Memory that an argument of a launch points at.
struct ObservedMemory {
  std::uint32_t argument = 0;  ///< index in KernelInfo::args
  std::uint64_t address = 0, bytes = 0;
  bool readable = true, writable = true;  ///< by the kernel
};

/// A launch as its observer gets it. Lives as long as the LaunchObserver.
struct ObservedLaunch {
  const compiler::KernelInfo& kernel;
  const NDRange& range;
  std::span<const compiler::Site> sites;    ///< the places in the source that events come from
  std::span<const ObservedMemory> buffers;  ///< arguments in global and constant memory; those that are null have none
  std::uint64_t command = 0;                ///< Launch::command
  compiler::Instrumentation instrumentation = compiler::Instrumentation::Check;  ///< the instrumentation of its code
};

/// The work that code for Instrumentation::Count did in one slice, in all lanes of packets.
struct ObservedCounts {
  std::uint64_t floats = 0, doubles = 0, halves = 0;  ///< operations of floating-point; fma is two
  std::uint64_t integers = 0;  ///< operations of integers in the lanes of packets: elsewhere most are of addresses
  std::uint64_t bytesRead = 0, bytesWritten = 0;  ///< global and constant memory, as far as registers do not serve
  std::uint64_t localBytes = 0;                   ///< read and written of local memory
};

/// The work that code for Instrumentation::Count did in one line of the source, on a GPU.
struct ObservedLine {
  std::uint32_t line = 0;                                  ///< 0: unknown
  std::uint64_t executions = 0;                            ///< by warps, of the block of it that most execute
  std::uint64_t instructions = 0, threadInstructions = 0;  ///< IR of the compiler: of warps, of their active threads
  std::uint64_t requests = 0;                              ///< accesses of global memory by warps
  std::uint64_t sectors = 0, leastSectors = 0;  ///< pieces of 32 bytes; as many as if threads were side by side
  std::uint64_t localRequests = 0;              ///< the same of local memory
  std::uint64_t passes = 0, leastPasses = 0;    ///< passes of these; those that there would be without bank conflicts
};

using GlobalId = std::array<std::uint64_t, 3>;

/// The order of an atomic operation or a fence, and the work-items that see it: values of memory_order and memory_scope
/// of OpenCL C.
struct MemoryOrder {
  std::uint32_t order = acquireRelease, scope = device;

  /// `legacy`: the atomic functions of OpenCL C 1.x, which are relaxed, but of which programs expect that they acquire.
  static constexpr std::uint32_t relaxed = 0, legacy = 1, acquire = 2, release = 3, acquireRelease = 4, sequential = 5;
  static constexpr std::uint32_t workItem = 0, workGroup = 1, device = 2, allDevices = 3, subGroup = 4;

  bool acquires() const { return order != relaxed && order != release; }
  bool releases() const { return order >= release; }
};

/// A work-item is about to access memory.
struct ObservedAccess {
  std::uint32_t site = 0;  ///< index in ObservedLaunch::sites
  std::uint64_t address = 0, bytes = 0;
  GlobalId globalId{};
  MemoryOrder order{};           ///< the order of an atomic operation
  bool writesSameValue = false;  ///< the write leaves what is there
};

/// Threads whose code looks at cells (support/race_cells.h) report what these do not decide.
struct UndecidedAccess {
  std::uint32_t site = 0;
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t item = 0;        ///< linear local id
  bool writesSameValue = false;  ///< the write leaves what is there
  bool isLocal = false;          ///< local memory
};

/// A fence: atomic_work_item_fence, mem_fence and the like.
struct ObservedFence {
  MemoryOrder order{};
  std::uint32_t flags = 0;  ///< cl_mem_fence_flags: the memory that it orders
  GlobalId globalId{};
};

/// An access that did not happen, as it is outside of its object, of a kind that the object is not for, or not aligned.
struct RefusedAccess {
  ObservedAccess access;
  std::uint64_t begin = 0, bytes = 0;  ///< the object; a null pointer has none
};

/// An access to an image outside of it.
struct ObservedTexel {
  std::uint32_t site = 0;
  std::array<std::int32_t, 3> at{};
  std::array<std::uint32_t, 3> sizes{};  ///< 0: the image has no such dimension
  GlobalId globalId{};
};

/// An access to an image by a function for other channels than it has.
struct ObservedChannels {
  std::uint32_t site = 0;
  std::uint32_t type = 0;  ///< cl_channel_type
  GlobalId globalId{};
};

/// A read of an image with a sampler for which the function has no defined result.
struct ObservedSampler {
  std::uint32_t site = 0;
  std::uint64_t sampler = 0;  ///< compiler::SamplerBits
  bool isByIntegers = false;  ///< whether its coordinates are integers
  GlobalId globalId{};
};

/// A call whose argument has to be the same in all work-items of the work-group or sub-group.
struct ObservedUniform {
  std::uint32_t site = 0;   ///< Site::variable names the argument, which is an address if elementBytes is not 0
  std::uint32_t group = 0;  ///< 0: the work-group; else the number of the sub-group, and 1
  std::uint64_t value = 0;
  GlobalId globalId{};
};

/// A function that all work-items of a sub-group have to call, and only some do.
struct ObservedSubGroup {
  std::uint32_t site = 0;
  std::uint32_t here = 0, all = 0;  ///< work-items
  GlobalId globalId{};
};

/// A copy of the work-group begins, or a work-item waits for some.
struct ObservedCopy {
  std::uint32_t site = 0;
  std::span<const std::uint64_t> events;  ///< unknownEvent: any
  GlobalId globalId{};
};

/// A division, shift or conversion whose operand it does not allow.
struct ObservedArithmetic {
  std::uint32_t site = 0;
  std::uint64_t operand = 0;  ///< an integer with its sign, or the bits of a double
  GlobalId globalId{};
};

/// A use of a value that was never written.
struct ObservedValue {
  std::uint32_t site = 0;     ///< the place of the use
  std::uint32_t origin = 0;   ///< the access that read it, or the declaration of the variable; ~0: unknown
  std::uint64_t address = 0;  ///< that was read; 0: a variable
  GlobalId globalId{};
};

/// A work-item that has been in loops for longer than Observer::mostSeconds(). The launch ends.
struct ObservedLoops {
  std::span<const std::uint32_t> sites;  ///< places of the loops that it goes through, the first one most often
  GlobalId globalId{};
};

/// A place in a program, where code was generated for it.
struct ObservedPlace {
  std::string_view file;
  std::uint32_t line = 0, column = 0;
  std::string text{};  ///< the text of the line; empty: unknown
};

/// Code of the launch has made the processor fault. The launch ends.
struct ObservedFault {
  std::string_view text;  ///< the memory and the work-items, as far as they are known
  ObservedPlace place;    ///< line 0: unknown
};

/// In place of the site of a barrier: the kernel begins, or ways of work-items meet that began at different barriers.
inline constexpr std::uint32_t kernelBegins = ~0u, noBarrier = ~0u - 1;
/// In place of what a work-item does next: it has returned.
inline constexpr std::uint32_t hasReturned = ~0u;

/// The work-items of a work-group, or some of them, begin the kernel, or what follows a barrier.
struct ObservedRegion {
  std::uint32_t site = 0;                     ///< the place of the barrier, or kernelBegins
  std::uint32_t flags = 0;                    ///< the barrier's cl_mem_fence_flags
  GlobalId firstId{};                         ///< the first id of the work-group
  support::RaceInterval* interval = nullptr;  ///< the thread's interval, for code that looks at cells; else null
};

/// The states of a work-group's work-items when all have returned or wait at a barrier.
struct ObservedBarriers {
  std::span<const std::uint32_t> next;  ///< by work-item, x first: an index in `sites`, or hasReturned
  const std::uint32_t* sites;           ///< places of barriers
  GlobalId firstId{};
};

}  // namespace clarity::device
