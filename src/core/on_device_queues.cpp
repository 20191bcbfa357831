// SPDX-License-Identifier: Apache-2.0
// This file keeps the list of on-device command-queues.
#include "core/on_device_queues.h"

#include "core/device.h"
#include "core/error.h"

#include <algorithm>
#include <utility>

namespace clarity::core {

void OnDeviceQueues::add(cl_command_queue queue, const Device& device, std::shared_ptr<device::DeviceQueue> its) {
  const std::lock_guard lock(mutex_);
  const auto count = std::ranges::count_if(queues_, [&](const auto& each) { return each.second.device == &device; });
  const cl_uint most = device.properties().onDeviceQueues.maxQueues;
  if (static_cast<std::size_t>(count) >= most)
    fail(CL_OUT_OF_RESOURCES, "device '{}' has {} on-device command-queues in this context, the most it allows",
         device.properties().name, count);
  queues_.emplace(queue, Entry{&device, std::move(its)});
}

void OnDeviceQueues::remove(cl_command_queue queue) noexcept {
  const std::lock_guard lock(mutex_);
  queues_.erase(queue);
  std::erase_if(defaults_, [&](const auto& each) { return each.second == queue; });
}

std::shared_ptr<device::DeviceQueue> OnDeviceQueues::find(cl_command_queue queue) const {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(queue);
  return found == queues_.end() ? nullptr : found->second.queue;
}

void OnDeviceQueues::setDefault(const Device& device, cl_command_queue queue) {
  const std::lock_guard lock(mutex_);
  defaults_[&device] = queue;
}

cl_command_queue OnDeviceQueues::defaultOf(const Device& device) const {
  const std::lock_guard lock(mutex_);
  const auto found = defaults_.find(&device);
  return found == defaults_.end() ? nullptr : found->second;
}

}  // namespace clarity::core
