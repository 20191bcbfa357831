// SPDX-License-Identifier: Apache-2.0
// This file is what a device knows of on-device command-queues (OpenCL 3.0, sections 3.2.3 and 5.1): kernels enqueue to
// them.
#pragma once

#include "device/properties.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace clarity::device {

/// An on-device command-queue. It is out of order, so that its size is all there is to it.
struct DeviceQueue {
  explicit DeviceQueue(std::size_t size) : bytes(size) {}

  /// Takes room for a command; false if the queue is full.
  bool take(std::size_t size) {
    std::size_t now = used.load(std::memory_order_relaxed);
    do {
      if (size > bytes - now) return false;
    } while (!used.compare_exchange_weak(now, now + size, std::memory_order_relaxed));
    return true;
  }
  void giveBack(std::size_t size) { used.fetch_sub(size, std::memory_order_relaxed); }

  const std::size_t bytes;
  std::atomic<std::size_t> used{0};
};

/// The on-device command-queues that a kernel may enqueue to. Kernels name one by its address.
struct LaunchQueues {
  const Properties* device = nullptr;     ///< limits of what is enqueued
  std::shared_ptr<DeviceQueue> standard;  ///< the result of get_default_queue(); null if there is none
  std::vector<std::shared_ptr<DeviceQueue>> arguments;

  DeviceQueue* find(std::uint64_t name) const {
    const auto isNamed = [&](const std::shared_ptr<DeviceQueue>& queue) {
      return name != 0 && nameOf(queue.get()) == name;
    };
    if (isNamed(standard)) return standard.get();
    const auto found = std::ranges::find_if(arguments, isNamed);
    return found == arguments.end() ? nullptr : found->get();
  }
  static std::uint64_t nameOf(const DeviceQueue* queue) { return reinterpret_cast<std::uintptr_t>(queue); }
};

}  // namespace clarity::device
