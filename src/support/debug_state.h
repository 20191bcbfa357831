// SPDX-License-Identifier: Apache-2.0
// This file is what the driver keeps for debuggers about the work-group whose debugged code runs. The driver exports
// `clarity_debug_state`; tools/debug/clarity_gdb.py reads it by this layout, so a change is a new version.
#pragma once

#include "support/work_item_hooks.h"

#include <cstdint>

/// States of a work-item.
enum WorkItemState : std::uint32_t {
  WorkItemNotBegun = 0,
  WorkItemRuns = 1,
  WorkItemReady = 2,       ///< it waits for its turn
  WorkItemAtBarrier = 3,   ///< it waits for the work-group
  WorkItemInSubGroup = 4,  ///< it waits for its sub-group
  WorkItemEnded = 5,
};

struct DebuggedItem {
  WorkItemPlace place;
  std::uint32_t state;
  std::int32_t thread;    ///< the system's number of the thread that executes it; 0: none yet
  std::uint64_t waitsAt;  ///< an instruction of its code, behind the call at which it waits
};

/// Memory that an argument of the launch points at.
struct DebuggedMemory {
  std::uint64_t address, bytes;
  std::uint64_t argument;  ///< its index
};

struct DebugState {
  std::uint32_t version;
  std::uint32_t itemBytes, memoryBytes;  ///< sizes of the structures above
  std::uint32_t workDim;
  const char* kernel;  ///< null: no debugged code runs; the rest is of no meaning then
  std::uint64_t globalOffset[3], globalSize[3], localSize[3], numGroups[3], groupId[3];
  std::uint64_t itemCount;
  const DebuggedItem* items;  ///< by linear id
  std::uint64_t memoryCount;
  const DebuggedMemory* memory;
};

inline constexpr std::uint32_t debugStateVersion = 1;

extern "C" {
[[gnu::visibility("default")]] extern DebugState clarity_debug_state;
/// Called with each finding of a check, in the thread of the work-item: debuggers have a breakpoint in it.
[[gnu::visibility("default")]] void clarity_debug_finding(const char* text);
}
