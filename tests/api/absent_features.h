// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of images, samplers, SVM and pipes share while the device has none of them and says so:
// their functions still check their handles and then return what the standard names for an absent feature.
#pragma once

#include "enqueue_checks.h"

namespace clarity::test {

/// A device without images. Skips on a device that has them.
struct WithoutImages : OpenCL {
  cl_mem memory = nullptr;  ///< a buffer, since there can be no image
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  const size_t origin[3] = {0, 0, 0};
  const size_t region[3] = {4, 4, 1};
  unsigned char pixels[256] = {};

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE) GTEST_SKIP() << "the device has images";
    memory = buffer(256);
  }
};

/// A device without shared virtual memory. Skips on a device that has it.
struct WithoutSvm : OpenCL {
  alignas(128) unsigned char bytes[256] = {};

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) != 0)
      GTEST_SKIP() << "the device has shared virtual memory";
  }
};

/// A device without pipes. Skips on a device that has them.
struct WithoutPipes : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT) == CL_TRUE) GTEST_SKIP() << "the device has pipes";
  }
};

/// A creation that must give NULL and CL_INVALID_OPERATION, and CL_INVALID_CONTEXT for what is no context;
/// create(context, errcode_ret) returns the object.
template <class Create>
void expectCreationAbsent(OpenCL& test, const Create& create) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create(test.context, &error), nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, error);
  EXPECT_EQ(create(test.context, nullptr), nullptr) << "without a place for the error";
  for (const auto& bad : badHandles<cl_context>(test)) {
    error = CL_SUCCESS;
    EXPECT_EQ(create(bad.handle, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error) << "the context is " << bad.what;
  }
}

/// An enqueue that must give CL_INVALID_OPERATION and no event, and CL_INVALID_COMMAND_QUEUE for what is no queue.
inline void expectEnqueueAbsent(OpenCL& test, const Enqueue& enqueue) {
  cl_event event = nullptr;
  EXPECT_CL(CL_INVALID_OPERATION, enqueue(test.queue, 0, nullptr, &event));
  EXPECT_EQ(event, nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, enqueue(test.queue, 0, nullptr, nullptr));
  expectQueueChecked(test, enqueue);
}

}  // namespace clarity::test
