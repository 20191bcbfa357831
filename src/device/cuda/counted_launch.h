// SPDX-License-Identifier: Apache-2.0
// This file is a launch of counted code on a GPU (compiler/ptx/count_in_threads.h).
#pragma once

#include "device/cuda/executable.h"
#include "device/observer.h"

#include <memory>

namespace clarity::device::cuda {

/// Whether its observer wants the launch to be counted.
bool wantsCounts(const Launch&);

/// The counters of a launch, from its construction on.
class CountedLaunch {
public:
  /// `code` is counted. The counters are set to 0 in the stream; the context is in use (Gpu::use).
  CountedLaunch(const Launch& launch, const LaunchCode& code, CuStream stream);
  /// Reports what was counted. The stream has ended what was issued.
  void report() const;

private:
  LaunchCode code_;
  std::unique_ptr<LaunchObserver> observer_;
};

}  // namespace clarity::device::cuda
