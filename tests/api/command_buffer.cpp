// SPDX-License-Identifier: Apache-2.0
// This file finds the entry points of command-buffers and checks the rules that all functions share that record.
#include "command_buffer.h"

#include <array>

namespace clarity::test {

void CommandBufferTest::SetUp() {
  OpenCL::SetUp();
  if (HasFatalFailure()) return;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        clGetExtensionFunctionAddressForPlatform(platform, name));
    ASSERT_NE(function, nullptr) << name;
  };
#define FIND(name) find(name, #name)
  FIND(clCreateCommandBufferKHR);
  FIND(clRetainCommandBufferKHR);
  FIND(clReleaseCommandBufferKHR);
  FIND(clFinalizeCommandBufferKHR);
  FIND(clEnqueueCommandBufferKHR);
  FIND(clGetCommandBufferInfoKHR);
  FIND(clCommandBarrierWithWaitListKHR);
  FIND(clCommandCopyBufferKHR);
  FIND(clCommandCopyBufferRectKHR);
  FIND(clCommandCopyBufferToImageKHR);
  FIND(clCommandCopyImageKHR);
  FIND(clCommandCopyImageToBufferKHR);
  FIND(clCommandFillBufferKHR);
  FIND(clCommandFillImageKHR);
  FIND(clCommandNDRangeKernelKHR);
  FIND(clCommandSVMMemcpyKHR);
  FIND(clCommandSVMMemFillKHR);
  FIND(clUpdateMutableCommandsKHR);
  FIND(clGetMutableCommandInfoKHR);
  FIND(clRemapCommandBufferKHR);
#undef FIND
  if (HasFatalFailure()) return;
  commands = commandBuffer();
}

cl_command_buffer_khr CommandBufferTest::commandBuffer(cl_bitfield flags, std::vector<cl_command_queue> queues) {
  if (queues.empty()) queues.push_back(queue);
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
  cl_int error = CL_INVALID_VALUE;
  cl_command_buffer_khr made = clCreateCommandBufferKHR(static_cast<cl_uint>(queues.size()), queues.data(),
                                                        flags ? properties : nullptr, &error);
  EXPECT_SUCCESS(error);
  return keepBuffer(made);
}

cl_command_buffer_khr CommandBufferTest::releasedBuffer() {
  cl_command_buffer_khr made = clCreateCommandBufferKHR(1, &queue, nullptr, nullptr);
  EXPECT_SUCCESS(clReleaseCommandBufferKHR(made));
  return made;
}

cl_command_queue CommandBufferTest::queueOfAnotherContext() {
  cl_int error = CL_INVALID_VALUE;
  cl_command_queue made = clCreateCommandQueueWithProperties(otherContext(), device, nullptr, &error);
  EXPECT_SUCCESS(error);
  return keep(made);
}

cl_sync_point_khr CommandBufferTest::recordFill(cl_command_buffer_khr buffer, cl_mem memory, cl_uint value,
                                                size_t cells, size_t at, std::vector<cl_sync_point_khr> waits,
                                                cl_command_queue on) {
  cl_sync_point_khr point = 0;
  EXPECT_SUCCESS(clCommandFillBufferKHR(buffer, on, nullptr, memory, &value, sizeof value, at * sizeof value,
                                        cells * sizeof value, static_cast<cl_uint>(waits.size()),
                                        waits.empty() ? nullptr : waits.data(), &point, nullptr));
  return point;
}

cl_sync_point_khr CommandBufferTest::recordLaunch(cl_command_buffer_khr buffer, cl_kernel kernel, size_t global,
                                                  std::vector<cl_sync_point_khr> waits, cl_command_queue on) {
  cl_sync_point_khr point = 0;
  EXPECT_SUCCESS(clCommandNDRangeKernelKHR(buffer, on, nullptr, kernel, 1, nullptr, &global, nullptr,
                                           static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                                           &point, nullptr));
  return point;
}

cl_int CommandBufferTest::enqueue(cl_command_buffer_khr buffer, std::vector<cl_event> waits, cl_event* event) {
  return clEnqueueCommandBufferKHR(0, nullptr, buffer, static_cast<cl_uint>(waits.size()),
                                   waits.empty() ? nullptr : waits.data(), event);
}

void CommandBufferTest::run(cl_command_buffer_khr buffer) {
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  ASSERT_SUCCESS(enqueue(buffer));
  ASSERT_SUCCESS(clFinish(queue));
}

