// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMapBuffer (OpenCL 3.0, sections 5.2.4 and 5.5.3).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueMapBuffer : OpenCL {
  static constexpr size_t kSize = 1024;
  const std::vector<unsigned char> contents = countingBytes(kSize);
  cl_mem memory = nullptr;
  Enqueue blocking = enqueueWith(CL_TRUE);
  Enqueue nonBlocking = enqueueWith(CL_FALSE);

  Enqueue enqueueWith(cl_bool block) {
    return [this, block](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
      cl_int error = CL_SUCCESS;
      void* mapped = driver->clEnqueueMapBuffer(q, memory, block, CL_MAP_READ, 0, kSize, n, list, event, &error);
      EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS) << "pointer " << mapped << " with " << errorName(error);
      return error;
    };
  }

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = bufferOf(contents);
  }

  unsigned char* map(cl_mem which, cl_map_flags flags, size_t offset, size_t size) {
    cl_int error = CL_SUCCESS;
    void* mapped = clEnqueueMapBuffer(queue, which, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &error);
    EXPECT_SUCCESS(error);
    return static_cast<unsigned char*>(mapped);
  }
  void unmap(cl_mem which, void* mapped) {
    ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, which, mapped, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queue));
  }
  cl_int errorOf(cl_mem which, cl_map_flags flags, size_t offset, size_t size) {
    cl_int error = CL_SUCCESS;
    void* mapped = driver->clEnqueueMapBuffer(queue, which, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &error);
    EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
    if (mapped != nullptr) unmap(which, mapped);
    return error;
  }
};

TEST_F(EnqueueMapBuffer, mapForReadingShowsTheContents) {
  unsigned char* mapped = map(memory, CL_MAP_READ, 13, 501);
  ASSERT_NE(mapped, nullptr);
  EXPECT_EQ(std::vector<unsigned char>(mapped, mapped + 501),
            std::vector<unsigned char>(contents.begin() + 13, contents.begin() + 13 + 501));
  unmap(memory, mapped);
}

TEST_F(EnqueueMapBuffer, mapForWritingReadsAndWrites) {
  unsigned char* mapped = map(memory, CL_MAP_WRITE, 100, 200);
  ASSERT_NE(mapped, nullptr);
  for (size_t i = 0; i < 200; ++i) mapped[i] ^= 0xFF;
  unmap(memory, mapped);
  std::vector<unsigned char> wanted = contents;
  for (size_t i = 100; i < 300; ++i) wanted[i] ^= 0xFF;
  EXPECT_EQ(read<unsigned char>(memory, kSize), wanted);
}

TEST_F(EnqueueMapBuffer, mapToInvalidateTakesWhatTheHostWrites) {
  unsigned char* mapped = map(memory, CL_MAP_WRITE_INVALIDATE_REGION, 512, 512);
  ASSERT_NE(mapped, nullptr);
  std::fill_n(mapped, 512, 0x77);
  unmap(memory, mapped);
  std::vector<unsigned char> wanted = contents;
  std::fill_n(wanted.begin() + 512, 512, 0x77);
  EXPECT_EQ(read<unsigned char>(memory, kSize), wanted);
}

TEST_F(EnqueueMapBuffer, aKernelSeesWhatTheHostWroteAndTheHostWhatTheKernelWrote) {
  cl_kernel twice = kernel("kernel void twice(global uint* p) { p[get_global_id(0)] *= 2; }", "twice");
  ASSERT_SUCCESS(clSetKernelArg(twice, 0, sizeof memory, &memory));
  auto* mapped = reinterpret_cast<cl_uint*>(map(memory, CL_MAP_WRITE, 0, kSize));
  for (cl_uint i = 0; i < kSize / 4; ++i) mapped[i] = i;
  unmap(memory, mapped);
  launch(twice, kSize / 4);
  mapped = reinterpret_cast<cl_uint*>(map(memory, CL_MAP_READ, 0, kSize));
  for (cl_uint i = 0; i < kSize / 4; ++i) ASSERT_EQ(mapped[i], 2 * i);
  unmap(memory, mapped);
}

TEST_F(EnqueueMapBuffer, nonBlockingMapIsThereWhenItsEventIsComplete) {
  cl_event gate = userEvent();
  cl_event event = nullptr;
  cl_int error = CL_SUCCESS;
  const unsigned char pattern = 0x42;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &pattern, 1, 0, kSize, 1, &gate, nullptr));
  void* mapped = clEnqueueMapBuffer(queue, memory, CL_FALSE, CL_MAP_READ, 0, kSize, 0, nullptr, &event, &error);
  ASSERT_SUCCESS(error);
  ASSERT_NE(mapped, nullptr);
  keep(event);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_EQ(
      std::vector<unsigned char>(static_cast<unsigned char*>(mapped), static_cast<unsigned char*>(mapped) + kSize),
      std::vector<unsigned char>(kSize, pattern));
  unmap(memory, mapped);
}

