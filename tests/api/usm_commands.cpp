// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelArgMemPointerINTEL, clEnqueueMemFillINTEL, clEnqueueMemcpyINTEL, clEnqueueMigrateMemINTEL
// and clEnqueueMemAdviseINTEL (cl_intel_unified_shared_memory).
#include "usm.h"

namespace clarity::test {
namespace {

struct UsmCommands : UsmTest {
  const std::vector<unsigned char> pattern = countingBytes(256, 1);
  unsigned char* memory = nullptr;
  unsigned char* other = nullptr;

  void SetUp() override {
    UsmTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    memory = shared();
    other = host();
    std::fill_n(memory, kSize, 0xEE);
    std::fill_n(other, kSize, 0x11);
  }
  std::vector<std::pair<Enqueue, cl_command_type>> commands() {
    return {{[this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
               return fill(q, memory, pattern.data(), 4, kSize, n, list, event);
             },
             CL_COMMAND_MEMFILL_INTEL},
            {[this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
               return copy(q, CL_FALSE, memory, other, kSize, n, list, event);
             },
             CL_COMMAND_MEMCPY_INTEL},
            {[this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
               return migrate(q, memory, kSize, 0, n, list, event);
             },
             CL_COMMAND_MIGRATEMEM_INTEL},
            {[this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
               return advise(q, memory, kSize, 0, n, list, event);
             },
             CL_COMMAND_MEMADVISE_INTEL}};
  }
};

TEST_F(UsmCommands, kernelsUseEveryKind) {
  cl_kernel add = kernel(
      "kernel void add(global const int* a, global const int* b, global int* c) {\n"
      "  int i = get_global_id(0); c[i] = a[i] + b[i]; }",
      "add");
  auto* const sum = ofDevice();
  ASSERT_SUCCESS(setArg(add, 0, memory));
  ASSERT_SUCCESS(setArg(add, 1, other));
  ASSERT_SUCCESS(setArg(add, 2, sum));
  launch(add, kSize / 4);
  std::vector<cl_uint> result(kSize / 4);
  ASSERT_SUCCESS(copy(queue, CL_TRUE, result.data(), sum, kSize, 0, nullptr, nullptr));
  EXPECT_EQ(result, std::vector<cl_uint>(kSize / 4, 0xEEEEEEEEU + 0x11111111U));
}

TEST_F(UsmCommands, fillAndCopy) {
  ASSERT_SUCCESS(fill(queue, memory + 16, pattern.data(), 16, 64, 0, nullptr, nullptr));
  ASSERT_SUCCESS(copy(queue, CL_TRUE, other, memory, kSize, 0, nullptr, nullptr));
  std::vector<unsigned char> wanted(kSize, 0xEE);
  for (size_t i = 0; i < 64; ++i) wanted[16 + i] = pattern[i % 16];
  EXPECT_EQ(bytesAt(other), wanted);
}

TEST_F(UsmCommands, waitForTheirLists) {
  for (const auto& [enqueue, type] : commands()) expectWaitsForItsList(*this, enqueue, type);
}

TEST_F(UsmCommands, anErrorInTheirListsEndsThem) {
  for (const auto& [enqueue, type] : commands()) expectErrorReachesIt(*this, enqueue);
  expectBlockingEnqueueSeesError(*this, [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return copy(q, CL_TRUE, memory, other, kSize, n, list, event);
  });
}

TEST_F(UsmCommands, invalidCommandQueue) {
  for (const auto& [enqueue, type] : commands()) expectQueueChecked(*this, enqueue);
}

TEST_F(UsmCommands, invalidEventWaitList) {
  for (const auto& [enqueue, type] : commands()) expectWaitListChecked(*this, enqueue);
}

TEST_F(UsmCommands, invalidValue) {
  const auto filled = [&](void* to, const void* with, size_t patternSize, size_t size) {
    return fill(queue, to, with, patternSize, size, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_VALUE, filled(nullptr, pattern.data(), 4, 4));
  EXPECT_CL(CL_INVALID_VALUE, filled(memory, nullptr, 4, 4));
  EXPECT_CL(CL_INVALID_VALUE, filled(memory, pattern.data(), 3, 9));
  EXPECT_CL(CL_INVALID_VALUE, filled(memory, pattern.data(), 256, 256));
  EXPECT_CL(CL_INVALID_VALUE, filled(memory + 1, pattern.data(), 4, 4));
  EXPECT_CL(CL_INVALID_VALUE, filled(memory, pattern.data(), 4, 6));
  EXPECT_CL(CL_INVALID_VALUE, filled(memory, pattern.data(), 4, kSize + 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(queue, CL_TRUE, nullptr, memory, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, copy(queue, CL_TRUE, memory, nullptr, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, copy(queue, CL_TRUE, memory, other, kSize + 1, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, migrate(queue, memory, kSize, 1U << 9, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, advise(queue, memory, kSize, 5, 0, nullptr, nullptr));
}

TEST_F(UsmCommands, memCopyOverlap) {
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(queue, CL_TRUE, memory + 1, memory, 2, 0, nullptr, nullptr));
}

TEST_F(UsmCommands, errorsOfKernelArguments) {
  cl_kernel it = kernel("kernel void it(global int* a, int b) { *a = b; }", "it");
  EXPECT_CL(CL_INVALID_ARG_INDEX, setArg(it, 2, memory));
  EXPECT_CL(CL_INVALID_ARG_VALUE, setArg(it, 1, memory));
  for (const auto& bad : badHandles<cl_kernel>(*this)) EXPECT_CL(CL_INVALID_KERNEL, setArg(bad.handle, 0, memory));
}

}  // namespace
}  // namespace clarity::test
