// SPDX-License-Identifier: Apache-2.0
// This file is the fixture of tests of the driver on the stub of the CUDA driver: one GPU, whose kernels execute
// their PTX or do what functions of the test do.
#pragma once

#include "fixture.h"
#include "stub_controls.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace clarity::test {

struct CudaStub : OpenCL, StubControls {
  void SetUp() override;
  void TearDown() override;

  /// The fixture of the test that runs, for the functions of kernels.
  static CudaStub& current();

  /// A kernel `add(global int* data, int value)`, one work-item, which adds to *data, and what it does.
  cl_kernel adder(cl_mem data, cl_int value);
  /// Launches one work-item.
  void launchOne(cl_command_queue queue, cl_kernel kernel, const std::vector<cl_event>& after = {},
                 cl_event* event = nullptr);
  /// The element at the address that a parameter of a kernel is.
  template <class T>
  static T& at(const ClarityCudaLaunch* launch, unsigned parameter) {
    std::uint64_t address = 0;
    std::memcpy(&address, launch->parameters[parameter], sizeof address);
    return *static_cast<T*>(current().memory(address));
  }
  static void add(const ClarityCudaLaunch* launch);
};

}  // namespace clarity::test
