// SPDX-License-Identifier: Apache-2.0
// This file tests clSVMAlloc (OpenCL 3.0, section 5.6.1). It has no error code: it returns NULL, and the sentence that
// is notified says why.
#include "shared_memory.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace clarity::test {
namespace {

struct SVMAlloc : SharedMemoryTest {
  void expectRefused(cl_svm_mem_flags flags, size_t size, cl_uint alignment, const char* word) {
    {
      const std::lock_guard hold(notifiedLock);
      notified.clear();
    }
    void* const memory = driver->clSVMAlloc(context, flags, size, alignment);
    EXPECT_EQ(memory, nullptr) << "flags " << flags << ", " << size << " bytes, alignment " << alignment;
    EXPECT_TRUE(wasNotified(word)) << allNotified();
  }
};

constexpr cl_svm_mem_flags kFine = CL_MEM_SVM_FINE_GRAIN_BUFFER, kAtomics = CL_MEM_SVM_ATOMICS;

TEST_F(SVMAlloc, everyKindIsMemoryOfTheHost) {
  for (const cl_svm_mem_flags access : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, 0})
    for (const cl_svm_mem_flags kind : {cl_svm_mem_flags{0}, kFine, kFine | kAtomics}) {
      auto* const memory = allocated(kSize, access | kind);
      ASSERT_NE(memory, nullptr);
      std::fill_n(memory, kSize, 7);
      EXPECT_EQ(memory[kSize - 1], 7);
    }
}

TEST_F(SVMAlloc, isAligned) {
  for (cl_uint alignment = 0; alignment <= 128; alignment = alignment ? 2 * alignment : 1)
    for (int i = 0; i < 20; ++i) {
      void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 24, alignment);
      ASSERT_NE(memory, nullptr) << "alignment " << alignment;
      atEnd([this, memory] { clSVMFree(context, memory); });
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (alignment ? alignment : 128), 0U);
    }
}

// A list whose nodes the host makes and a kernel walks and extends, by the addresses in it.
TEST_F(SVMAlloc, kernelsFollowPointers) {
  struct Node {
    cl_int value;
    Node* next;
  };
  constexpr int n = 100;
  auto* const nodes = allocated<Node>(n);
  for (int i = 0; i < n; ++i) nodes[i] = {i, i + 1 < n ? &nodes[(i * 37 + 37) % n] : nullptr};
  for (int i = 0; i < n; ++i) nodes[i * 37 % n].next = i + 1 < n ? &nodes[(i + 1) * 37 % n] : nullptr;
  auto* const result = allocated<cl_int>(1);
  *result = 0;
  cl_kernel walk = kernel(
      "typedef struct Node { int value; global struct Node* next; } Node;\n"
      "kernel void walk(global Node* node, global int* sum) {\n"
      "  for (; node; node = node->next) { *sum += node->value; node->value = -node->value; } }",
      "walk");
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(walk, 0, nodes));
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(walk, 1, result));
  launch(walk, 1);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(*result, n * (n - 1) / 2);
  for (int i = 0; i < n; ++i) EXPECT_EQ(nodes[i].value, -i);
}

// The host and a kernel that runs meanwhile exchange values through atomics.
TEST_F(SVMAlloc, theHostAndAKernelMeetInAtomics) {
  if (!(infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) &
        CL_DEVICE_SVM_ATOMICS))
    GTEST_SKIP();
  auto* const cells = allocated<cl_int>(2, kFine | kAtomics);
  auto& toKernel = reinterpret_cast<std::atomic<cl_int>&>(cells[0]);
  auto& toHost = reinterpret_cast<std::atomic<cl_int>&>(cells[1]);
  toKernel = toHost = 0;
  cl_kernel answer = kernel(build("kernel void answer(global atomic_int* in, global atomic_int* out) {\n"
                                  "  for (int i = 1; i <= 100; ++i) {\n"
                                  "    while (atomic_load_explicit(in, memory_order_acquire,\n"
                                  "                                memory_scope_all_svm_devices) != i) {}\n"
                                  "    atomic_store_explicit(out, i, memory_order_release,\n"
                                  "                          memory_scope_all_svm_devices);\n"
                                  "  } }",
                                  "-cl-std=CL3.0"),
                            "answer");
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(answer, 0, &cells[0]));
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(answer, 1, &cells[1]));
  const size_t one = 1;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, answer, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFlush(queue));
  for (int i = 1; i <= 100; ++i) {
    toKernel.store(i, std::memory_order_release);
    while (toHost.load(std::memory_order_acquire) != i) {
    }
  }
  EXPECT_SUCCESS(clFinish(queue));
}

