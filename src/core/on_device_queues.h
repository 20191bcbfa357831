// SPDX-License-Identifier: Apache-2.0
// This file knows the on-device command-queues of a context (OpenCL 3.0, section 5.1), to which kernels enqueue.
#pragma once

#include "device/device_queue.h"

#include <CL/cl.h>

#include <memory>
#include <mutex>
#include <unordered_map>

namespace clarity::core {

class Device;

/// Keeps none of them: sched::Queue adds itself and removes itself. Thread-safe.
class OnDeviceQueues {
public:
  /// CL_OUT_OF_RESOURCES if the device has as many as it allows.
  void add(cl_command_queue queue, const Device&, std::shared_ptr<device::DeviceQueue>);
  void remove(cl_command_queue queue) noexcept;
  /// A command-queue as kernels have it; `queue` may be any value: null if it is none of these.
  std::shared_ptr<device::DeviceQueue> find(cl_command_queue queue) const;

  /// From now on get_default_queue() returns this one, which is one of the device's.
  void setDefault(const Device&, cl_command_queue queue);
  /// Null if the device has none.
  cl_command_queue defaultOf(const Device&) const;

private:
  struct Entry {
    const Device* device;
    std::shared_ptr<device::DeviceQueue> queue;
  };
  mutable std::mutex mutex_;
  std::unordered_map<cl_command_queue, Entry> queues_;
  std::unordered_map<const Device*, cl_command_queue> defaults_;
};

}  // namespace clarity::core
