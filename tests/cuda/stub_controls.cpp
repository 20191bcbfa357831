// SPDX-License-Identifier: Apache-2.0
// This file finds the controls of the stub that the driver has opened.
#include "stub_controls.h"

#include <dlfcn.h>

#include <type_traits>

namespace clarity::test {

bool StubControls::openControls() {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  bool all = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    all &= function != nullptr;
  };
  find(defineKernel, "clarityCudaDefineKernel");
  find(fault, "clarityCudaFault");
  find(memory, "clarityCudaMemory");
  find(failCall, "clarityCudaFailCall");
  find(calls, "clarityCudaCalls");
  find(timedRecords, "clarityCudaTimedRecords");
  find(holdKernels, "clarityCudaHoldKernels");
  find(delay, "clarityCudaDelay");
  find(maxThreads, "clarityCudaMaxThreads");
  find(defineOccupancy, "clarityCudaDefineOccupancy");
  find(readCounts, "clarityCudaCounts");
  return all;
}

void StubControls::resetControls() const {
  if (failCall) failCall(nullptr, 0, 0);
  if (holdKernels) holdKernels(0);
  if (defineOccupancy) defineOccupancy(nullptr);
  if (delay) delay(0);
  if (maxThreads) maxThreads(1024);
}

ClarityCudaCounts StubControls::counts() const {
  ClarityCudaCounts result{};
  readCounts(&result);
  return result;
}

}  // namespace clarity::test
