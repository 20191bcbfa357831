// SPDX-License-Identifier: Apache-2.0
// This file describes a feature of OpenCL that the device does not have: how it says so, and what each entry point of
// the feature answers. The table of all of them is in absent_features.cpp, the answers of the larger features in files
// of their own. A feature that the device gains leaves the table: the tests fail until it does.
#pragma once

#include "enqueue_checks.h"

#include <ostream>
#include <vector>

namespace clarity::test {

/// One entry point and what it must answer while its feature is absent.
struct AbsentEntryPoint {
  const char* name;
  void (*check)(OpenCL& test);
};

struct AbsentFeature {
  const char* name;
  /// Every query about the feature: all of them return zeros, an empty string or an empty list.
  std::vector<cl_device_info> queries;
  std::vector<const char*> languageFeatures;  ///< not among CL_DEVICE_OPENCL_C_FEATURES
  std::vector<const char*> extensions;        ///< not among CL_DEVICE_EXTENSIONS
  std::vector<const char*> namesHold;         ///< an entry point whose name holds one of these belongs to the feature
  std::vector<AbsentEntryPoint> entryPoints;
  /// Some of Clarity's devices have it: on these the tests of the feature's own files run, and those of the row skip.
  bool someDevicesHaveIt = false;
};

inline void PrintTo(const AbsentFeature& feature, std::ostream* out) { *out << feature.name; }

AbsentFeature sharedVirtualMemory();

/// create(context, errcode_ret) makes no object: it gives `code`, and CL_INVALID_CONTEXT for what is no context.
template <class Create>
void expectCreationFails(OpenCL& test, const Create& create, cl_int code = CL_INVALID_OPERATION) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create(test.context, &error), nullptr);
  EXPECT_CL(code, error);
  EXPECT_TRUE(test.wasNotified("")) << "nothing was notified";
  EXPECT_EQ(create(test.context, nullptr), nullptr) << "without a place for the error";
  for (const auto& bad : badHandles<cl_context>(test)) {
    error = CL_SUCCESS;
    EXPECT_EQ(create(bad.handle, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error) << "the context is " << bad.what;
  }
}

/// enqueue gives CL_INVALID_OPERATION and no event, and CL_INVALID_COMMAND_QUEUE for what is no command-queue.
void expectEnqueueFails(OpenCL& test, const Enqueue& enqueue);

/// call(kernel) gives CL_INVALID_OPERATION, and CL_INVALID_KERNEL for what is no kernel; the kernel has one argument.
void expectKernelCallFails(OpenCL& test, const std::function<cl_int(cl_kernel)>& call);

}  // namespace clarity::test
