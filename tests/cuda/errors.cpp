// SPDX-License-Identifier: Apache-2.0
// This file tests what the application learns when the CUDA driver or a kernel fails. The last test loses the GPU for
// the process.
#include "cuda_stub.h"

namespace clarity::test {
namespace {

struct CudaErrors : CudaStub {
  cl_int statusAfterWait(cl_event event) {
    clWaitForEvents(1, &event);
    return infoOf<cl_int>(clGetEventInfo, keep(event), CL_EVENT_COMMAND_EXECUTION_STATUS);
  }
  cl_int statusOfLaunch(cl_kernel kernel, size_t size = 1) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, &event));
    return statusAfterWait(event);
  }
};

TEST_F(CudaErrors, outOfMemoryAtAllocation) {
  failCall("cuMemAlloc_v2", 1, 2);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &error), nullptr);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
  EXPECT_TRUE(wasNotifiedOf(4096)) << allNotified();
}

// A GPU's context is made with the first context of OpenCL's that has it.
TEST_F(CudaErrors, noContextOfTheGpu) {
  cl_device_id both[2] = {};
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 2, both, nullptr));
  std::string text;
  const auto note = [](const char* sentence, const void*, size_t, void* all) {
    *static_cast<std::string*>(all) += sentence;
  };
  const auto before = calls("cuDevicePrimaryCtxRetain");
  failCall("cuDevicePrimaryCtxRetain", 1, 2);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContext(nullptr, 1, &both[1], note, &text, &error), nullptr);
  EXPECT_CL(CL_OUT_OF_RESOURCES, error);
  EXPECT_NE(text.find("Stub GPU 1': the context of an NVIDIA GPU could not be made"), std::string::npos) << text;
  cl_context second = clCreateContext(nullptr, 2, both, note, &text, &error);
  EXPECT_CL(CL_SUCCESS, error) << "it is tried again";
  EXPECT_SUCCESS(clReleaseContext(second));
  EXPECT_EQ(calls("cuDevicePrimaryCtxRetain"), before + 2);
}

TEST_F(CudaErrors, outOfMemoryOfTheGpu) {
  const auto most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  // The second one does not fit. Its unused part takes no memory of the machine's.
  buffer(most);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, most, nullptr, &error), nullptr);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
}

TEST_F(CudaErrors, launchFails) {
  const cl_mem data = bufferOf(std::vector<cl_int>{1});
  const cl_kernel one = adder(data, 1);
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(one));
  failCall("cuGraphLaunch", 1, 719);  // where times are taken; then it is tried without
  failCall("cuLaunchKernel", 1, 701);
  EXPECT_CL(CL_OUT_OF_RESOURCES, statusOfLaunch(one));
  EXPECT_TRUE(wasNotified("'add'")) << allNotified();
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue)) << "says so once";
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(one)) << "one launch has failed, not the GPU";
  EXPECT_EQ(read<cl_int>(data, 1)[0], 3);
}

TEST_F(CudaErrors, tooManyRegisters) {
  maxThreads(128);
  const auto before = calls("cuLaunchKernel");
  const cl_mem data = bufferOf(std::vector<cl_int>{1});
  const cl_kernel one = adder(data, 1);
  EXPECT_CL(CL_OUT_OF_RESOURCES, statusOfLaunch(one, 256));
  EXPECT_TRUE(wasNotified("64 registers") && wasNotifiedOf(128) && wasNotifiedOf(256)) << allNotified();
  EXPECT_EQ(calls("cuLaunchKernel"), before);
}

TEST_F(CudaErrors, tooMuchLocalMemory) {
  const auto most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  const cl_kernel made = kernel("kernel void k(local int* a) { a[get_local_id(0)] = 1; }", "k");
  EXPECT_SUCCESS(clSetKernelArg(made, 0, most, nullptr));
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(made));
  EXPECT_SUCCESS(clSetKernelArg(made, 0, most + 4, nullptr));
  const size_t one = 1;
  EXPECT_CL(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  EXPECT_TRUE(wasNotifiedOf(most)) << allNotified();
}