// A buffer made of shared memory is that memory.
TEST_F(SVMAlloc, isTheMemoryOfABuffer) {
  auto* const memory = blank();
  cl_mem of = buffer(kSize, CL_MEM_USE_HOST_PTR, memory);
  EXPECT_EQ(infoOf<cl_bool>(clGetMemObjectInfo, of, CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
  const cl_int seven = 7;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, of, &seven, 4, 0, kSize, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(reinterpret_cast<cl_int*>(memory)[kSize / 4 - 1], 7);
  std::vector<unsigned char> mine(kSize);
  cl_mem other = buffer(kSize, CL_MEM_USE_HOST_PTR, mine.data());
  EXPECT_EQ(infoOf<cl_bool>(clGetMemObjectInfo, other, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  // CL_INVALID_BUFFER_SIZE: more than was allocated.
  expectFails(CL_INVALID_BUFFER_SIZE,
              [&](cl_int* error) { return clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kSize + 1, memory, error); });
}

// Memory of malloc serves as it is on a device with CL_DEVICE_SVM_FINE_GRAIN_SYSTEM.
TEST_F(SVMAlloc, isNotNeededForMemoryOfTheSystem) {
  if (!(infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) &
        CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    GTEST_SKIP();
  auto mine = std::make_unique<std::vector<cl_int>>(1000, 5);
  cl_kernel add = kernel("kernel void add(global int* a) { a[get_global_id(0)] += get_global_id(0); }", "add");
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(add, 0, mine->data()));
  launch(add, mine->size());
  ASSERT_SUCCESS(clFinish(queue));
  for (int i = 0; i < 1000; ++i) ASSERT_EQ((*mine)[static_cast<size_t>(i)], 5 + i);
}

// context is not a context.
TEST_F(SVMAlloc, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    EXPECT_EQ(driver->clSVMAlloc(bad.handle, CL_MEM_READ_WRITE, 64, 0), nullptr) << "the context is " << bad.what;
}

// Unknown flags, flags that exclude each other, atomics without fine grain.
TEST_F(SVMAlloc, invalidFlags) {
  expectRefused(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, 0, "exclude");
  expectRefused(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | kFine, 64, 0, "exclude");
  expectRefused(CL_MEM_USE_HOST_PTR, 64, 0, "CL_MEM_USE_HOST_PTR");
  expectRefused(CL_MEM_HOST_NO_ACCESS, 64, 0, "CL_MEM_HOST_NO_ACCESS");
  expectRefused(cl_svm_mem_flags{1} << 40, 64, 0, "0x10000000000");
  expectRefused(CL_MEM_READ_WRITE | kAtomics, 64, 0, "CL_MEM_SVM_FINE_GRAIN_BUFFER");
}

// More than the device allocates.
TEST_F(SVMAlloc, invalidSize) {
  const cl_ulong most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  expectRefused(CL_MEM_READ_WRITE, most + 1, 0, "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  expectRefused(CL_MEM_READ_WRITE, SIZE_MAX, 0, "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
}

// An alignment that is no power of two, or above the largest type.
TEST_F(SVMAlloc, invalidAlignment) {
  for (const cl_uint alignment : {3U, 12U, 96U, 129U, 256U, 0x80000000U, ~0U})
    expectRefused(CL_MEM_READ_WRITE, 64, alignment, std::to_string(alignment).c_str());
}

}  // namespace
}  // namespace clarity::test
