// SPDX-License-Identifier: Apache-2.0
// This file makes the commands that can be enqueued and recorded: each function checks the arguments of one
// clEnqueue* and one clCommand*KHR, but for command-queue, wait list and event, and throws the errors of both.
#pragma once

#include "core/kernel.h"
#include "sched/command.h"
#include "sched/queue.h"

#include <CL/cl.h>

#include <cstddef>
#include <memory>

namespace clarity::built_in {
struct GivenRange;
}

namespace clarity::api {

std::unique_ptr<sched::Command> copyBuffer(sched::Queue& queue, cl_mem source, cl_mem target, std::size_t sourceOffset,
                                           std::size_t targetOffset, std::size_t size);

/// The pitches of one side of a rectangular copy; 0: as close as possible.
struct Pitches {
  std::size_t row, slice;
};
std::unique_ptr<sched::Command> copyBufferRect(sched::Queue& queue, cl_mem source, cl_mem target,
                                               const std::size_t* sourceOrigin, const std::size_t* targetOrigin,
                                               const std::size_t* region, Pitches sourcePitches, Pitches targetPitches);

std::unique_ptr<sched::Command> fillBuffer(sched::Queue& queue, cl_mem buffer, const void* pattern,
                                           std::size_t patternBytes, std::size_t offset, std::size_t size);

std::unique_ptr<sched::Command> copyImage(sched::Queue& queue, cl_mem source, cl_mem target,
                                          const std::size_t* sourceOrigin, const std::size_t* targetOrigin,
                                          const std::size_t* region);

std::unique_ptr<sched::Command> copyImageToBuffer(sched::Queue& queue, cl_mem source, cl_mem target,
                                                  const std::size_t* sourceOrigin, const std::size_t* region,
                                                  std::size_t targetOffset);

std::unique_ptr<sched::Command> copyBufferToImage(sched::Queue& queue, cl_mem source, cl_mem target,
                                                  std::size_t sourceOffset, const std::size_t* targetOrigin,
                                                  const std::size_t* region);

std::unique_ptr<sched::Command> fillImage(sched::Queue& queue, cl_mem image, const void* color,
                                          const std::size_t* origin, const std::size_t* region);

std::unique_ptr<sched::Command> copyShared(sched::Queue& queue, void* target, const void* source, std::size_t size);

std::unique_ptr<sched::Command> fillShared(sched::Queue& queue, void* target, const void* pattern,
                                           std::size_t patternBytes, std::size_t size);

/// clEnqueueNDRangeKernel and clEnqueueTask. A launch of no work-items is a command without operation. `isRecorded`: it
/// is for a command-buffer, which may be enqueued at any time.
std::unique_ptr<sched::Command> launchKernel(sched::Queue& queue, core::Kernel& kernel, cl_command_type type,
                                             cl_uint dims, const std::size_t* offset, const std::size_t* global,
                                             const std::size_t* local, bool isRecorded);

/// The same of a built-in kernel: the launches of its plan, as one command.
std::unique_ptr<sched::Command> launchBuiltIn(sched::Queue& queue, core::Kernel& kernel, cl_command_type type,
                                              const built_in::GivenRange& given, bool isRecorded);

/// Checks of launchKernel() on the sizes, for a launch whose arguments are not all set. The NDRange with the work-group
/// size; `empty` if there are no work-items.
device::NDRange checkRange(sched::Queue& queue, core::Kernel& kernel, cl_uint dims, const std::size_t* offset,
                           const std::size_t* global, const std::size_t* local, bool& empty);

/// clSetKernelExecInfo.
void setExecInfo(core::Kernel& kernel, cl_kernel_exec_info name, std::size_t size, const void* value);

/// clSetKernelArgSVMPointer.
void setPointer(core::Kernel& kernel, cl_uint index, const void* pointer);

}  // namespace clarity::api
