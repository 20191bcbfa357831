// SPDX-License-Identifier: Apache-2.0
// This file writes and reads a launch. Pointers become numbers: those of the executable, the kernel, allocations and
// the flag that ends it; on-device command-queues keep their name, and the node has one of its own for each.
#pragma once

#include "device/cluster/wire.h"
#include "device/device_queue.h"
#include "device/executable.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace clarity::device::cluster {

/// The numbers of the objects of a launch.
struct LaunchNames {
  std::uint32_t executable = 0, kernel = 0, endFlag = 0;
};

void writeLaunch(Writer&, const Launch&, const LaunchNames&);

/// The objects of a node that a launch names.
class LaunchObjects {
public:
  struct Kernel {
    Executable* executable = nullptr;
    const compiler::KernelInfo* info = nullptr;
  };
  virtual Kernel kernel(std::uint32_t executable, std::uint32_t kernel) = 0;
  virtual Allocation* allocation(std::uint32_t) = 0;
  virtual const std::atomic<bool>* endFlag(std::uint32_t) = 0;
  /// The queue of this name, which is on the device of that executable.
  virtual std::shared_ptr<DeviceQueue> queue(std::uint64_t name, std::uint64_t bytes) = 0;
  virtual const Properties& propertiesOf(std::uint32_t executable) = 0;

protected:
  ~LaunchObjects() = default;
};

/// The allocation number of a buffer argument without memory.
inline constexpr std::uint32_t noAllocation = 0;

/// False if there is no such kernel or allocation.
bool readLaunch(Reader&, LaunchObjects&, Launch&);

}  // namespace clarity::device::cluster
