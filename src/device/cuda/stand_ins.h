// SPDX-License-Identifier: Apache-2.0
// This file says which launches run stand-in code: plain code of a kernel for work-groups of any size, while the code
// for their own shape, which takes long to make, is not there.
#pragma once

#include "compiler/ir/compiled_kernel.h"
#include "compiler/ir/shape.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace clarity::device::cuda {

/// Whether code of the kernel takes so long to make that a launch is better served by a stand-in.
bool isSlowToMake(const compiler::KernelInfo&);

/// The shapes of one program's launches that have a stand-in, and how often they were launched. Thread-safe.
class StandIns {
public:
  /// Launches of the kernel with this shape run a stand-in from now on.
  void begin(std::size_t kernel, const compiler::Shape&);
  bool serve(std::size_t kernel, const compiler::Shape&) const;
  /// Counts a launch. True once for each shape: it is launched so often that its own code is worth making.
  bool isWorthOwnCode(std::size_t kernel, const compiler::Shape&);

private:
  struct Served {
    std::size_t kernel;
    compiler::Shape shape;
    std::uint32_t launches = 0;
  };
  mutable std::mutex mutex_;
  std::vector<Served> served_;  ///< few: the shapes of kernels that are slow to make
};

}  // namespace clarity::device::cuda
