// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelArgDevicePointerEXT, the addresses of buffers that it takes, and kernels that reach
// buffers by them (cl_ext_buffer_device_address).
#include "api/new_extensions.h"
#include "command_buffer.h"

#include <algorithm>

namespace clarity::test {
namespace {

using SetDevicePointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_mem_device_address_ext);

struct BufferDeviceAddress : CommandBufferTest {
  static constexpr size_t kSize = 2048;
  const cl_mem_properties wanted[3] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  SetDevicePointer set = nullptr;

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    const std::string names = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
    if (names.find(" cl_ext_buffer_device_address ") == std::string::npos) GTEST_SKIP() << "buffers have no addresses";
    set = reinterpret_cast<SetDevicePointer>(
        clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
    ASSERT_NE(set, nullptr);
  }
  cl_mem withAddress() {
    return created([&](cl_int* error) {
      return clCreateBufferWithProperties(context, wanted, CL_MEM_READ_WRITE, kSize, nullptr, error);
    });
  }
  static cl_mem_device_address_ext addressOf(cl_mem memory) {
    return infoOf<cl_mem_device_address_ext>(clGetMemObjectInfo, memory, CL_MEM_DEVICE_ADDRESS_EXT);
  }
  void fill(cl_mem memory, cl_int value) {
    ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &value, sizeof value, 0, kSize, 0, nullptr, nullptr));
  }
};

TEST_F(BufferDeviceAddress, kernelsWriteThroughIt) {
  cl_mem memory = withAddress();
  const auto address = infoOf<cl_mem_device_address_ext>(clGetMemObjectInfo, memory, CL_MEM_DEVICE_ADDRESS_EXT);
  EXPECT_NE(address, 0U);
  EXPECT_EQ(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES),
            std::vector<cl_mem_properties>(wanted, wanted + 3));
  cl_kernel put = kernel("kernel void put(global int* a) { a[get_global_id(0)] = get_global_id(0); }", "put");
  ASSERT_SUCCESS(set(put, 0, address + 400));
  launch(put, 10);
  const std::vector<cl_int> content = read<cl_int>(memory, kSize / 4);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(content[static_cast<size_t>(100 + i)], i);
}

TEST_F(BufferDeviceAddress, ofASubBuffer) {
  cl_mem memory = withAddress();
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, 64};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(infoOf<cl_mem_device_address_ext>(clGetMemObjectInfo, part, CL_MEM_DEVICE_ADDRESS_EXT),
            infoOf<cl_mem_device_address_ext>(clGetMemObjectInfo, memory, CL_MEM_DEVICE_ADDRESS_EXT) + align);
}

// The kernel finds content that the host and commands write before, and they find its own.
TEST_F(BufferDeviceAddress, contentGoesWithIt) {
  cl_mem memory = withAddress();
  cl_kernel add = kernel("kernel void add(global int* a, int b) { a[get_global_id(0)] += b; }", "add");
  const cl_int seven = 7;
  ASSERT_SUCCESS(set(add, 0, addressOf(memory)));
  ASSERT_SUCCESS(clSetKernelArg(add, 1, sizeof seven, &seven));
  const cl_mem_device_address_ext address = addressOf(memory);
  for (cl_int round = 0; round < 3; ++round) {
    const std::vector<cl_int> mine(kSize / 4, round);
    ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, kSize, mine.data(), 0, nullptr, nullptr));
    launch(add, kSize / 4);
    launch(add, kSize / 4);
    EXPECT_EQ(read<cl_int>(memory, kSize / 4), std::vector<cl_int>(kSize / 4, round + 14));
    EXPECT_EQ(addressOf(memory), address);
  }
  fill(memory, 100);
  launch(add, 5);
  EXPECT_EQ(read<cl_int>(memory, 6), (std::vector<cl_int>{107, 107, 107, 107, 107, 100}));
}

// Buffers that a kernel comes to by addresses in others, once it has been told of them.
TEST_F(BufferDeviceAddress, buffersThatAreReached) {
  cl_mem first = withAddress(), second = withAddress(), third = withAddress();
  cl_kernel follow = kernel(
      "kernel void follow(global ulong* a) { global int* b = (global int*)a[0]; global int* c = (global int*)a[1];\n"
      "  c[get_global_id(0)] = b[get_global_id(0)] + 1; b[get_global_id(0)] = -1; }",
      "follow");
  const std::vector<cl_ulong> links{addressOf(second), addressOf(third) + 64};
  fill(second, 5);
  fill(third, 6);
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, first, CL_TRUE, 0, 16, links.data(), 0, nullptr, nullptr));
  ASSERT_SUCCESS(clSetKernelArg(follow, 0, sizeof first, &first));
  ASSERT_SUCCESS(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 16, links.data()));
  EXPECT_EQ(read<cl_int>(second, 1)[0], 5);  // so that it is elsewhere
  launch(keep(clCloneKernel(follow, nullptr)), 3);
  EXPECT_EQ(read<cl_int>(second, 4), (std::vector<cl_int>{-1, -1, -1, 5}));
  std::vector<cl_int> result = read<cl_int>(third, 20);
  EXPECT_EQ(std::vector<cl_int>(result.begin() + 15, result.end()), (std::vector<cl_int>{6, 6, 6, 6, 6}));
  fill(second, 8);
  ASSERT_SUCCESS(set(follow, 0, addressOf(first)));
  launch(follow, 3);
  result = read<cl_int>(third, 20);
  EXPECT_EQ(std::vector<cl_int>(result.begin() + 15, result.end()), (std::vector<cl_int>{6, 9, 9, 9, 6}));
}

