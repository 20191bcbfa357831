// SPDX-License-Identifier: Apache-2.0
// This file tests memory that the host and a GPU share by address: what the driver is asked for, and that commands and
// kernels use it without transfers.
#include "cuda_stub.h"

#include <algorithm>
#include <numeric>

namespace clarity::test {
namespace {

constexpr size_t kBytes = 1024;

struct CudaShared : CudaStub {
  template <class Function>
  Function byName(const char* name) {
    auto* const function = clGetExtensionFunctionAddressForPlatform(platform, name);
    EXPECT_NE(function, nullptr) << name;
    return reinterpret_cast<Function>(function);
  }
  cl_int* ints(cl_svm_mem_flags flags = CL_MEM_READ_WRITE) {
    auto* const memory = static_cast<cl_int*>(clSVMAlloc(context, flags, kBytes, 0));
    EXPECT_NE(memory, nullptr) << allNotified();
    atEnd([this, memory] { clSVMFree(context, memory); });
    return memory;
  }
  /// The transfers that a copy in either direction would use.
  unsigned long long transfers() {
    return calls("cuMemcpyHtoDAsync_v2") + calls("cuMemcpyDtoHAsync_v2") + calls("cuMemcpyHtoD_v2");
  }
};

TEST_F(CudaShared, kernelsUseItByItsAddress) {
  const auto before = transfers();
  for (cl_svm_mem_flags flags :
       {cl_svm_mem_flags{CL_MEM_READ_WRITE}, cl_svm_mem_flags{CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER}}) {
    cl_int* const data = ints(flags);
    defineKernel("add", add);
    const cl_kernel kernel = this->kernel("kernel void add(global int* data, int value) { *data += value; }", "add");
    const cl_int value = 5;
    EXPECT_SUCCESS(clSetKernelArgSVMPointer(kernel, 0, data + 3));
    EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof value, &value));
    EXPECT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, data, kBytes, 0, nullptr, nullptr));
    std::iota(data, data + kBytes / sizeof *data, 0);
    EXPECT_SUCCESS(clEnqueueSVMUnmap(queue, data, 0, nullptr, nullptr));
    for (int i = 0; i < 3; ++i) launchOne(queue, kernel);
    EXPECT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, data, kBytes, 0, nullptr, nullptr));
    EXPECT_EQ(data[2], 2);
    EXPECT_EQ(data[3], 3 + 3 * 5);
    EXPECT_EQ(data[4], 4);
    EXPECT_SUCCESS(clEnqueueSVMUnmap(queue, data, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
  }
  EXPECT_EQ(transfers(), before);
}

TEST_F(CudaShared, copiesAndFills) {
  cl_int *const one = ints(), *const other = ints();
  const cl_int pattern[] = {7, 9};
  std::vector<cl_int> mine(kBytes / sizeof(cl_int), 1), expected(mine.size());
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = pattern[i % 2];
  EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, one, pattern, sizeof pattern, kBytes, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_FALSE, other, one, kBytes, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, mine.data(), other, kBytes, 0, nullptr, nullptr));
  EXPECT_EQ(mine, expected);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), one));
  mine[100] = 3;
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, one, mine.data(), kBytes, 0, nullptr, nullptr));
  EXPECT_EQ(one[100], 3);
}

