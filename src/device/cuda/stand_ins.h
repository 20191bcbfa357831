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
/// Seconds of making a stand-in from which on launches run it until their own code is there. Chosen: less is not
/// noticed.
inline constexpr double noticed = 0.05;
/// The same from which on their own code is not begun before it pays. Chosen.
inline constexpr double slowToMake = 0.25;

/// The code that a launch needs: of which of the program's kernels, and for which shape.
struct KernelShape {
  std::size_t kernel;  ///< index in CompiledProgram::kernels
  compiler::Shape shape;
  bool operator==(const KernelShape&) const = default;
};

/// The launches of one program that have a stand-in, and how often there were some. Thread-safe.
class StandIns {
public:
  /// Launches that need this code run a stand-in from now on.
  void begin(const KernelShape&);
  bool serve(const KernelShape&) const;
  /// Counts a launch. True once for each code, which takes `seconds` to make: it has been needed for so long that it is
  /// worth that.
  bool isWorthOwnCode(const KernelShape&, double seconds);

private:
  struct Served {
    KernelShape own;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    std::uint32_t launches = 0;
    bool isOwnBegun = false;
  };
  mutable std::mutex mutex_;
  std::vector<Served> served_;  ///< few: the shapes of kernels that are slow to make
};

/// Code of a program that other threads make before a launch needs it. Thread-safe.
class Preparations {
public:
  /// Exists while code is being made, or waits for a thread that makes it.
  class Pending {
  public:
    Pending(std::shared_ptr<Preparations>, KernelShape);
    ~Pending();
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;

  private:
    friend class Preparations;
    std::shared_ptr<Preparations> all_;
    KernelShape code_;
    bool isFirst_ = false;  ///< no other one is of this code
  };
  /// Null if the code is pending already.
  static std::shared_ptr<const Pending> begin(std::shared_ptr<Preparations>, KernelShape);
  /// Returns when none is pending.
  void wait();

private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<KernelShape> pending_;
};

}  // namespace clarity::device::cuda
