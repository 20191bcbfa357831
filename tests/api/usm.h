// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of cl_intel_unified_shared_memory start from: its entry points by their names.
#pragma once

#include "shared_memory.h"

namespace clarity::test {

struct UsmTest : SharedMemoryTest {
  clHostMemAllocINTEL_fn hostAlloc = nullptr;
  clDeviceMemAllocINTEL_fn deviceAlloc = nullptr;
  clSharedMemAllocINTEL_fn sharedAlloc = nullptr;
  clMemFreeINTEL_fn free = nullptr;
  clMemBlockingFreeINTEL_fn blockingFree = nullptr;
  clGetMemAllocInfoINTEL_fn info = nullptr;
  clSetKernelArgMemPointerINTEL_fn setArg = nullptr;
  clEnqueueMemFillINTEL_fn fill = nullptr;
  clEnqueueMemcpyINTEL_fn copy = nullptr;
  clEnqueueMigrateMemINTEL_fn migrate = nullptr;
  clEnqueueMemAdviseINTEL_fn advise = nullptr;

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    const auto find = [&](auto& function, const char* name) {
      function = byName<std::remove_reference_t<decltype(function)>>(name);
      ASSERT_NE(function, nullptr) << name;
    };
    find(hostAlloc, "clHostMemAllocINTEL");
    find(deviceAlloc, "clDeviceMemAllocINTEL");
    find(sharedAlloc, "clSharedMemAllocINTEL");
    find(free, "clMemFreeINTEL");
    find(blockingFree, "clMemBlockingFreeINTEL");
    find(info, "clGetMemAllocInfoINTEL");
    find(setArg, "clSetKernelArgMemPointerINTEL");
    find(fill, "clEnqueueMemFillINTEL");
    find(copy, "clEnqueueMemcpyINTEL");
    find(migrate, "clEnqueueMigrateMemINTEL");
    find(advise, "clEnqueueMemAdviseINTEL");
  }

  /// Memory of each kind, until the end of the test.
  unsigned char* kept(void* memory) {
    EXPECT_NE(memory, nullptr) << allNotified();
    if (memory) atEnd([this, memory] { free(context, memory); });
    return static_cast<unsigned char*>(memory);
  }
  unsigned char* host(size_t size = kSize) { return kept(hostAlloc(context, nullptr, size, 0, nullptr)); }
  unsigned char* ofDevice(size_t size = kSize) { return kept(deviceAlloc(context, device, nullptr, size, 0, nullptr)); }
  unsigned char* shared(size_t size = kSize) { return kept(sharedAlloc(context, device, nullptr, size, 0, nullptr)); }
};

}  // namespace clarity::test