// Recorded commands use the buffers of their addresses, each time that they are executed.
TEST_F(BufferDeviceAddress, recordedCommands) {
  cl_mem named = withAddress(), reached = withAddress();
  cl_kernel add =
      kernel("kernel void add(global int* a, ulong b) { a[get_global_id(0)] += ((global int*)b)[get_global_id(0)]++; }",
             "add");
  const cl_mem_device_address_ext address = addressOf(reached);
  ASSERT_SUCCESS(set(add, 0, addressOf(named)));
  ASSERT_SUCCESS(clSetKernelArg(add, 1, sizeof address, &address));
  ASSERT_SUCCESS(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof address, &address));
  recordLaunch(commands, add, 4);
  ASSERT_SUCCESS(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 0, nullptr));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(commands));
  for (cl_int round = 0; round < 3; ++round) {
    for (cl_mem each : {named, reached}) {
      cl_int error = CL_SUCCESS;
      void* const at = clEnqueueMapBuffer(queue, each, CL_TRUE, CL_MAP_WRITE, 0, kSize, 0, nullptr, nullptr, &error);
      ASSERT_SUCCESS(error);
      std::fill_n(static_cast<cl_int*>(at), kSize / 4, each == named ? 100 : round);
      ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, each, at, 0, nullptr, nullptr));
    }
    ASSERT_SUCCESS(enqueue(commands));
    ASSERT_SUCCESS(clFinish(queue));
    EXPECT_EQ(read<cl_int>(named, 5), (std::vector<cl_int>{100 + round, 100 + round, 100 + round, 100 + round, 100}));
    EXPECT_EQ(read<cl_int>(reached, 5), (std::vector<cl_int>{round + 1, round + 1, round + 1, round + 1, round}));
  }
}

// Addresses are numbers: those of nothing may be given, and one whose buffer is gone.
TEST_F(BufferDeviceAddress, anyAddress) {
  cl_kernel none =
      kernel("kernel void none(global int* a, global int* b) { if (get_global_id(0) == 99) *a = 1; *b = 2; }", "none");
  cl_mem memory = withAddress();
  cl_int error = CL_SUCCESS;
  cl_mem gone = clCreateBufferWithProperties(context, wanted, CL_MEM_READ_WRITE, kSize, nullptr, &error);
  ASSERT_SUCCESS(error);
  const cl_mem_device_address_ext former = addressOf(gone);
  ASSERT_SUCCESS(clReleaseMemObject(gone));
  ASSERT_SUCCESS(set(none, 1, addressOf(memory)));
  const cl_mem_device_address_ext any[] = {former, 1, 0, ~cl_mem_device_address_ext{0}};
  ASSERT_SUCCESS(clSetKernelExecInfo(none, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof any, any));
  for (const cl_mem_device_address_ext each : any) {
    ASSERT_SUCCESS(set(none, 0, each));
    fill(memory, 0);
    launch(none, 1);
    EXPECT_EQ(read<cl_int>(memory, 1)[0], 2) << each;
  }
}

// A buffer that was not created for it has no address to tell.
TEST_F(BufferDeviceAddress, invalidOperation) {
  cl_mem_device_address_ext address = 0;
  EXPECT_CL(CL_INVALID_OPERATION,
            clGetMemObjectInfo(buffer(64), CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, nullptr));
}

TEST_F(BufferDeviceAddress, invalidProperty) {
  const cl_mem_properties twice[] = {wanted[0], CL_TRUE, wanted[0], CL_TRUE, 0}, value[] = {wanted[0], 2, 0};
  for (const cl_mem_properties* wrong : {twice, value})
    expectFails(CL_INVALID_PROPERTY, [&](cl_int* error) {
      return clCreateBufferWithProperties(context, wrong, CL_MEM_READ_WRITE, kSize, nullptr, error);
    });
}

TEST_F(BufferDeviceAddress, errorsOfKernelArguments) {
  cl_kernel it = kernel("kernel void it(global int* a, int b, constant int* c) { *a = b + *c; }", "it");
  EXPECT_CL(CL_INVALID_ARG_INDEX, set(it, 3, 0));
  EXPECT_CL(CL_INVALID_ARG_INDEX, set(it, 1, 0));
  EXPECT_CL(CL_INVALID_ARG_INDEX, set(it, 2, 0));
  for (const auto& bad : badHandles<cl_kernel>(*this)) EXPECT_CL(CL_INVALID_KERNEL, set(bad.handle, 0, 0));
}

}  // namespace
}  // namespace clarity::test