// With CL_MEM_USE_HOST_PTR the mapped pointer is derived from the host pointer: no copy stands between.
TEST_F(EnqueueMapBuffer, ofAHostPointerGivesTheHostPointer) {
  std::vector<unsigned char> host = contents;
  cl_mem whole = buffer(kSize, CL_MEM_USE_HOST_PTR, host.data());
  unsigned char* mapped = map(whole, CL_MAP_WRITE, 128, 64);
  EXPECT_EQ(mapped, host.data() + 128);
  unmap(whole, mapped);
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, 64};
  cl_mem part = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  mapped = map(part, CL_MAP_READ, 8, 16);
  EXPECT_EQ(mapped, host.data() + align + 8);
  unmap(part, mapped);
}

TEST_F(EnqueueMapBuffer, readersMayShareARegionAndWritersMayBeNeighbours) {
  unsigned char* a = map(memory, CL_MAP_READ, 0, 100);
  unsigned char* b = map(memory, CL_MAP_READ, 50, 100);
  unsigned char* c = map(memory, CL_MAP_WRITE, 200, 100);
  unsigned char* d = map(memory, CL_MAP_WRITE, 300, 100);
  std::fill_n(c, 100, 1);
  std::fill_n(d, 100, 2);
  for (unsigned char* each : {c, a, d, b}) unmap(memory, each);
  std::vector<unsigned char> wanted = contents;
  std::fill_n(wanted.begin() + 200, 100, 1);
  std::fill_n(wanted.begin() + 300, 100, 2);
  EXPECT_EQ(read<unsigned char>(memory, kSize), wanted);
}

TEST_F(EnqueueMapBuffer, errorPointerMayBeNull) {
  void* mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, nullptr);
  ASSERT_NE(mapped, nullptr);
  unmap(memory, mapped);
  EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, 0, 0, nullptr, nullptr, nullptr), nullptr);
}

TEST_F(EnqueueMapBuffer, waitsForItsList) { expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_MAP_BUFFER); }

TEST_F(EnqueueMapBuffer, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, nonBlocking); }

// A blocking map whose list holds a failed event.
TEST_F(EnqueueMapBuffer, execStatusErrorForEventsInWaitList) {
  expectBlockingEnqueueSeesError(*this, blocking);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U) << "the failed map is still counted";
}

// command_queue is not a command-queue.
TEST_F(EnqueueMapBuffer, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueMapBuffer, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }

// The buffer belongs to another context.
TEST_F(EnqueueMapBuffer, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, errorOf(bufferOfAnotherContext(*this, kSize), CL_MAP_READ, 0, 4));
}

// buffer is not a buffer.
TEST_F(EnqueueMapBuffer, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, errorOf(bad.handle, CL_MAP_READ, 0, 4)) << "the buffer is " << bad.what;
}

// The region is empty or leaves the buffer.
TEST_F(EnqueueMapBuffer, invalidValueOfRegion) {
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_READ, 0, 0));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_READ, 0, kSize + 1));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_READ, 1, kSize));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_WRITE, kSize, 1));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_READ, SIZE_MAX, 2));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_READ, 2, SIZE_MAX));
}

// A bit that is no map flag, or invalidating together with reading or writing.
TEST_F(EnqueueMapBuffer, invalidValueOfFlags) {
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, cl_map_flags{1} << 20, 0, 4));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(memory, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4));
}

// The buffer was created so that the host may not read or write it.
TEST_F(EnqueueMapBuffer, invalidOperationOfHostAccess) {
  cl_mem writeOnly = buffer(64, CL_MEM_HOST_WRITE_ONLY);
  cl_mem readOnly = buffer(64, CL_MEM_HOST_READ_ONLY);
  cl_mem noAccess = buffer(64, CL_MEM_HOST_NO_ACCESS);
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(writeOnly, CL_MAP_READ, 0, 4));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(writeOnly, CL_MAP_READ | CL_MAP_WRITE, 0, 4));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(readOnly, CL_MAP_WRITE, 0, 4));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(readOnly, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(noAccess, CL_MAP_READ, 0, 4));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(noAccess, CL_MAP_WRITE, 0, 4));
  EXPECT_SUCCESS(errorOf(writeOnly, CL_MAP_WRITE, 0, 4));
  EXPECT_SUCCESS(errorOf(readOnly, CL_MAP_READ, 0, 4));
}

// The region, or a part of it, is already mapped and one of the two maps is for writing.
TEST_F(EnqueueMapBuffer, invalidOperationOfOverlappingWriters) {
  unsigned char* writer = map(memory, CL_MAP_WRITE, 100, 100);
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(memory, CL_MAP_WRITE, 199, 10));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(memory, CL_MAP_WRITE_INVALIDATE_REGION, 0, kSize));
  EXPECT_SUCCESS(errorOf(memory, CL_MAP_WRITE, 200, 10));
  unmap(memory, writer);
  EXPECT_SUCCESS(errorOf(memory, CL_MAP_WRITE, 100, 100));
}

// Sub-buffers and their buffer are one memory for this rule.
TEST_F(EnqueueMapBuffer, invalidOperationOfOverlappingSubBuffers) {
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, align};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  unsigned char* writer = map(memory, CL_MAP_WRITE, align, 8);
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(part, CL_MAP_WRITE, 0, 4));
  EXPECT_SUCCESS(errorOf(part, CL_MAP_WRITE, 8, 4));
  unmap(memory, writer);
}

}  // namespace
}  // namespace clarity::test
