// SPDX-License-Identifier: Apache-2.0
// This file tests memory that several devices share by address (OpenCL 3.0, section 5.6, and
// cl_intel_unified_shared_memory): what one has written the others see, without copies.
#include "several_devices.h"

#include <algorithm>
#include <numeric>

namespace clarity::test {
namespace {

struct SharedAddresses : SeveralDevices {
  static constexpr size_t n = 5000;
  std::vector<size_t> sharing;  ///< the devices that have shared virtual memory
  cl_device_svm_capabilities common = ~cl_device_svm_capabilities{0};

  void SetUp() override {
    SeveralDevices::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    for (size_t i = 0; i < devices.size(); ++i) {
      const auto has = infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, devices[i], CL_DEVICE_SVM_CAPABILITIES);
      if (has == 0) continue;
      sharing.push_back(i);
      common &= has;
    }
    if (sharing.size() < 2) GTEST_SKIP() << sharing.size() << " of the devices have shared virtual memory";
  }
  static std::vector<cl_int> numbers(cl_int from) {
    std::vector<cl_int> values(n);
    std::iota(values.begin(), values.end(), from);
    return values;
  }
  cl_kernel adder() {
    return kernelForAll("kernel void add(global int* values, int amount) { values[get_global_id(0)] += amount; }",
                        "add");
  }
  /// Each device adds to the memory several times, after the one before it. Gives the sum and the last event.
  template <class Set>
  std::pair<cl_int, cl_event> addOnAll(cl_kernel kernel, const Set& setPointer) {
    cl_int sum = 0;
    cl_event last = userEvent();
    const cl_event start = last;
    EXPECT_SUCCESS(setPointer(kernel));
    for (cl_int i = 0; i < 12; ++i) {
      EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof i, &i));
      last = run(sharing[size_t(i * 5 / 2) % sharing.size()], kernel, n, {last});
      sum += i;
    }
    for (cl_command_queue each : queues) EXPECT_SUCCESS(clFlush(each));
    EXPECT_SUCCESS(clSetUserEventStatus(start, CL_COMPLETE));
    return {sum, last};
  }
  template <class Function>
  Function byName(const char* name) {
    auto* const function = clGetExtensionFunctionAddressForPlatform(platform, name);
    EXPECT_NE(function, nullptr) << name;
    return reinterpret_cast<Function>(function);
  }
};

TEST_F(SharedAddresses, sharedVirtualMemory) {
  cl_kernel add = adder();
  for (const cl_svm_mem_flags kind : {cl_svm_mem_flags{0}, cl_svm_mem_flags{CL_MEM_SVM_FINE_GRAIN_BUFFER}}) {
    if (kind && !(common & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) continue;
    SCOPED_TRACE(kind ? "fine-grained" : "coarse-grained");
    auto* const memory = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE | kind, n * sizeof(cl_int), 0));
    ASSERT_NE(memory, nullptr) << allNotified();
    atEnd([this, memory] { clSVMFree(context, memory); });
    for (const size_t mapper : sharing) {
      const cl_command_queue queue = queues[mapper];
      ASSERT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, n * sizeof(cl_int), 0, nullptr, nullptr));
      std::ranges::copy(numbers(cl_int(mapper)), memory);
      ASSERT_SUCCESS(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
      ASSERT_SUCCESS(clFinish(queue));
      const auto [sum, last] = addOnAll(add, [&](cl_kernel it) { return clSetKernelArgSVMPointer(it, 0, memory); });
      ASSERT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, n * sizeof(cl_int), 1, &last, nullptr));
      EXPECT_EQ(std::vector<cl_int>(memory, memory + n), numbers(cl_int(mapper) + sum)) << "mapped by " << mapper;
      ASSERT_SUCCESS(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
      ASSERT_SUCCESS(clFinish(queue));
    }
  }
}

// Host memory is for all devices; shared memory of one is for those that have access across devices.
TEST_F(SharedAddresses, unifiedSharedMemory) {
  using Capabilities = cl_device_unified_shared_memory_capabilities_intel;
  const auto hostAlloc = byName<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  const auto sharedAlloc = byName<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  const auto free = byName<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  const auto setArg = byName<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  ASSERT_FALSE(HasFailure());
  cl_kernel add = adder();
  const auto check = [&](void* memory) {
    ASSERT_NE(memory, nullptr) << allNotified();
    auto* const values = static_cast<cl_int*>(memory);
    std::ranges::copy(numbers(3), values);
    const auto [sum, last] = addOnAll(add, [&](cl_kernel it) { return setArg(it, 0, memory); });
    EXPECT_SUCCESS(clWaitForEvents(1, &last));
    EXPECT_EQ(std::vector<cl_int>(values, values + n), numbers(3 + sum));
    EXPECT_SUCCESS(free(context, memory));
  };
  check(hostAlloc(context, nullptr, n * sizeof(cl_int), 0, nullptr));
  for (const size_t owner : sharing) {
    const auto across =
        infoOf<Capabilities>(clGetDeviceInfo, devices[owner], CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    if (!(across & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL)) continue;
    SCOPED_TRACE("shared memory of device " + std::to_string(owner));
    check(sharedAlloc(context, devices[owner], nullptr, n * sizeof(cl_int), 0, nullptr));
  }
}

// The context has devices whose memory is apart, so that its commands' ends are looked up in their memory objects.
struct EmptyTransfers : SeveralDevices {};

TEST_F(EmptyTransfers, nullIsAnEndOfNoBytes) {
  if (infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, devices[cpu], CL_DEVICE_SVM_CAPABILITIES) == 0)
    GTEST_SKIP() << "the CPU device has no shared virtual memory";
  cl_command_queue const queue = queues[cpu];
  auto* const memory = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(cl_int), 0));
  ASSERT_NE(memory, nullptr) << allNotified();
  atEnd([this, memory] { clSVMFree(context, memory); });
  *memory = 5;
  const cl_int pattern = 6;
  for (const bool isBlocking : {true, false}) {
    ASSERT_SUCCESS(clEnqueueSVMMemcpy(queue, isBlocking, memory, nullptr, 0, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueSVMMemcpy(queue, isBlocking, nullptr, memory, 0, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueSVMMemcpy(queue, isBlocking, nullptr, nullptr, 0, 0, nullptr, nullptr));
  }
  ASSERT_SUCCESS(clEnqueueSVMMemFill(queue, memory, &pattern, sizeof pattern, 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clEnqueueSVMMemFill(queue, nullptr, &pattern, sizeof pattern, 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(*memory, 5);
}

}  // namespace
}  // namespace clarity::test
