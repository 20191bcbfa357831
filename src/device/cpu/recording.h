// SPDX-License-Identifier: Apache-2.0
// This file is operations of the CPU that are prepared once: addresses resolved, native code chosen.
#pragma once

#include "device/cpu/executable.h"
#include "device/host/workers.h"
#include "device/stream.h"

#include <cstddef>
#include <span>
#include <vector>

namespace clarity::device::cpu {

/// device::Recording of the CPU.
class CpuRecording final : public Recording {
public:
  /// Compiles what is missing. Code that cannot be compiled fails when it runs.
  explicit CpuRecording(std::span<const Operation* const> operations);

  /// Runs the operations in their order on this thread and the workers, up to the first that fails.
  Result run(host::Workers& workers) const;
  /// Whether it takes longer than waking a thread.
  bool isHeavy() const { return heavy_; }

private:
  struct Step {
    Operation operation;
    PreparedLaunch prepared;
    bool isPrepared = false;  ///< whether `prepared` is set, for a launch
  };

  void add(const Operation& operation);
  static void prepare(Step& step);
  Result run(const Step& step, host::Workers& workers) const;

  std::vector<Step> steps_;
  bool heavy_ = false;
};

}  // namespace clarity::device::cpu
