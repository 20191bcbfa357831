// SPDX-License-Identifier: Apache-2.0
// This file holds the steps that all functions share that record a command: command-buffer, command-queue,
// sync-points.
#pragma once

#include "api/enqueue.h"
#include "api/handle.h"
#include "api/new_extensions.h"
#include "sched/command_buffer.h"

#include <CL/cl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clarity::api {

/// Arguments that all clCommand*KHR have, checked but for their properties: CL_INVALID_COMMAND_BUFFER_KHR,
/// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_OPERATION, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR.
struct RecordCall {
  sched::CommandBuffer& buffer;
  std::uint32_t index;  ///< the command-queue's index
  sched::Queue& queue;
  std::span<const cl_sync_point_khr> waits;

  RecordCall(cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_uint num_sync_points,
             const cl_sync_point_khr* sync_points);

  /// CL_INVALID_VALUE for properties, of which only kernels have any, and for a place for a handle.
  void requireNoProperties(const cl_command_properties_khr* properties, const cl_mutable_command_khr* handle) const;

  /// Adds the command and returns its sync-point if the application wants it.
  void record(cl_sync_point_khr* sync_point, std::unique_ptr<sched::Command> command,
              sched::CommandBuffer::Order order = sched::CommandBuffer::Order::Normal) {
    finish(sync_point, buffer.add(std::move(command), index, waits, order));
  }
  static void finish(cl_sync_point_khr* place, cl_sync_point_khr sync_point) {
    if (place) *place = sync_point;
  }
};

/// The command of a dispatch with everything checked; null while arguments are not set.
std::unique_ptr<sched::Command> commandOf(sched::Queue& queue, const sched::Dispatch& dispatch);

/// CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if `flags` ask for devices that synchronize themselves, and those of the
/// command-queues do not.
void requireSyncOfDevices(cl_bitfield flags, const std::vector<Ref<sched::Queue>>& queues);

}  // namespace clarity::api