// Coarse-grained memory goes to the host when it is mapped and back when it is unmapped, in the order of the queue.
TEST_F(CudaShared, mapsMoveTheMemory) {
  const bool moves =
      infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_ATOMICS;
  const auto before = calls("cuMemPrefetchAsync");
  cl_int *const coarse = ints(), *const fine = ints(CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  for (cl_int* each : {coarse, fine}) {
    EXPECT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, each + 1, 64, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clEnqueueSVMUnmap(queue, each + 1, 0, nullptr, nullptr));
  }
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(calls("cuMemPrefetchAsync") - before, moves ? 2u : 0u);
  const void* list[] = {coarse, fine};
  EXPECT_SUCCESS(clEnqueueSVMMigrateMem(queue, 2, list, nullptr, 0, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(calls("cuMemPrefetchAsync") - before, moves ? 4u : 0u);
}

// A buffer of shared memory is that memory: kernels follow pointers to it that lie in other memory.
TEST_F(CudaShared, buffersMadeOfIt) {
  cl_int* const data = ints();
  std::fill_n(data, kBytes / sizeof *data, 1);
  const auto before = transfers();
  const cl_mem whole = buffer(kBytes - 256, CL_MEM_USE_HOST_PTR, data + 64);
  EXPECT_EQ(infoOf<cl_bool>(clGetMemObjectInfo, whole, CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, whole, CL_MEM_HOST_PTR), data + 64);
  const cl_buffer_region region{256, 256};
  const cl_mem part = created([&](cl_int* error) {
    return clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, error);
  });
  launchOne(queue, adder(whole, 4));
  launchOne(queue, adder(part, 7));
  const cl_int pattern = 9;
  EXPECT_SUCCESS(clEnqueueFillBuffer(queue, part, &pattern, sizeof pattern, 4, 8, 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  void* const mapped = clEnqueueMapBuffer(queue, whole, CL_TRUE, CL_MAP_READ, 4, 64, 0, nullptr, nullptr, &error);
  EXPECT_SUCCESS(error);
  EXPECT_EQ(mapped, data + 65);
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, whole, mapped, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(transfers(), before);
  EXPECT_EQ(data[63], 1);
  EXPECT_EQ(data[64], 5);
  EXPECT_EQ(data[128], 8);
  EXPECT_EQ(data[129], 9);
  EXPECT_EQ(data[131], 1);
  EXPECT_EQ(read<cl_int>(part, 4), (std::vector<cl_int>{8, 9, 9, 1}));
  EXPECT_EQ(clReleaseMemObject(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, data, &error)), CL_SUCCESS);
}

TEST_F(CudaShared, freeingWaitsForItsTurn) {
  const auto before = counts().deviceBytes;
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(counts().deviceBytes, before + kBytes);
  const cl_event gate = userEvent();
  EXPECT_SUCCESS(clEnqueueSVMFree(queue, 1, &memory, nullptr, nullptr, 1, &gate, nullptr));
  EXPECT_EQ(counts().deviceBytes, before + kBytes);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_LT(counts().deviceBytes, before + kBytes);
}

// The driver would take more, and exchange it with the host's memory page by page.
TEST_F(CudaShared, noMoreThanTheGpuHas) {
  const auto total = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  const size_t half = size_t(total) / 8 * 5;
  void* const first = clSVMAlloc(context, CL_MEM_READ_WRITE, half, 0);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, half, 0), nullptr);
  clSVMFree(context, first);
}

