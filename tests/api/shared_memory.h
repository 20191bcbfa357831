// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of shared virtual memory and of unified shared memory start from.
#pragma once

#include "enqueue_checks.h"

#include <algorithm>
#include <vector>

namespace clarity::test {

/// Tests that skip on a device that does not share memory with the host by address.
struct SharedMemoryTest : OpenCL {
  static constexpr size_t kSize = 2048;

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) == 0)
      GTEST_SKIP() << "the device has no shared virtual memory";
  }

  /// Memory from clSVMAlloc until the end of the test.
  template <class T = unsigned char>
  T* allocated(size_t n, cl_svm_mem_flags flags = CL_MEM_READ_WRITE) {
    void* const memory = clSVMAlloc(context, flags, n * sizeof(T), 0);
    EXPECT_NE(memory, nullptr) << allNotified();
    if (memory) atEnd([this, memory] { clSVMFree(context, memory); });
    return static_cast<T*>(memory);
  }
  /// The same with kSize bytes that all are 0xEE.
  unsigned char* blank() {
    auto* const memory = allocated(kSize);
    std::fill_n(memory, kSize, 0xEE);
    return memory;
  }
  static std::vector<unsigned char> bytesAt(const void* memory, size_t n = kSize) {
    const auto* const bytes = static_cast<const unsigned char*>(memory);
    return {bytes, bytes + n};
  }
  /// An entry point of an extension.
  template <class Function>
  Function byName(const char* name) {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  }
};

}  // namespace clarity::test
