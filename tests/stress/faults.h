// SPDX-License-Identifier: Apache-2.0
// This file is kernels with mistakes.
#pragma once

#include "random.h"
#include "session.h"

#include <CL/cl.h>

namespace clarity::stress {

class FaultyKernels {
public:
  explicit FaultyKernels(const Session& session);
  ~FaultyKernels();
  FaultyKernels(const FaultyKernels&) = delete;
  FaultyKernels& operator=(const FaultyKernels&) = delete;

  /// Launches one that changes no memory but its own and must fail. Failure if it does not.
  void mustFail(Random&);
  /// Launches one that writes where it should not. Failure if it ends with anything but success or
  /// CL_INVALID_OPERATION.
  void mayFail(Random&);

private:
  cl_int statusOf(const char* name, Random&, cl_mem buffer, cl_long number);

  cl_program program_ = nullptr;
  cl_mem buffer_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace clarity::stress
