// SPDX-License-Identifier: Apache-2.0
// This file executes debugged code (Instrumentation::Debug): the work-items of a group take turns, each until it ends
// or waits for others. A work-item that waits is on a thread of its own, so that debuggers have its frames and its
// variables as they have those of any thread; those that never wait share one.
#pragma once

#include "compiler/ir/kernel_abi.h"
#include "device/observer.h"
#include "support/fault_guard.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace clarity::device::cpu {

/// Lets generated code call support/work_item_hooks.h. Ahead of the first code that is loaded.
void provideWorkItemHooks();

/// Whether an address is in the local memory of the work-item that this thread executes.
bool isLocalToWorkItem(const void* address);

/// A launch as its work-items see it.
struct TurnsLaunch {
  compiler::Entry entry;
  const char* kernel;
  const std::byte* args;
  const compiler::LaunchInfo& info;
  const compiler::WorkerMemory& memory;
  std::uint64_t frameBytes;                 ///< that the code needs of a stack
  std::span<const ObservedMemory> buffers;  ///< by argument
};

/// Executes the work-groups of a slice one after another, and no others of this process meanwhile. False after a fault
/// of a work-item, when all others are ended too, or when `isEnded` says between two groups that the launch is to end;
/// it is called on any thread.
bool runInTurns(const TurnsLaunch&, const compiler::Slice&, support::Fault&, const std::function<bool()>& isEnded);

}  // namespace clarity::device::cpu
