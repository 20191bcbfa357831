// SPDX-License-Identifier: Apache-2.0
// This file tests buffers whose addresses the application knows (cl_ext_buffer_device_address), on a GPU: what kernels
// get, and that content is there.
#include "cuda_stub.h"

#include "api/new_extensions.h"

namespace clarity::test {
namespace {

using SetDevicePointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_mem_device_address_ext);

struct CudaAddresses : CudaStub {
  static constexpr size_t kInts = 64;
  SetDevicePointer set = nullptr;

  void SetUp() override {
    CudaStub::SetUp();
    set = reinterpret_cast<SetDevicePointer>(
        clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
    ASSERT_NE(set, nullptr);
  }
  cl_mem withAddress(cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr, size_t bytes = kInts * 4) {
    const cl_mem_properties wanted[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    return created(
        [&](cl_int* error) { return clCreateBufferWithProperties(context, wanted, flags, bytes, host, error); });
  }
  static cl_mem_device_address_ext addressOf(cl_mem memory) {
    return infoOf<cl_mem_device_address_ext>(clGetMemObjectInfo, memory, CL_MEM_DEVICE_ADDRESS_EXT);
  }
  void write(cl_mem memory, cl_int value) {
    const std::vector<cl_int> mine(kInts, value);
    ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, kInts * 4, mine.data(), 0, nullptr, nullptr));
  }
};

// The kernel gets the address itself, and what the host has written lies there.
TEST_F(CudaAddresses, areThoseOfKernels) {
  const cl_mem memory = withAddress();
  const cl_kernel kernel = adder(memory, 5);
  write(memory, 3);
  ASSERT_SUCCESS(set(kernel, 0, addressOf(memory) + 8));
  static cl_mem_device_address_ext seen = 0;
  defineKernel("add", [](const ClarityCudaLaunch* launch) {
    std::memcpy(&seen, launch->parameters[0], sizeof seen);
    add(launch);
  });
  launchOne(queue, kernel);
  EXPECT_EQ(read<cl_int>(memory, 4), (std::vector<cl_int>{3, 3, 8, 3}));
  EXPECT_EQ(seen, addressOf(memory) + 8);
}

// Memory of the host, which the GPU has a copy of.
TEST_F(CudaAddresses, memoryOfTheApplication) {
  std::vector<cl_int> mine(kInts, 1);
  const cl_mem memory = withAddress(CL_MEM_USE_HOST_PTR, mine.data());
  const cl_kernel kernel = adder(memory, 2);
  EXPECT_NE(addressOf(memory), reinterpret_cast<std::uintptr_t>(mine.data()));
  ASSERT_SUCCESS(set(kernel, 0, addressOf(memory)));
  launchOne(queue, kernel);
  cl_int error = CL_SUCCESS;
  void* const mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, 8, 0, nullptr, nullptr, &error);
  EXPECT_EQ(mapped, mine.data());
  EXPECT_EQ(mine[0], 3);
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr));
}

// A buffer of shared memory has the address that all name it by.
TEST_F(CudaAddresses, sharedMemory) {
  auto* const shared = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0));
  ASSERT_NE(shared, nullptr);
  atEnd([this, shared] { clSVMFree(context, shared); });
  EXPECT_EQ(addressOf(withAddress(CL_MEM_USE_HOST_PTR, shared + 64)), reinterpret_cast<std::uintptr_t>(shared + 64));
}

// Without CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT the content of a buffer that no argument names stays where it is.
TEST_F(CudaAddresses, buffersThatAreReached) {
  const cl_mem named = withAddress(), reached = withAddress();
  const cl_kernel kernel = adder(named, 1);
  static cl_mem_device_address_ext target = 0;
  target = addressOf(reached);
  defineKernel("add", [](const ClarityCudaLaunch*) { *static_cast<cl_int*>(current().memory(target)) += 10; });
  write(reached, 1);
  std::vector<cl_int> mapped(1);
  cl_int error = CL_SUCCESS;
  const auto viaHost = [&] {  // the host has written it last
    void* const at = clEnqueueMapBuffer(queue, reached, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, nullptr, nullptr, &error);
    ASSERT_SUCCESS(error);
    *static_cast<cl_int*>(at) = 100;
    ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, reached, at, 0, nullptr, nullptr));
  };
  viaHost();
  ASSERT_SUCCESS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof target, &target));
  launchOne(queue, kernel);
  EXPECT_EQ(read<cl_int>(reached, 1)[0], 110);
  viaHost();
  const cl_mem_device_address_ext inside = target + 100;
  ASSERT_SUCCESS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof inside, &inside));
  launchOne(queue, kernel);
  EXPECT_EQ(read<cl_int>(reached, 1)[0], 110);
  viaHost();
  ASSERT_SUCCESS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 0, nullptr));
  launchOne(queue, kernel);
  EXPECT_EQ(read<cl_int>(reached, 1)[0], 100) << "the kernel was not told of it";
}

// The memory is there when the buffer is, or the buffer is not made.
TEST_F(CudaAddresses, noMemory) {
  const cl_mem_properties wanted[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  failCall("cuMemAlloc_v2", 1, 2);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBufferWithProperties(context, wanted, 0, 1 << 20, nullptr, &error), nullptr);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
  std::vector<cl_int> mine(kInts);
  failCall("cuMemAlloc_v2", 1, 2);
  EXPECT_EQ(clCreateBufferWithProperties(context, wanted, CL_MEM_USE_HOST_PTR, kInts * 4, mine.data(), &error),
            nullptr);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
}

// Recorded commands, and commands that a user event holds back.
TEST_F(CudaAddresses, laterCommands) {
  const cl_mem memory = withAddress();
  const cl_kernel kernel = adder(memory, 4);
  ASSERT_SUCCESS(set(kernel, 0, addressOf(memory)));
  cl_event gate = userEvent();
  const cl_int one = 1;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &one, 4, 0, kInts * 4, 1, &gate, nullptr));
  launchOne(queue, kernel);
  ASSERT_SUCCESS(set(kernel, 0, 0));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(memory, 2), (std::vector<cl_int>{5, 1}));
}

}  // namespace
}  // namespace clarity::test
