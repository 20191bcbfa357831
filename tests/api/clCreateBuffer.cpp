// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateBuffer (OpenCL 3.0, section 5.2.1).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct CreateBuffer : OpenCL {
  std::vector<unsigned char> host = countingBytes(256);

  /// The error of a creation that must give no buffer.
  cl_int errorOf(cl_mem_flags flags, size_t size, void* pointer) {
    cl_int error = CL_SUCCESS;
    cl_mem memory = driver->clCreateBuffer(context, flags, size, pointer, &error);
    EXPECT_EQ(memory, nullptr);
    if (memory != nullptr) clReleaseMemObject(memory);
    return error;
  }
};

TEST_F(CreateBuffer, everyFlagAndLegalCombination) {
  const cl_mem_flags kernelSide[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
  const cl_mem_flags hostSide[] = {0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS};
  const cl_mem_flags storage[] = {0, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                  CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
  for (cl_mem_flags a : kernelSide)
    for (cl_mem_flags b : hostSide)
      for (cl_mem_flags c : storage) {
        const bool takesHost = (c & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
        cl_mem memory = buffer(host.size(), a | b | c, takesHost ? host.data() : nullptr);
        ASSERT_NE(memory, nullptr) << "flags " << (a | b | c);
        EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE), host.size());
      }
}

TEST_F(CreateBuffer, errorPointerMayBeNull) {
  cl_mem memory = keep(clCreateBuffer(context, CL_MEM_READ_WRITE, 1, nullptr, nullptr));
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, nullptr), nullptr);
}

TEST_F(CreateBuffer, copyHostPtrCopiesBeforeTheCallReturns) {
  for (cl_mem_flags more : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_ALLOC_HOST_PTR}}) {
    std::vector<unsigned char> mine = host;
    cl_mem memory = buffer(mine.size(), CL_MEM_COPY_HOST_PTR | more, mine.data());
    mine.assign(mine.size(), 0xEE);
    EXPECT_EQ(read<unsigned char>(memory, host.size()), host);
  }
}

TEST_F(CreateBuffer, useHostPtrTakesItsContentsAndGivesTheResultsBack) {
  alignas(4096) static unsigned char storage[4096];
  std::copy(host.begin(), host.end(), storage);
  cl_mem memory = buffer(sizeof storage, CL_MEM_USE_HOST_PTR, storage);
  cl_kernel increment =
      kernel("kernel void increment(global uchar* p) { size_t i = get_global_id(0); p[i] = p[i] + 1; }", "increment");
  ASSERT_SUCCESS(clSetKernelArg(increment, 0, sizeof memory, &memory));
  launch(increment, host.size());
  cl_int error = CL_SUCCESS;
  void* mapped =
      clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, sizeof storage, 0, nullptr, nullptr, &error);
  ASSERT_SUCCESS(error);
  EXPECT_EQ(mapped, storage);
  for (size_t i = 0; i < host.size(); ++i) ASSERT_EQ(storage[i], static_cast<unsigned char>(i + 1)) << "byte " << i;
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
}

TEST_F(CreateBuffer, useHostPtrWithAnOddAddressIsRightToo) {
  std::vector<unsigned char> storage = countingBytes(1001, 7);
  cl_mem memory = buffer(997, CL_MEM_USE_HOST_PTR, storage.data() + 3);
  const std::vector<unsigned char> wanted(storage.begin() + 3, storage.begin() + 3 + 997);
  EXPECT_EQ(read<unsigned char>(memory, 997), wanted);
}

TEST_F(CreateBuffer, theKernelsPointerIsAlignedToMemBaseAddrAlign) {
  const cl_uint bits = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
  cl_kernel address =
      kernel("kernel void address(global uchar* p, global ulong* out) { out[0] = (ulong)p; }", "address");
  cl_mem out = buffer(sizeof(cl_ulong));
  for (size_t size : {1, 2, 3, 5, 17, 64, 4097}) {
    cl_mem memory = buffer(size);
    ASSERT_SUCCESS(clSetKernelArg(address, 0, sizeof memory, &memory));
    ASSERT_SUCCESS(clSetKernelArg(address, 1, sizeof out, &out));
    launch(address, 1);
    EXPECT_EQ(read<cl_ulong>(out, 1)[0] % (bits / 8), 0U) << "a buffer of " << size << " bytes";
  }
}

TEST_F(CreateBuffer, theLargestSizeWorksOrIsRefusedAsTooMuch) {
  const cl_ulong most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  cl_int error = CL_SUCCESS;
  cl_mem memory = keep(clCreateBuffer(context, CL_MEM_READ_WRITE, most, nullptr, &error));
  if (memory != nullptr)
    EXPECT_SUCCESS(error);
  else
    EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
}

// context is not a valid context.
TEST_F(CreateBuffer, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this)) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(driver->clCreateBuffer(bad.handle, CL_MEM_READ_WRITE, 64, nullptr, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error) << "the context is " << bad.what;
  }
}

// A bit that is no flag, or flags that exclude each other.
TEST_F(CreateBuffer, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, errorOf(cl_mem_flags{1} << 40, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr));
}

// size is 0 or more than CL_DEVICE_MAX_MEM_ALLOC_SIZE of every device.
TEST_F(CreateBuffer, invalidBufferSize) {
  const cl_ulong most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(CL_MEM_READ_WRITE, 0, nullptr));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(CL_MEM_READ_WRITE, most + 1, nullptr));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(CL_MEM_READ_WRITE, SIZE_MAX, nullptr));
}

// The notify callback of the context gets the size that was asked for.
TEST_F(CreateBuffer, theSentenceCarriesTheSize) {
  const cl_ulong most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(CL_MEM_READ_WRITE, most + 1, nullptr));
  EXPECT_TRUE(wasNotified(std::to_string(most + 1))) << allNotified();
}

// host_ptr is missing with the flags that need it, or given without them.
TEST_F(CreateBuffer, invalidHostPtr) {
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(CL_MEM_USE_HOST_PTR, 64, nullptr));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(CL_MEM_COPY_HOST_PTR, 64, nullptr));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, nullptr));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(CL_MEM_READ_WRITE, 64, host.data()));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(CL_MEM_ALLOC_HOST_PTR, 64, host.data()));
}

// Host memory that reaches beyond the last address.
TEST_F(CreateBuffer, invalidHostPtrBeyondTheLastAddress) {
  void* const last = reinterpret_cast<void*>(~std::uintptr_t{0} - 63);
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    expectFails(CL_INVALID_HOST_PTR, [&](cl_int* e) { return clCreateBuffer(context, flags, 128, last, e); });
}

// Host memory that cannot be read.
TEST_F(CreateBuffer, invalidHostPtrThatCannotBeRead) {
  if (!promisesBadHandles(*this)) GTEST_SKIP() << "this driver does not promise to survive wrong addresses";
  void* const nowhere = reinterpret_cast<void*>(std::uintptr_t{4096});
  expectFails(CL_INVALID_HOST_PTR,
              [&](cl_int* e) { return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 128, nowhere, e); });
}

}  // namespace
}  // namespace clarity::test
