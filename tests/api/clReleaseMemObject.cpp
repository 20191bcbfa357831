// SPDX-License-Identifier: Apache-2.0
// This file tests clReleaseMemObject (OpenCL 3.0, section 5.5.1).
#include "references.h"

#include <atomic>

namespace clarity::test {
namespace {

struct ReleaseMemObject : OpenCL {
  std::atomic<int> destroyed = 0;

  cl_mem counted(size_t bytes) {
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
    EXPECT_SUCCESS(clSetMemObjectDestructorCallback(
        memory, [](cl_mem, void* count) { ++*static_cast<std::atomic<int>*>(count); }, &destroyed));
    return memory;
  }
};

TEST_F(ReleaseMemObject, theLastReleaseDestroysAnUnusedBuffer) {
  cl_mem memory = counted(64);
  ASSERT_SUCCESS(clRetainMemObject(memory));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(destroyed, 0);
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(destroyed, 1);
}

TEST_F(ReleaseMemObject, aBufferLivesAsLongAsItsSubBuffers) {
  cl_mem memory = counted(4096);
  const cl_buffer_region region{0, 64};
  cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(destroyed, 0);
  ASSERT_SUCCESS(clReleaseMemObject(part));
  EXPECT_EQ(destroyed, 1);
}

TEST_F(ReleaseMemObject, aBufferLivesUntilTheCommandsThatUseItAreDone) {
  cl_mem memory = counted(64);
  std::vector<unsigned char> got(64, 0);
  const unsigned char pattern = 0x5A;
  cl_event gate = userEvent();
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &pattern, 1, 0, 64, 1, &gate, nullptr));
  ASSERT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 64, got.data(), 0, nullptr, nullptr));
  // Opened first, as section 5.11 asks of those who release objects while a user event holds commands back.
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(got, std::vector<unsigned char>(64, pattern));
}

// memobj is not a memory object.
TEST_F(ReleaseMemObject, invalidMemObject) {
  expectRefused(*this, CL_INVALID_MEM_OBJECT, clReleaseMemObject, driver->clReleaseMemObject);
}

// Memory is used again for objects of the same class, among them those that are the driver's own: a handle that was
// released leads to none of them.
TEST_F(ReleaseMemObject, sharedMemoryHasNoHandle) {
  if (!infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES))
    GTEST_SKIP() << "no shared virtual memory";
  if (!promisesBadHandles(*this)) GTEST_SKIP() << "this driver does not promise to survive handles of what is gone";
  for (int round = 0; round < 20; ++round) {
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
    ASSERT_SUCCESS(clReleaseMemObject(memory));
    void* const shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    ASSERT_NE(shared, nullptr);
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clRetainMemObject(memory));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clReleaseMemObject(memory));
    const int pattern = round;
    EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, shared, &pattern, sizeof pattern, 64, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    clSVMFree(context, shared);
  }
}

// In its callback a memory object is no more: nothing can give it a reference again.
TEST_F(ReleaseMemObject, cannotBeRetainedInItsDestructorCallback) {
  static cl_int retained, released;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(
      memory,
      [](cl_mem its, void*) {
        retained = clRetainMemObject(its);
        released = clReleaseMemObject(its);
      },
      nullptr));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, retained);
  EXPECT_CL(CL_INVALID_MEM_OBJECT, released);
}

}  // namespace
}  // namespace clarity::test
