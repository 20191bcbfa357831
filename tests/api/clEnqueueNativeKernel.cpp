// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueNativeKernel (OpenCL 3.0, section 5.10).
#include "enqueue_checks.h"

#include <array>

namespace clarity::test {
namespace {

/// The arguments of the native kernels here; `memory` holds a cl_mem until the pointer takes its place.
struct Args {
  unsigned char* memory;
  unsigned char* second;
  unsigned size;
  unsigned char value;
};

void CL_CALLBACK fillNatively(void* data) {
  const auto* args = static_cast<Args*>(data);
  for (unsigned i = 0; i < args->size; ++i) args->memory[i] = static_cast<unsigned char>(args->value + i);
}

void CL_CALLBACK copyNatively(void* data) {
  const auto* args = static_cast<Args*>(data);
  for (unsigned i = 0; i < args->size; ++i) args->second[i] = args->memory[i];
}

struct EnqueueNativeKernel : OpenCL {
  static constexpr unsigned kSize = 64;
  cl_mem memory = nullptr;
  Args args{nullptr, nullptr, kSize, 9};
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const void* place = &args.memory;
    return driver->clEnqueueNativeKernel(q, &fillNatively, &args, sizeof args, 1, &memory, &place, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    const auto can = infoOf<cl_device_exec_capabilities>(clGetDeviceInfo, device, CL_DEVICE_EXECUTION_CAPABILITIES);
    memory = bufferOf(std::vector<unsigned char>(kSize, 0));
    if (can & CL_EXEC_NATIVE_KERNEL) return;
    // CL_INVALID_OPERATION if the device associated with command_queue cannot execute the native kernel.
    EXPECT_CL(CL_INVALID_OPERATION, enqueue(queue, 0, nullptr, nullptr));
    GTEST_SKIP() << "the device reports no CL_EXEC_NATIVE_KERNEL, and refuses it";
  }
  cl_int call(void(CL_CALLBACK* function)(void*), void* data, size_t bytes, cl_uint count, const cl_mem* list,
              const void** places) {
    return driver->clEnqueueNativeKernel(queue, function, data, bytes, count, list, places, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueNativeKernel, getsPointersInPlaceOfItsMemoryObjects) {
  cl_mem target = bufferOf(std::vector<unsigned char>(kSize, 0));
  const std::array<cl_mem, 2> list{memory, target};
  std::array<const void*, 2> places{&args.memory, &args.second};
  ASSERT_SUCCESS(enqueue(queue, 0, nullptr, nullptr));
  ASSERT_SUCCESS(call(&copyNatively, &args, sizeof args, 2, list.data(), places.data()));
  EXPECT_EQ(read<unsigned char>(target, kSize), countingBytes(kSize, 9));
}

// The arguments are copied: the application may change its own at once.
TEST_F(EnqueueNativeKernel, itsArgumentsAreCopied) {
  cl_event gate = userEvent();
  ASSERT_SUCCESS(enqueue(queue, 1, &gate, nullptr));
  args.value = 100;
  args.size = 0;
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<unsigned char>(memory, kSize), countingBytes(kSize, 9));
}

TEST_F(EnqueueNativeKernel, withoutArgumentsAndMemory) {
  static int calls = 0;
  calls = 0;
  ASSERT_SUCCESS(call([](void*) { ++calls; }, nullptr, 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(calls, 1);
}

// An element of mem_list may be NULL; the function then finds NULL in its place.
TEST_F(EnqueueNativeKernel, aNullMemoryObjectIsANullPointer) {
  struct Args {
    void* pointer;
    int* isNull;
  };
  int isNull = -1;
  Args args{&isNull, &isNull};
  const void* place = &args.pointer;
  const cl_mem none = nullptr;
  ASSERT_SUCCESS(
      call([](void* data) { *static_cast<Args*>(data)->isNull = static_cast<Args*>(data)->pointer == nullptr; }, &args,
           sizeof args, 1, &none, &place));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(isNull, 1);
}

TEST_F(EnqueueNativeKernel, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_NATIVE_KERNEL);
  EXPECT_EQ(read<unsigned char>(memory, kSize), countingBytes(kSize, 9));
}

TEST_F(EnqueueNativeKernel, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(read<unsigned char>(memory, kSize), std::vector<unsigned char>(kSize, 0));
}

// command_queue is not a command-queue.
TEST_F(EnqueueNativeKernel, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueNativeKernel, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// user_func is NULL.
TEST_F(EnqueueNativeKernel, invalidValueOfFunction) {
  EXPECT_CL(CL_INVALID_VALUE, call(nullptr, &args, sizeof args, 0, nullptr, nullptr));
}

// args and cb_args, or args and num_mem_objects, contradict each other.
TEST_F(EnqueueNativeKernel, invalidValueOfArguments) {
  const void* place = &args.memory;
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, nullptr, sizeof args, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, nullptr, 0, 1, &memory, &place));
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, &args, 0, 0, nullptr, nullptr));
}

// num_mem_objects and the two lists contradict each other.
TEST_F(EnqueueNativeKernel, invalidValueOfMemoryLists) {
  const void* place = &args.memory;
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, &args, sizeof args, 1, nullptr, &place));
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, &args, sizeof args, 1, &memory, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, &args, sizeof args, 0, &memory, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(&fillNatively, &args, sizeof args, 0, nullptr, &place));
}

// An element of mem_list is not a buffer.
TEST_F(EnqueueNativeKernel, invalidMemObject) {
  const void* place = &args.memory;
  for (const auto& bad : badHandles<cl_mem>(*this)) {
    if (bad.handle == nullptr) continue;  // allowed
    EXPECT_CL(CL_INVALID_MEM_OBJECT, call(&fillNatively, &args, sizeof args, 1, &bad.handle, &place)) << bad.what;
  }
}

}  // namespace
}  // namespace clarity::test
