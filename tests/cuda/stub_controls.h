// SPDX-License-Identifier: Apache-2.0
// This file is the controls of the stub of the CUDA driver that has been opened.
#pragma once

#include "stub/control.h"

namespace clarity::test {

/// The functions of control.h, found in the library.
struct StubControls {
  decltype(&clarityCudaDefineKernel) defineKernel = nullptr;
  decltype(&clarityCudaFault) fault = nullptr;
  decltype(&clarityCudaMemory) memory = nullptr;
  decltype(&clarityCudaFailCall) failCall = nullptr;
  decltype(&clarityCudaCalls) calls = nullptr;
  decltype(&clarityCudaTimedRecords) timedRecords = nullptr;
  decltype(&clarityCudaHoldKernels) holdKernels = nullptr;
  decltype(&clarityCudaDelay) delay = nullptr;
  decltype(&clarityCudaMaxThreads) maxThreads = nullptr;
  decltype(&clarityCudaDefineOccupancy) defineOccupancy = nullptr;
  decltype(&clarityCudaCounts) readCounts = nullptr;

  /// False if the stub has not been opened, or lacks one.
  bool openControls();
  /// Nothing fails, is held or delayed any more.
  void resetControls() const;
  ClarityCudaCounts counts() const;
};

}  // namespace clarity::test
