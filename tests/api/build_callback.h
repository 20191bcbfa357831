// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of clBuildProgram, clCompileProgram and clLinkProgram wait with for their callback.
#pragma once

#include "fixture.h"

#include <condition_variable>
#include <mutex>

namespace clarity::test {

/// Keeps what a callback was called with, and how the build stood then.
struct BuildCallback {
  explicit BuildCallback(cl_device_id of) : device(of) {}

  static void CL_CALLBACK call(cl_program program, void* data) {
    auto* self = static_cast<BuildCallback*>(data);
    const std::lock_guard hold(self->lock);
    ++self->calls;
    self->seen = program;
    clGetProgramBuildInfo(program, self->device, CL_PROGRAM_BUILD_STATUS, sizeof self->status, &self->status, nullptr);
    self->changed.notify_all();
  }
  void wait() {
    std::unique_lock hold(lock);
    changed.wait(hold, [&] { return calls != 0; });
  }

  cl_device_id device;
  std::mutex lock;
  std::condition_variable changed;
  int calls = 0;
  cl_program seen = nullptr;
  cl_build_status status = CL_BUILD_IN_PROGRESS;
};

}  // namespace clarity::test