TEST_F(CudaShared, kindsOfUnifiedSharedMemory) {
  const auto hostAlloc = byName<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  const auto deviceAlloc = byName<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const auto sharedAlloc = byName<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  const auto copy = byName<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  const auto fill = byName<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
  const auto setArg = byName<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  const auto free = byName<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  const auto info = byName<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
  const ClarityCudaCounts before = counts();
  auto* const host = static_cast<cl_int*>(hostAlloc(context, nullptr, kBytes, 0, nullptr));
  EXPECT_EQ(counts().hostBytes, before.hostBytes + kBytes);
  void* const own = deviceAlloc(context, device, nullptr, kBytes, 0, nullptr);
  EXPECT_EQ(counts().deviceBytes, before.deviceBytes + kBytes);
  const auto managed = calls("cuMemAllocManaged");
  auto* const shared = static_cast<cl_int*>(sharedAlloc(context, device, nullptr, kBytes, 0, nullptr));
  EXPECT_EQ(calls("cuMemAllocManaged"), managed + 1);
  ASSERT_TRUE(host && own && shared);

  void* base = nullptr;
  EXPECT_SUCCESS(info(context, static_cast<char*>(own) + 10, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, nullptr));
  EXPECT_EQ(base, own);
  std::iota(host, host + kBytes / sizeof *host, 1);
  EXPECT_SUCCESS(copy(queue, CL_FALSE, own, host, kBytes, 0, nullptr, nullptr));
  const cl_kernel plus = kernel("kernel void add(global int* data, int value) { *data += value; }", "add");
  defineKernel("add", add);
  const cl_int value = 100;
  EXPECT_SUCCESS(setArg(plus, 0, static_cast<char*>(own) + 4 * sizeof(cl_int)));
  EXPECT_SUCCESS(clSetKernelArg(plus, 1, sizeof value, &value));
  launchOne(queue, plus);
  EXPECT_SUCCESS(copy(queue, CL_TRUE, shared, own, kBytes, 0, nullptr, nullptr));
  EXPECT_EQ(shared[3], 4);
  EXPECT_EQ(shared[4], 105);
  const cl_uchar byte = 1;
  EXPECT_SUCCESS(fill(queue, host, &byte, sizeof byte, kBytes, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(host[7], 0x01010101);
  for (void* memory : {static_cast<void*>(host), own, static_cast<void*>(shared)})
    EXPECT_SUCCESS(free(context, memory));
  EXPECT_LT(counts().deviceBytes, before.deviceBytes + kBytes) << "more than what a stream needs itself";
}

TEST_F(CudaShared, whatIsSaidOfIt) {
  using Capabilities = cl_device_unified_shared_memory_capabilities_intel;
  const bool moves =
      infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_ATOMICS;
  const char* const managed = std::getenv("CLARITY_TEST_CUDA_MANAGED");
  EXPECT_EQ(moves, !managed || *managed == '1');
  const auto of = [&](cl_device_info name) { return infoOf<Capabilities>(clGetDeviceInfo, device, name); };
  EXPECT_FALSE(of(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL) & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL);
  EXPECT_TRUE(of(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL) & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL);
  EXPECT_FALSE(of(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL);
  EXPECT_EQ(of(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL), 0u);
  // Shared memory stays in the host's where it cannot move.
  const auto before = calls("cuMemAllocManaged");
  (void)ints();
  EXPECT_EQ(calls("cuMemAllocManaged") - before, moves ? 1u : 0u);
}

/// Two GPUs in one context (CLARITY_TEST_CUDA_DEVICES=2).
struct CudaPeers : CudaShared {
  std::vector<cl_device_id> both;
  std::vector<cl_command_queue> queues;

  void SetUp() override {
    CudaShared::SetUp();
    cl_uint count = 0;
    EXPECT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, nullptr, &count));
    ASSERT_EQ(count, 2u) << "CLARITY_TEST_CUDA_DEVICES is not 2";
    both.resize(2);
    EXPECT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 2, both.data(), nullptr));
    context = created([&](cl_int* error) { return clCreateContext(nullptr, 2, both.data(), nullptr, nullptr, error); });
    for (cl_device_id each : both)
      queues.push_back(
          created([&](cl_int* error) { return clCreateCommandQueueWithProperties(context, each, nullptr, error); }));
    queue = queues[0];
    device = both[0];
  }
};

