// SPDX-License-Identifier: Apache-2.0
// This file is how events of instrumented code reach those who want to know of them: checkers, profilers. A launch that
// names an observer (Launch::observer) runs code that is instrumented for it; other launches run code that has nothing
// of this.
#pragma once

#include "compiler/compiler.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
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
};

using GlobalId = std::array<std::uint64_t, 3>;

/// A work-item is about to access memory.
struct ObservedAccess {
  std::uint32_t site = 0;  ///< index in ObservedLaunch::sites
  std::uint64_t address = 0, bytes = 0;
  GlobalId globalId{};
};

/// An access that did not happen, as it is outside of its object, of a kind that the object is not for, or not aligned.
struct RefusedAccess {
  ObservedAccess access;
  std::uint64_t begin = 0, bytes = 0;  ///< the object; a null pointer has none
};

/// A division, shift or conversion whose operand it does not allow.
struct ObservedArithmetic {
  std::uint32_t site = 0;
  std::uint64_t operand = 0;  ///< an integer with its sign, or the bits of a double
  GlobalId globalId{};
};

/// In place of the site of a barrier: the kernel begins, or ways of work-items meet that began at different barriers.
inline constexpr std::uint32_t kernelBegins = ~0u, noBarrier = ~0u - 1;
/// In place of what a work-item does next: it has returned.
inline constexpr std::uint32_t hasReturned = ~0u;

/// The work-items of a work-group, or some of them, begin what follows a barrier, or another part of the kernel.
struct ObservedRegion {
  std::uint32_t site = 0;   ///< of the barrier, kernelBegins or noBarrier
  std::uint32_t flags = 0;  ///< of the barrier, cl_mem_fence_flags
  GlobalId firstId{};       ///< of the work-group
};

/// Where the work-items of a work-group are when all have returned or wait at a barrier.
struct ObservedBarriers {
  std::span<const std::uint32_t> next;  ///< by work-item, x first: an index in `sites`, or hasReturned
  const std::uint32_t* sites;           ///< of barriers
  GlobalId firstId{};
};

/// Gets the events of one launch. With Instrumentation::Check they come from one thread, by work-group and, between two
/// barriers, by work-item, both in the order z, y, x. With Profile they come from several threads at once, on each
/// thread in that order, and are accesses only. With CheckAllowed they come so too, and are all but accesses.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;
  virtual void access(const ObservedAccess&) {}
  virtual void refused(const RefusedAccess&) {}
  virtual void arithmetic(const ObservedArithmetic&) {}
  virtual void region(const ObservedRegion&) {}
  virtual void barriers(const ObservedBarriers&) {}
  /// The launch has ended, by an error if `completed` is false; nothing follows.
  virtual void end(bool /*completed*/) {}
};

/// Observes launches. Thread-safe.
class Observer {
public:
  virtual ~Observer() = default;
  /// What the code of observed launches is compiled for: Check or Profile.
  virtual compiler::Instrumentation instrumentation() const = 0;
  /// A launch begins.
  virtual std::unique_ptr<LaunchObserver> begin(const ObservedLaunch&) { return std::make_unique<LaunchObserver>(); }
  /// A launch that runs as if it had no observer, and why: its program keeps no portable IR.
  virtual void cannotObserve(const compiler::KernelInfo&, std::string_view /*why*/) {}
};

}  // namespace clarity::device
