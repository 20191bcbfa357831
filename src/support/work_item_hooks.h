// SPDX-License-Identifier: Apache-2.0
// This file declares what debugged code calls (Instrumentation::Debug), of which a call executes one work-item. The JIT
// resolves the symbols; the CPU device defines them (device/cpu/turns.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

/// The work-item that a thread executes: what code reads of it.
struct WorkItemPlace {
  std::uint64_t globalId[3];
  std::uint64_t localId[3];
  std::uint64_t groupId[3];
  std::uint64_t localSize[3];  ///< the size of its work-group
  std::uint64_t linearId;      ///< in its work-group
  std::uint64_t items;         ///< work-items of its work-group
  const void* launch;          ///< compiler::LaunchInfo
  std::byte* local;            ///< its work-group's local memory
  std::uint64_t localBytes;
};

extern "C" {

/// The work-item that this thread executes.
const WorkItemPlace* __clarity_work_item();

/// Returns when all work-items of the work-group have called it, or have ended.
void __clarity_wait_at_barrier(std::uint32_t flags);

/// Returns when all work-items of the work-group have called it: the values of all of them, `bytes` each, by linear id.
/// They are this work-item's own, which it may change, until it calls it again; 64 more values may be read and written.
void* __clarity_meet_work_group(const void* value, std::uint64_t bytes);

/// Returns when all work-items of the sub-group that come to this call, `call`, have done so: a bit for each of them.
/// `row` gets their values, by their lanes.
std::uint64_t __clarity_meet_sub_group(const void* value, std::uint64_t bytes, void* row, std::uint32_t size,
                                       std::uint32_t call);

}  // extern "C"