// Content goes from one GPU to the other, not through the host's memory.
TEST_F(CudaPeers, contentGoesDirectly) {
  const std::vector<cl_int> start(256, 4);
  const cl_mem data = bufferOf(start);
  const cl_int pattern = 6;
  const auto peer = calls("cuMemcpyPeerAsync"), linked = calls("cuCtxEnablePeerAccess");
  EXPECT_SUCCESS(clEnqueueFillBuffer(queues[0], data, &pattern, sizeof pattern, 0, 512, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[0]));
  const auto toHost = calls("cuMemcpyDtoHAsync_v2");
  EXPECT_SUCCESS(clEnqueueFillBuffer(queues[1], data, &pattern, sizeof pattern, 512, 4, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueMigrateMemObjects(queues[1], 1, &data, 0, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[1]));
  EXPECT_GT(calls("cuMemcpyPeerAsync"), peer);
  EXPECT_EQ(calls("cuCtxEnablePeerAccess") - linked, 2u) << "for either the memory of the other";
  EXPECT_EQ(calls("cuMemcpyDtoHAsync_v2"), toHost);
  const std::vector<cl_int> result = read<cl_int>(data, 256);
  for (size_t i = 0; i < result.size(); ++i) EXPECT_EQ(result[i], i < 129 ? 6 : 4) << i;
}

// A copy reads where the content is, if that is the other GPU.
TEST_F(CudaPeers, copiesReadOnTheOther) {
  const cl_mem from = bufferOf(std::vector<cl_int>(256, 4)), to = bufferOf(std::vector<cl_int>(256, 5));
  const cl_int pattern = 6;
  EXPECT_SUCCESS(clEnqueueFillBuffer(queues[0], from, &pattern, sizeof pattern, 0, 1024, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[0]));
  EXPECT_SUCCESS(clEnqueueMigrateMemObjects(queues[1], 1, &to, 0, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[1]));
  const auto peer = calls("cuMemcpyPeerAsync"), toHost = calls("cuMemcpyDtoHAsync_v2"),
             memories = calls("cuMemAlloc_v2");
  EXPECT_SUCCESS(clEnqueueCopyBuffer(queues[1], from, to, 512, 0, 512, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[1]));
  EXPECT_EQ(calls("cuMemcpyPeerAsync"), peer + 1);
  EXPECT_EQ(calls("cuMemcpyDtoHAsync_v2"), toHost);
  EXPECT_EQ(calls("cuMemAlloc_v2"), memories) << "no memory on the device for what it reads elsewhere";
  const std::vector<cl_int> result = read<cl_int>(to, 256);
  for (size_t i = 0; i < result.size(); ++i) EXPECT_EQ(result[i], i < 128 ? 6 : 5) << i;
}

// SYCL copies from buffers to memory of the device, and back, as if that were the host's.
TEST_F(CudaPeers, buffersAreReadToMemoryOfTheDevice) {
  const auto deviceAlloc = byName<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const auto copy = byName<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  const auto free = byName<clMemFreeINTEL_fn>("clMemFreeINTEL");
  auto* const own = static_cast<cl_int*>(deviceAlloc(context, both[0], nullptr, 64 * sizeof(cl_int), 0, nullptr));
  ASSERT_NE(own, nullptr);
  std::vector<cl_int> numbers(64);
  for (size_t i = 0; i < 64; ++i) numbers[i] = static_cast<cl_int>(i);
  const cl_mem from = bufferOf(numbers), to = bufferOf(std::vector<cl_int>(64, -1));
  EXPECT_SUCCESS(clEnqueueReadBuffer(queues[0], from, CL_FALSE, 32 * 4, 32 * 4, own, 0, nullptr, nullptr));
  const size_t origin[] = {0, 0, 0}, behind[] = {32 * 4, 0, 0}, region[] = {8 * 4, 4, 1};
  EXPECT_SUCCESS(clEnqueueReadBufferRect(queues[0], from, CL_FALSE, origin, behind, region, 0, 0, 8 * 4, 0, own, 0,
                                         nullptr, nullptr));
  std::vector<cl_int> found(64);
  EXPECT_SUCCESS(copy(queues[0], CL_TRUE, found.data(), own, 64 * 4, 0, nullptr, nullptr));
  for (cl_int i = 0; i < 64; ++i) EXPECT_EQ(found[i], (i + 32) % 64) << i;
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queues[0], to, CL_TRUE, 0, 32 * 4, own + 32, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueWriteBufferRect(queues[0], to, CL_TRUE, behind, origin, region, 0, 0, 8 * 4, 0, own, 0,
                                          nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[0]));
  EXPECT_EQ(read<cl_int>(to, 64), numbers);
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadBuffer(queues[0], from, CL_TRUE, 0, 64 * 4, own + 1, 0, nullptr, nullptr));
  EXPECT_SUCCESS(free(context, own));
}

TEST_F(CudaPeers, memoryOfOneGpuIsNotForTheOther) {
  const auto deviceAlloc = byName<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const auto setArg = byName<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  const auto copy = byName<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  const auto free = byName<clMemFreeINTEL_fn>("clMemFreeINTEL");
  void* const own = deviceAlloc(context, both[0], nullptr, kBytes, 0, nullptr);
  ASSERT_NE(own, nullptr);
  cl_program program = source("kernel void add(global int* data, int value) { *data += value; }");
  ASSERT_SUCCESS(clBuildProgram(program, 2, both.data(), "", nullptr, nullptr));
  const cl_kernel plus = kernel(program, "add");
  const cl_int value = 1;
  EXPECT_SUCCESS(setArg(plus, 0, own));
  EXPECT_SUCCESS(clSetKernelArg(plus, 1, sizeof value, &value));
  const size_t one = 1;
  EXPECT_CL(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(queues[1], plus, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  cl_int number = 0;
  EXPECT_CL(CL_INVALID_OPERATION, copy(queues[1], CL_TRUE, &number, own, sizeof number, 0, nullptr, nullptr));
  EXPECT_SUCCESS(copy(queues[0], CL_TRUE, own, &value, sizeof value, 0, nullptr, nullptr));
  EXPECT_SUCCESS(copy(queues[0], CL_TRUE, &number, own, sizeof number, 0, nullptr, nullptr));
  EXPECT_EQ(number, 1);
  EXPECT_SUCCESS(free(context, own));
}

}  // namespace
}  // namespace clarity::test
