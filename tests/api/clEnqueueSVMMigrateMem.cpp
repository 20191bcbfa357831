// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMigrateMem (OpenCL 3.0, section 5.6.1).
#include "shared_memory.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueSVMMigrateMem : SharedMemoryTest {
  unsigned char* memory = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const void* pointers[] = {memory};
    return driver->clEnqueueSVMMigrateMem(q, 1, pointers, nullptr, 0, n, list, event);
  };

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (!HasFatalFailure() && !IsSkipped()) memory = blank();
  }
  cl_int migrate(std::vector<const void*> pointers, std::vector<size_t> sizes, cl_mem_migration_flags flags = 0) {
    return driver->clEnqueueSVMMigrateMem(queue, static_cast<cl_uint>(pointers.size()), pointers.data(),
                                          sizes.empty() ? nullptr : sizes.data(), flags, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueSVMMigrateMem, leavesTheContent) {
  auto* const other = blank();
  EXPECT_SUCCESS(migrate({memory, other + 5}, {}));
  EXPECT_SUCCESS(migrate({memory, other + 5}, {0, 100}));
  EXPECT_SUCCESS(migrate({memory + kSize - 1}, {1}, CL_MIGRATE_MEM_OBJECT_HOST));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
}

TEST_F(EnqueueSVMMigrateMem, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_SVM_MIGRATE_MEM); }

TEST_F(EnqueueSVMMigrateMem, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }

// command_queue is not a command-queue.
TEST_F(EnqueueSVMMigrateMem, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueSVMMigrateMem, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// No pointers, unknown flags, ranges that are not in an allocation.
TEST_F(EnqueueSVMMigrateMem, invalidValue) {
  const void* pointers[] = {memory};
  EXPECT_CL(CL_INVALID_VALUE, driver->clEnqueueSVMMigrateMem(queue, 0, pointers, nullptr, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, driver->clEnqueueSVMMigrateMem(queue, 1, nullptr, nullptr, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, migrate({memory}, {}, 1U << 10));
  EXPECT_CL(CL_INVALID_VALUE, migrate({memory}, {kSize + 1}));
  EXPECT_CL(CL_INVALID_VALUE, migrate({memory + 1}, {kSize}));
  EXPECT_CL(CL_INVALID_VALUE, migrate({memory, nullptr}, {0, 1}));
  EXPECT_TRUE(wasNotified("svm_pointers[1]")) << allNotified();
  // Memory of the application is in no allocation of clSVMAlloc and is shared where the device says so.
  int mine = 0;
  const bool system = infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) &
                      CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  EXPECT_CL(system ? CL_SUCCESS : CL_INVALID_VALUE, migrate({memory, &mine}, {}));
}

}  // namespace
}  // namespace clarity::test