std::vector<BadHandle<cl_command_buffer_khr>> CommandBufferTest::badBuffers() {
  std::vector<BadHandle<cl_command_buffer_khr>> bad{{"NULL", nullptr}};
  if (!promisesBadHandles(*this)) return bad;
  bad.push_back({"foreign memory", notAnObject<cl_command_buffer_khr>()});
  bad.push_back({"a command-queue", reinterpret_cast<cl_command_buffer_khr>(queue)});
  bad.push_back({"a released object", releasedBuffer()});
  return bad;
}

void CommandBufferTest::expectRecordChecked(const Record& record, bool changeable) {
  constexpr cl_sync_point_khr kUntouched = 0xDEAD;
  cl_sync_point_khr point = kUntouched;
  const auto plain = [&](cl_command_buffer_khr buffer, cl_command_queue on) {
    return record(buffer, on, nullptr, 0, nullptr, &point, nullptr);
  };
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, plain(commands, anotherQueue())) << "a command-queue of another command-buffer";
  EXPECT_CL(CL_INVALID_CONTEXT, plain(commands, queueOfAnotherContext()));
  const cl_command_properties_khr unknown[] = {0x7777, 1, 0};
  EXPECT_CL(CL_INVALID_VALUE, record(commands, nullptr, unknown, 0, nullptr, &point, nullptr));
  if (!changeable) {
    cl_mutable_command_khr handle = nullptr;
    EXPECT_CL(CL_INVALID_VALUE, record(commands, nullptr, nullptr, 0, nullptr, &point, &handle));
    const cl_command_properties_khr ofKernels[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
    EXPECT_CL(CL_INVALID_VALUE, record(commands, nullptr, ofKernels, 0, nullptr, &point, nullptr));
  }
  const std::array<cl_sync_point_khr, 2> none{0, 77};
  for (const cl_sync_point_khr& bad : none)
    EXPECT_CL(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(commands, nullptr, nullptr, 1, &bad, &point, nullptr))
        << "sync-point " << bad;
  EXPECT_CL(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(commands, nullptr, nullptr, 1, nullptr, &point, nullptr));
  EXPECT_CL(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(commands, nullptr, nullptr, 0, none.data(), &point, nullptr));
  cl_command_queue second = anotherQueue();
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, plain(commandBuffer(0, {queue, second}), nullptr))
      << "no command-queue where there are two";
  cl_command_buffer_khr finalized = commandBuffer();
  EXPECT_SUCCESS(clFinalizeCommandBufferKHR(finalized));
  EXPECT_CL(CL_INVALID_OPERATION, plain(finalized, nullptr));
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, plain(bad.handle, nullptr)) << "the command-buffer is " << bad.what;
  EXPECT_EQ(point, kUntouched) << "a sync-point of a command that was not recorded";
  // The command-queue may be named, properties may be an empty list, nothing has to be returned.
  const cl_command_properties_khr empty[] = {0};
  EXPECT_SUCCESS(record(commands, queue, empty, 0, nullptr, nullptr, nullptr));
  EXPECT_SUCCESS(plain(commands, nullptr));
  EXPECT_NE(point, kUntouched);
  const cl_sync_point_khr first = point, next = point + 1;
  EXPECT_CL(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(commands, nullptr, nullptr, 1, &next, &point, nullptr))
      << "the sync-point of a command that is not recorded yet";
  EXPECT_SUCCESS(record(commands, nullptr, nullptr, 1, &first, &point, nullptr));
  EXPECT_NE(point, first);
}

void CommandImageTest::SetUp() {
  CommandBufferTest::SetUp();
  if (HasFatalFailure()) return;
  if (!infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "the device has no images";
  first = image(context, countingBytes(kBytes));
  second = image(context, std::vector<unsigned char>(kBytes));
  bytes = bufferOf(countingBytes(kBytes, 100));
}

cl_mem CommandImageTest::image(cl_context of, std::vector<unsigned char> content, cl_channel_order order) {
  const cl_image_format format{order, CL_UNORM_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  return created([&](cl_int* e) {
    return clCreateImage(of, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, content.data(), e);
  });
}

std::vector<unsigned char> CommandImageTest::texels(cl_mem of) {
  std::vector<unsigned char> result(kBytes);
  EXPECT_SUCCESS(clEnqueueReadImage(queue, of, CL_TRUE, origin, region, 0, 0, result.data(), 0, nullptr, nullptr));
  return result;
}

void CommandSVMTest::SetUp() {
  CommandBufferTest::SetUp();
  if (HasFatalFailure()) return;
  if (infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) == 0)
    GTEST_SKIP() << "the device has no shared virtual memory";
  for (unsigned char** each : {&first, &second}) {
    void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0);
    ASSERT_NE(memory, nullptr);
    atEnd([this, memory] { clSVMFree(context, memory); });
    *each = static_cast<unsigned char*>(memory);
  }
}

}  // namespace clarity::test
