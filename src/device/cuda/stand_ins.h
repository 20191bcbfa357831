// SPDX-License-Identifier: Apache-2.0
// This file says which launches run stand-in code: plain code of a kernel for work-groups of any size, while the code
// for their own shape, which takes long to make, is not there.
#pragma once

#include "device/executable.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::device::cuda {

/// Whether code of the kernel may take so long to make that a launch is better served by a stand-in: it is no small
/// kernel. How long it takes is known when the stand-in is made.
bool mayBeSlowToMake(const compiler::KernelInfo&);
/// Seconds of making a stand-in from which on code for launches' own shapes is not waited for. Chosen.
inline constexpr double slowToMake = 0.25;

/// The shapes of one program's launches that have a stand-in, and how often they were launched. Thread-safe.
class StandIns {
public:
  /// Launches of the kernel with this shape run a stand-in from now on.
  void begin(std::size_t kernel, const compiler::Shape&);
  bool serve(std::size_t kernel, const compiler::Shape&) const;
  /// Counts a launch. True once for each shape: it has been launched for so long that its own code, which takes
  /// `seconds` to make, is worth it.
  bool isWorthOwnCode(std::size_t kernel, const compiler::Shape&, double seconds);

private:
  struct Served {
    std::size_t kernel;
    compiler::Shape shape;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    std::uint32_t launches = 0;
    bool isOwnBegun = false;
  };
  mutable std::mutex mutex_;
  std::vector<Served> served_;  ///< few: the shapes of kernels that are slow to make
};

/// The kernels of a program whose code is being made ahead of their first launches. Thread-safe.
class Preparations {
public:
  /// Exists while the code of one kernel is being made, or waits for a thread that makes it.
  class One {
  public:
    explicit One(std::shared_ptr<Preparations> all);
    ~One();
    One(const One&) = delete;
    One& operator=(const One&) = delete;

  private:
    std::shared_ptr<Preparations> all_;
  };
  /// Returns when there is none.
  void wait();

private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t count_ = 0;
};

}  // namespace clarity::device::cuda
