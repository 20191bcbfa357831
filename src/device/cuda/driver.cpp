// SPDX-License-Identifier: Apache-2.0
// This file opens the CUDA driver.
#include "device/cuda/driver.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <fmt/format.h>

namespace clarity::device::cuda {
namespace {

bool find(void* library, Driver& driver) {
  bool all = true;
#define CUDA_FUNCTION(name, symbol, parameters)                                    \
  driver.name = reinterpret_cast<decltype(driver.name)>(::dlsym(library, symbol)); \
  all = all && driver.name;
#include "device/cuda/driver.def"
  return all;
}

const Driver* open() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  static Driver driver;
  int devices = 0;
  if (!find(library, driver) || driver.init(0) != 0 || driver.deviceGetCount(&devices) != 0 || devices == 0) {
    ::dlclose(library);
    return nullptr;
  }
  return &driver;
}

}  // namespace

const Driver* Driver::get() {
  static const Driver* const driver = open();
  return driver;
}

Result resultOf(CuResult code, std::string_view what) {
  if (code == 0) return {};
  const char *name = nullptr, *text = nullptr;
  (void)driver().getErrorName(code, &name);
  (void)driver().getErrorString(code, &text);
  return {code == cuOutOfMemory ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES,
          fmt::format("{}: the CUDA driver reports {} ({}): {}", what, name ? name : "an unknown error", code,
                      text ? text : "no text")};
}

}  // namespace clarity::device::cuda
