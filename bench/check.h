// SPDX-License-Identifier: Apache-2.0
// This file turns error codes of OpenCL into exceptions.
#pragma once

#include <CL/cl.h>

#include <stdexcept>
#include <string>

namespace bench {

inline void check(cl_int code, const char* function) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(function) + " returned " + std::to_string(code));
}

}  // namespace bench
