// SPDX-License-Identifier: Apache-2.0
// This file is a command that a kernel has enqueued, and an event of one (child_kernels.h).
#pragma once

#include "device/cpu/child_kernels.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clarity::device::cpu {

// Results of the functions of OpenCL C: CLK_... of opencl-c-base.h.
inline constexpr std::int32_t clkSuccess = 0, clkEnqueueFailure = -101, clkInvalidQueue = -102,
                              clkInvalidNdrange = -160, clkInvalidEventWaitList = -57, clkDeviceQueueFull = -161,
                              clkInvalidArgSize = -51, clkEventAllocationFailure = -100, clkOutOfResources = -5;

struct ChildKernels::Event {
  std::int32_t status = CL_SUBMITTED;  ///< as in OpenCL C: CL_COMPLETE, an error, or above
  std::uint32_t references = 1;
  bool isUser = false;
  std::uint64_t times[2] = {0, 0};  ///< nanoseconds from the command's start to its end and to its completion
  std::vector<Command*> waiting;
  std::vector<std::uint64_t*> profiles;  ///< places of the kernel's for `times`
};

struct ChildKernels::Command {
  Command(ChildKernels& its, const compiler::KernelInfo* kernel) : family(its) { launch.info = kernel; }

  ChildKernels& family;
  Launch launch;  ///< without a kernel: a marker
  const compiler::KernelInfo* enqueuedBy = nullptr;
  Command* parent = nullptr;     ///< that is complete after this; null: this is the root
  std::size_t place = 0;         ///< in all_
  DeviceQueue* queue = nullptr;  ///< that it takes room in until it has ended
  std::uint64_t event = 0;       ///< its number; 0: none
  std::uint32_t waits = 0;       ///< for events, and for the kernel that has enqueued it
  bool awaitedFailed = false;
  std::int32_t status = CL_COMPLETE;
  std::uint64_t unfinished = 1;  ///< itself, and those whose `parent` it is
  std::uint64_t startedAt = 0, endedAt = 0;
  std::vector<Command*> enqueued;  ///< kernels that wait for its end

  /// The room that it takes in a command-queue.
  std::size_t bytes() const { return 128 + launch.args.size(); }
  void leaveQueue() {
    if (queue) queue->giveBack(bytes());
    queue = nullptr;
  }
};

}  // namespace clarity::device::cpu