TEST_F(CudaErrors, theDriverDoesNotCompile) {
  const cl_kernel made = kernel("kernel void unusual_name_of_a_kernel() {}", "unusual_name_of_a_kernel");
  failCall("cuLinkAddData_v2", 1, 218);
  EXPECT_CL(CL_OUT_OF_RESOURCES, statusOfLaunch(made));
  EXPECT_TRUE(wasNotified("unusual_name_of_a_kernel")) << allNotified();
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(made)) << "it is tried again";
}

TEST_F(CudaErrors, transfersFail) {
  const std::vector<unsigned char> bytes(1 << 20, 1);
  const cl_mem memory = bufferOf(bytes);
  std::vector<unsigned char> target(bytes.size());
  for (size_t size : {size_t{16}, bytes.size()}) {
    failCall("cuMemcpyHtoDAsync_v2", 1, 1);
    EXPECT_CL(CL_OUT_OF_RESOURCES,
              clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr));
    failCall("cuMemcpyDtoHAsync_v2", 1, 1);
    EXPECT_CL(CL_OUT_OF_RESOURCES,
              clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, target.data(), 0, nullptr, nullptr));
    EXPECT_TRUE(wasNotifiedOf(size)) << allNotified();
    // One transfer has failed, not the GPU.
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr));
    EXPECT_EQ(read<unsigned char>(memory, bytes.size()), bytes);
  }
}

TEST_F(CudaErrors, theDriverHasNoEvents) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(one));
  failCall("cuEventCreate", 1, 2);
  cl_event event = nullptr;
  launchOne(queue, one, {}, &event);
  const cl_command_queue other = anotherQueue();
  launchOne(other, one, {keep(event)});
  EXPECT_SUCCESS(clFinish(other));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 3);
}

// A GPU is not divided: no way of dividing is one of its.
TEST_F(CudaErrors, subDevices) {
  EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES), 0U);
  const cl_device_partition_property ways[][4] = {{CL_DEVICE_PARTITION_EQUALLY, 1, 0},
                                                  {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}};
  for (const auto& way : ways) {
    cl_uint count = 0;
    EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, way, 0, nullptr, &count));
  }
}

// A fault may be reported by the call that gives the GPU its next kernel.
TEST_F(CudaErrors, zFaultIsReportedByTheNextLaunch) {
  const cl_kernel one = adder(bufferOf(std::vector<cl_int>{0}), 1);
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(one));
  current().fault();
  EXPECT_CL(CL_INVALID_OPERATION, statusOfLaunch(one));
  EXPECT_TRUE(wasNotified("kernel 'add' failed")) << allNotified();
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_CL(CL_DEVICE_NOT_AVAILABLE, statusOfLaunch(one));
  EXPECT_TRUE(wasNotified("cannot be used any more")) << allNotified();
}

// The real driver refuses everything for the rest of the process, and so does ours, with the cause.
TEST_F(CudaErrors, zKernelFaults) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0}), other = bufferOf(std::vector<cl_int>{0});
  const cl_kernel one = adder(data, 1);
  EXPECT_CL(CL_COMPLETE, statusOfLaunch(one));
  // The command-queue is one whose kernels tell their end.
  for (int i = 0; i < 3; ++i) {
    launchOne(queue, one);
    EXPECT_SUCCESS(clFinish(queue));
  }
  defineKernel("bad", [](const ClarityCudaLaunch*) { current().fault(); });
  const cl_kernel bad = kernel("kernel void bad() {}", "bad");
  EXPECT_CL(CL_INVALID_OPERATION, statusOfLaunch(bad));
  EXPECT_TRUE(wasNotified("kernel 'bad' failed")) << allNotified();
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_CL(CL_DEVICE_NOT_AVAILABLE, statusOfLaunch(one));
  EXPECT_TRUE(wasNotified("cannot be used any more")) << allNotified();
  const cl_command_queue another = anotherQueue();
  cl_int value = 1;
  EXPECT_CL(CL_DEVICE_NOT_AVAILABLE,
            clEnqueueReadBuffer(another, data, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  void* const mapped =
      clEnqueueMapBuffer(another, other, CL_TRUE, CL_MAP_READ, 0, sizeof(cl_int), 0, nullptr, nullptr, &error);
  if (mapped) clEnqueueUnmapMemObject(another, other, mapped, 0, nullptr, nullptr);
  clFinish(another);
  clFinish(queue);
}

}  // namespace
}  // namespace clarity::test
