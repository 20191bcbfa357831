// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of cl_khr_external_memory start from: files in memory, and buffers that are made of them.
#pragma once

#include "api/entry_points.h"
#include "enqueue_checks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

namespace clarity::test {

struct ExternalMemoryTest : OpenCL {
  static constexpr size_t kBytes = 8192;
  static constexpr cl_mem_properties kFd = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
  using HandOver = cl_int (*)(cl_command_queue, cl_uint, const cl_mem*, cl_uint, const cl_event*, cl_event*);

  HandOver acquire = nullptr, release = nullptr;
  int file = -1;              ///< a file of kBytes bytes
  cl_int* content = nullptr;  ///< as this process sees it

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    const std::string names = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
    if (names.find(" cl_khr_external_memory ") == std::string::npos) GTEST_SKIP() << "the device imports no memory";
    acquire = reinterpret_cast<HandOver>(
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueAcquireExternalMemObjectsKHR"));
    release = reinterpret_cast<HandOver>(
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueReleaseExternalMemObjectsKHR"));
    ASSERT_NE(acquire, nullptr);
    ASSERT_NE(release, nullptr);
    file = memfd_create("test", MFD_CLOEXEC);
    ASSERT_GE(file, 0);
    ASSERT_EQ(ftruncate(file, kBytes), 0);
    void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    content = static_cast<cl_int*>(mapped);
    for (size_t i = 0; i < kBytes / sizeof(cl_int); ++i) content[i] = static_cast<cl_int>(i);
    atEnd([this] {
      munmap(content, kBytes);
      close(file);
    });
  }

  /// A descriptor to give away.
  cl_mem_properties handle() { return static_cast<cl_mem_properties>(dup(file)); }
  cl_mem imported(size_t bytes = kBytes, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    const cl_mem_properties properties[] = {kFd, handle(), 0};
    return created(
        [&](cl_int* e) { return clCreateBufferWithProperties(context, properties, flags, bytes, nullptr, e); });
  }
  /// Writes twice each element, and the command-queue's commands around it.
  void doubleAll(cl_mem memory) {
    cl_kernel its = kernel("kernel void twice(global int* p) { p[get_global_id(0)] *= 2; }", "twice");
    ASSERT_SUCCESS(clSetKernelArg(its, 0, sizeof memory, &memory));
    ASSERT_SUCCESS(acquire(queue, 1, &memory, 0, nullptr, nullptr));
    launch(its, kBytes / sizeof(cl_int));
    ASSERT_SUCCESS(release(queue, 1, &memory, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queue));
  }

  /// Errors that the two commands have in common.
  void checkErrors(HandOver call, cl_command_type type) {
    cl_mem memory = imported();
    cl_event event = nullptr;
    ASSERT_SUCCESS(call(queue, 1, &memory, 0, nullptr, &event));
    EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, keep(event), CL_EVENT_COMMAND_TYPE), type);
    event = nullptr;
    ASSERT_SUCCESS(call(queue, 0, nullptr, 0, nullptr, &event));
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    keep(event);
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 0, &memory, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 1, nullptr, 0, nullptr, nullptr));
    cl_mem plain = buffer(64);
    const cl_buffer_region region{0, 1024};
    cl_mem part =
        created([&](cl_int* e) { return clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e); });
    for (cl_mem wrong : {plain, part, cl_mem{nullptr}, notAnObject<cl_mem>(), reinterpret_cast<cl_mem>(queue)})
      EXPECT_CL(CL_INVALID_MEM_OBJECT, call(queue, 1, &wrong, 0, nullptr, nullptr));
    for (cl_command_queue wrong : {cl_command_queue{nullptr}, notAnObject<cl_command_queue>()})
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, call(wrong, 1, &memory, 0, nullptr, nullptr));
    cl_context other = otherContext();
    cl_command_queue elsewhere =
        created([&](cl_int* e) { return clCreateCommandQueueWithProperties(other, device, nullptr, e); });
    EXPECT_CL(CL_INVALID_CONTEXT, call(elsewhere, 1, &memory, 0, nullptr, nullptr));
    expectWaitListChecked(*this, [&](cl_command_queue on, cl_uint n, const cl_event* list, cl_event* made) {
      return call(on, 1, &memory, n, list, made);
    });
    cl_event failed = userEvent();
    ASSERT_SUCCESS(clSetUserEventStatus(failed, -1));
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, call(queue, 1, &memory, 1, &failed, nullptr));
  }
};

}  // namespace clarity::test
