// SPDX-License-Identifier: Apache-2.0
// This file tests a context of the CPU and a GPU: content goes between them, and what happens to the GPU is no concern
// of the CPU. The last test loses the GPU for the process.
#include "cuda_stub.h"

#include "api/new_extensions.h"

#include <array>

namespace clarity::test {
namespace {

struct CudaBesideCpu : CudaStub {
  cl_device_id cpu = nullptr, gpu = nullptr;
  cl_command_queue onCpu = nullptr, onGpu = nullptr;

  void SetUp() override {
    CudaStub::SetUp();
    ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &cpu, nullptr));
    ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &gpu, nullptr));
    const std::array<cl_device_id, 2> both{cpu, gpu};
    const auto notify = [](const char* text, const void*, size_t, void* test) {
      auto& self = *static_cast<CudaBesideCpu*>(test);
      const std::lock_guard lock(self.notifiedLock);
      self.notified.emplace_back(text);
    };
    context = created([&](cl_int* error) { return clCreateContext(nullptr, 2, both.data(), notify, this, error); });
    const auto queueOf = [&](cl_device_id device) {
      return created(
          [&](cl_int* error) { return clCreateCommandQueueWithProperties(context, device, nullptr, error); });
    };
    onCpu = queueOf(cpu);
    onGpu = queueOf(gpu);
    queue = onCpu;
  }

  /// A kernel that adds, which the CPU executes and, on the GPU, a function of the test.
  cl_kernel adderOfBoth(cl_mem data, cl_int value) {
    defineKernel("add", add);
    const cl_program program = source("kernel void add(global int* data, int value) { *data += value; }");
    const std::array<cl_device_id, 2> both{cpu, gpu};
    EXPECT_SUCCESS(clBuildProgram(program, 2, both.data(), "", nullptr, nullptr));
    const cl_kernel made = kernel(program, "add");
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof data, &data));
    EXPECT_SUCCESS(clSetKernelArg(made, 1, sizeof value, &value));
    return made;
  }
  cl_int statusOf(cl_command_queue where, cl_kernel kernel) {
    cl_event event = nullptr;
    launchOne(where, kernel, {}, &event);
    clWaitForEvents(1, &event);
    return infoOf<cl_int>(clGetEventInfo, keep(event), CL_EVENT_COMMAND_EXECUTION_STATUS);
  }
};

