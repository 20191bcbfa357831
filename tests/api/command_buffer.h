// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of cl_khr_command_buffer and of what is layered on it start from: the entry points by
// their names, and the rules that the specification repeats for each function that records a command.
#pragma once

#include "api/entry_points.h"
#include "enqueue_checks.h"

#include <functional>
#include <vector>

namespace clarity::test {

/// One clCommand*KHR with arguments that are right but for those given here.
using Record = std::function<cl_int(
    cl_command_buffer_khr buffer, cl_command_queue queue, const cl_command_properties_khr* properties, cl_uint waits,
    const cl_sync_point_khr* waitList, cl_sync_point_khr* point, cl_mutable_command_khr* handle)>;

struct CommandBufferTest : OpenCL {
  // ADDRESS(clFoo): a member clFoo that is the entry point.
#define ADDRESS(name) api::cl_api_##name name = nullptr
  ADDRESS(clCreateCommandBufferKHR);
  ADDRESS(clRetainCommandBufferKHR);
  ADDRESS(clReleaseCommandBufferKHR);
  ADDRESS(clFinalizeCommandBufferKHR);
  ADDRESS(clEnqueueCommandBufferKHR);
  ADDRESS(clGetCommandBufferInfoKHR);
  ADDRESS(clCommandBarrierWithWaitListKHR);
  ADDRESS(clCommandCopyBufferKHR);
  ADDRESS(clCommandCopyBufferRectKHR);
  ADDRESS(clCommandCopyBufferToImageKHR);
  ADDRESS(clCommandCopyImageKHR);
  ADDRESS(clCommandCopyImageToBufferKHR);
  ADDRESS(clCommandFillBufferKHR);
  ADDRESS(clCommandFillImageKHR);
  ADDRESS(clCommandNDRangeKernelKHR);
  ADDRESS(clCommandSVMMemcpyKHR);
  ADDRESS(clCommandSVMMemFillKHR);
  ADDRESS(clUpdateMutableCommandsKHR);
  ADDRESS(clGetMutableCommandInfoKHR);
  ADDRESS(clRemapCommandBufferKHR);
#undef ADDRESS

  cl_command_buffer_khr commands = nullptr;  ///< commands for `queue`, being recorded

  void SetUp() override;

  /// A command-buffer of these command-queues, or of `queue`.
  cl_command_buffer_khr commandBuffer(cl_bitfield flags = 0, std::vector<cl_command_queue> queues = {});
  cl_command_buffer_khr keepBuffer(cl_command_buffer_khr buffer) {
    if (buffer) atEnd([this, buffer] { clReleaseCommandBufferKHR(buffer); });
    return buffer;
  }
  cl_command_buffer_khr releasedBuffer();
  cl_command_queue queueOfAnotherContext();
  /// Records that `cells` of 4 bytes from the one at `at` on become `value`.
  cl_sync_point_khr recordFill(cl_command_buffer_khr buffer, cl_mem memory, cl_uint value, size_t cells = 1,
                               size_t at = 0, std::vector<cl_sync_point_khr> waits = {}, cl_command_queue on = nullptr);
  /// Records a launch over `global` work-items.
  cl_sync_point_khr recordLaunch(cl_command_buffer_khr buffer, cl_kernel kernel, size_t global,
                                 std::vector<cl_sync_point_khr> waits = {}, cl_command_queue on = nullptr);
  cl_int enqueue(cl_command_buffer_khr buffer, std::vector<cl_event> waits = {}, cl_event* event = nullptr);
  /// Finalizes, enqueues and waits.
  void run(cl_command_buffer_khr buffer);

  /// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_OPERATION,
  /// CL_INVALID_VALUE and CL_INVALID_SYNC_POINT_WAIT_LIST_KHR as they are the same for all that record. Nothing is
  /// recorded then. `changeable`: the command may have a handle.
  void expectRecordChecked(const Record& record, bool changeable = false);
  /// Handles that are no command-buffers.
  std::vector<BadHandle<cl_command_buffer_khr>> badBuffers();
};

/// Commands of images of one type: 2D, 4 bytes a texel. Skips where the device has no images.
struct CommandImageTest : CommandBufferTest {
  static constexpr size_t kWidth = 8, kHeight = 4, kBytes = kWidth * kHeight * 4;
  static constexpr size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1};
  static constexpr size_t outside[3] = {1, 0, 0};  ///< an origin from which the region is not in the image
  cl_mem first = nullptr, second = nullptr;        ///< images: counting bytes, zeros
  cl_mem bytes = nullptr;                          ///< a buffer as large as an image: counting bytes from 100 on

  void SetUp() override;

  cl_mem image(cl_context of, std::vector<unsigned char> content, cl_channel_order order = CL_RGBA);
  cl_mem foreignImage() { return image(otherContext(), std::vector<unsigned char>(kBytes)); }
  std::vector<unsigned char> texels(cl_mem of);
};

/// Commands of shared virtual memory. Skips where the device has none.
struct CommandSVMTest : CommandBufferTest {
  static constexpr size_t kSize = 256;
  unsigned char *first = nullptr, *second = nullptr;  ///< two allocations of kSize bytes

  void SetUp() override;
};

}  // namespace clarity::test
