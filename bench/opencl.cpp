// SPDX-License-Identifier: Apache-2.0
// This file turns errors of OpenCL into exceptions, with the messages of the implementation.
#include "opencl.h"

#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace bench {
namespace {

// Messages of the implementation about errors, from any thread.
class Notices {
public:
  static void CL_CALLBACK add(const char* text, const void*, std::size_t, void* notices) {
    auto* own = static_cast<Notices*>(notices);
    const std::lock_guard lock(own->mutex_);
    own->text_ += std::string("\n    ") + text;
  }
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(text_, {});
  }

private:
  std::mutex mutex_;
  std::string text_;
} notices;

}  // namespace

void check(cl_int code, const char* function) {
  const std::string notice = notices.take();
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(function) + " returned " + std::to_string(code) + notice);
}

cl_context makeContext(cl_device_id device) {
  cl_int code;
  cl_context context = clCreateContext(nullptr, 1, &device, Notices::add, &notices, &code);
  check(code, "clCreateContext");
  return context;
}

std::string buildLog(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  return log;
}

std::string deviceText(cl_device_id device, cl_device_info what) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string text(bytes, '\0');
  check(clGetDeviceInfo(device, what, bytes, text.data(), nullptr), "clGetDeviceInfo");
  return text.c_str();
}

}  // namespace bench