TEST_F(CudaBesideCpu, contentGoesWhereItIsUsed) {
  const cl_mem data = bufferOf(std::vector<cl_int>{1});
  const cl_kernel plus = adderOfBoth(data, 2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_CL(CL_COMPLETE, statusOf(onCpu, plus));
    EXPECT_CL(CL_COMPLETE, statusOf(onGpu, plus));
  }
  EXPECT_EQ(read<cl_int>(data, 1)[0], 13);
  EXPECT_SUCCESS(clEnqueueMigrateMemObjects(onGpu, 1, &data, 0, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(onGpu));
  const auto transfers = calls("cuMemcpyHtoDAsync_v2");
  EXPECT_CL(CL_COMPLETE, statusOf(onGpu, plus));
  EXPECT_EQ(calls("cuMemcpyHtoDAsync_v2"), transfers) << "it was there";
  EXPECT_EQ(read<cl_int>(data, 1)[0], 15);
}

// cl_ext_buffer_device_address: an address for each device, in the order of the context's devices.
TEST_F(CudaBesideCpu, addressesOfBuffers) {
  const cl_mem_properties wanted[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  const auto made = [&] {
    return created([&](cl_int* e) { return clCreateBufferWithProperties(context, wanted, 0, 64, nullptr, e); });
  };
  const auto addressesOf = [](cl_mem memory) {
    return infoVectorOf<cl_mem_device_address_ext>(clGetMemObjectInfo, memory, CL_MEM_DEVICE_ADDRESS_EXT);
  };
  const cl_mem data = made(), reached = made();
  const auto of = addressesOf(data), ofReached = addressesOf(reached);
  ASSERT_EQ(of.size(), 2U);
  ASSERT_EQ(ofReached.size(), 2U);
  EXPECT_NE(of[0], of[1]);
  const auto set = reinterpret_cast<cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_mem_device_address_ext)>(
      clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
  ASSERT_NE(set, nullptr);
  const cl_kernel plus = adderOfBoth(data, 2);
  const cl_int zero = 0;
  ASSERT_SUCCESS(clEnqueueFillBuffer(onCpu, data, &zero, 4, 0, 64, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(onCpu));
  for (int i = 0; i < 4; ++i) {
    ASSERT_SUCCESS(set(plus, 0, of[i % 2 ? 1 : 0] + 4));
    EXPECT_CL(CL_COMPLETE, statusOf(i % 2 ? onGpu : onCpu, plus));
  }
  EXPECT_EQ(read<cl_int>(data, 3), (std::vector<cl_int>{0, 8, 0}));

  // A peer that is reached has both addresses told: the device's own counts.
  ASSERT_SUCCESS(
      clSetKernelExecInfo(plus, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 2 * sizeof ofReached[0], ofReached.data()));
  static cl_mem_device_address_ext target = 0;
  target = ofReached[1];
  defineKernel("add", [](const ClarityCudaLaunch*) { *static_cast<cl_int*>(current().memory(target)) += 10; });
  const cl_int value = 5;
  ASSERT_SUCCESS(clEnqueueWriteBuffer(onCpu, reached, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
  EXPECT_CL(CL_COMPLETE, statusOf(onGpu, plus));
  EXPECT_EQ(read<cl_int>(reached, 1)[0], 15);
}

// A GPU answers every query that the CPU answers.
TEST_F(CudaBesideCpu, theGpuAnswersWhatTheCpuAnswers) {
  size_t answered = 0;
  for (cl_device_info query = 0x1000; query < 0x4300; ++query) {
    size_t bytes = 0, itsBytes = 0;
    if (clGetDeviceInfo(cpu, query, 0, nullptr, &bytes) != CL_SUCCESS) continue;
    ++answered;
    EXPECT_SUCCESS(clGetDeviceInfo(gpu, query, 0, nullptr, &itsBytes)) << std::hex << query;
  }
  EXPECT_GT(answered, 100U);
}

TEST_F(CudaBesideCpu, eventsOrderBoth) {
  const cl_mem data = bufferOf(std::vector<cl_int>{0});
  const cl_kernel plus = adderOfBoth(data, 1);
  std::vector<cl_event> last;
  for (int i = 0; i < 20; ++i) {
    cl_event event = nullptr;
    launchOne(i % 2 ? onCpu : onGpu, plus, last, &event);
    last = {keep(event)};
  }
  EXPECT_SUCCESS(clWaitForEvents(1, last.data()));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 20);
}

// A buffer has memory on a device from its first use there on.
TEST_F(CudaBesideCpu, outOfMemoryAtFirstUse) {
  const cl_mem data = bufferOf(std::vector<cl_int>{5});
  const cl_kernel plus = adderOfBoth(data, 1);
  EXPECT_CL(CL_COMPLETE, statusOf(onCpu, plus));
  failCall("cuMemAlloc_v2", 1, 2);
  const size_t one = 1;
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            clEnqueueNDRangeKernel(onGpu, plus, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  EXPECT_TRUE(wasNotifiedOf(sizeof(cl_int))) << allNotified();
  EXPECT_CL(CL_COMPLETE, statusOf(onCpu, plus));
  EXPECT_CL(CL_COMPLETE, statusOf(onGpu, plus)) << "there is memory again";
  EXPECT_EQ(read<cl_int>(data, 1)[0], 8);
}

TEST_F(CudaBesideCpu, zTheCpuGoesOnWhenTheGpuIsLost) {
  const cl_mem data = bufferOf(std::vector<cl_int>{5}), ofGpu = bufferOf(std::vector<cl_int>{5});
  const cl_kernel plus = adderOfBoth(data, 1), plusOfGpu = adderOfBoth(ofGpu, 1);
  EXPECT_CL(CL_COMPLETE, statusOf(onCpu, plus));
  EXPECT_CL(CL_COMPLETE, statusOf(onGpu, plusOfGpu));
  EXPECT_SUCCESS(clFinish(onGpu));
  current().fault();
  EXPECT_CL(CL_INVALID_OPERATION, statusOf(onGpu, plusOfGpu));
  EXPECT_TRUE(wasNotified("kernel 'add' failed")) << allNotified();
  EXPECT_CL(CL_COMPLETE, statusOf(onCpu, plus));
  EXPECT_EQ(read<cl_int>(data, 1)[0], 7);
  // Content that only the GPU had is lost, and a command that needs it says so.
  cl_int value = 0;
  EXPECT_NE(clEnqueueReadBuffer(onCpu, ofGpu, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_TRUE(wasNotified("cannot be used any more")) << allNotified();
  EXPECT_EQ(read<cl_int>(data, 1)[0], 7);
}

}  // namespace
}  // namespace clarity::test
