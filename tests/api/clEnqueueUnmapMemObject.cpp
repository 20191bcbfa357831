// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueUnmapMemObject (OpenCL 3.0, section 5.5.2).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct EnqueueUnmapMemObject : OpenCL {
  static constexpr size_t kSize = 256;
  cl_mem memory = nullptr;
  unsigned char* mapped = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueUnmapMemObject(q, memory, mapped, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    memory = bufferOf(countingBytes(kSize));
    mapped = map(0, kSize);
  }

  unsigned char* map(size_t offset, size_t size) {
    cl_int error = CL_SUCCESS;
    void* got = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, offset, size, 0, nullptr, nullptr, &error);
    EXPECT_SUCCESS(error);
    return static_cast<unsigned char*>(got);
  }
  cl_int unmap(cl_mem which, void* pointer) {
    return driver->clEnqueueUnmapMemObject(queue, which, pointer, 0, nullptr, nullptr);
  }
  cl_uint mapCount() { return infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT); }
};

TEST_F(EnqueueUnmapMemObject, takesOneOffTheMapCount) {
  unsigned char* second = map(16, 16);
  EXPECT_EQ(mapCount(), 2U);
  ASSERT_SUCCESS(unmap(memory, mapped));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(mapCount(), 1U);
  ASSERT_SUCCESS(unmap(memory, second));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(mapCount(), 0U);
}

TEST_F(EnqueueUnmapMemObject, theSameRegionMappedTwiceIsUnmappedTwice) {
  unsigned char* again = map(0, kSize);
  ASSERT_SUCCESS(unmap(memory, again));
  ASSERT_SUCCESS(clFinish(queue));
  ASSERT_SUCCESS(unmap(memory, mapped));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(mapCount(), 0U);
  EXPECT_CL(CL_INVALID_VALUE, unmap(memory, mapped));
}

TEST_F(EnqueueUnmapMemObject, fromAnotherQueueOfTheContext) {
  cl_command_queue other = anotherQueue();
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(other, memory, mapped, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(other));
  EXPECT_EQ(mapCount(), 0U);
}

TEST_F(EnqueueUnmapMemObject, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_UNMAP_MEM_OBJECT);
  EXPECT_EQ(mapCount(), 0U);
}

TEST_F(EnqueueUnmapMemObject, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }

// command_queue is not a command-queue.
TEST_F(EnqueueUnmapMemObject, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueUnmapMemObject, invalidEventWaitList) {
  expectWaitListChecked(*this, enqueue);
  EXPECT_EQ(mapCount(), 1U);
}

// The memory object belongs to another context.
TEST_F(EnqueueUnmapMemObject, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, unmap(bufferOfAnotherContext(*this, kSize), mapped));
}

// memobj is not a memory object.
TEST_F(EnqueueUnmapMemObject, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, unmap(bad.handle, mapped)) << "the memory object is " << bad.what;
}

// mapped_ptr is no pointer that a map of this object has returned, or is one no more.
TEST_F(EnqueueUnmapMemObject, invalidValue) {
  unsigned char elsewhere = 0;
  EXPECT_CL(CL_INVALID_VALUE, unmap(memory, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, unmap(memory, &elsewhere));
  EXPECT_CL(CL_INVALID_VALUE, unmap(memory, mapped + 1));
  EXPECT_CL(CL_INVALID_VALUE, unmap(buffer(kSize), mapped));
  ASSERT_SUCCESS(unmap(memory, mapped));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_CL(CL_INVALID_VALUE, unmap(memory, mapped));
}

}  // namespace
}  // namespace clarity::test
