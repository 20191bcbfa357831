// SPDX-License-Identifier: Apache-2.0
// This file is a program as a device holds it: built kernels that can be launched.
#pragma once

#include "compiler/compiler.h"
#include "device/arg_block.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device {

/// The index space of a launch, complete: unused dimensions are 1, offset 0, and `local` is never 0.
struct NDRange {
  std::uint32_t dims = 1;
  std::array<std::size_t, 3> offset{0, 0, 0};
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};
};

/// A buffer that the kernel only counts in (compiler::Reduction), and no other argument leads to.
struct ReductionBuffer {
  std::uint32_t arg = 0;
  std::uint64_t bytes = 0;
};

class Observer;

/// A launch as a device gets it: arguments packed as compiler::KernelInfo says, nothing left to check.
struct Launch {
  const compiler::KernelInfo* info = nullptr;
  NDRange range;
  ArgBlock args;                    ///< KernelInfo::argBlockBytes; __local arguments hold offsets in local memory
  std::uint64_t bufferBytes = 0;    ///< of the buffers that the arguments name, each counted once for each argument
  std::uint64_t localBytes = 0;     ///< the kernel's own and the arguments' local memory together
  std::vector<ReductionBuffer> reductions{};  ///< all that the kernel has, or none
  Observer* observer = nullptr;     ///< observer.h: the launch runs code that is instrumented for it; null: code without
};

/// What went wrong on the device; an empty text is success.
struct [[nodiscard]] Result {
  std::int32_t code = 0;  ///< a negative OpenCL error code, or 0
  std::string text;
  explicit operator bool() const { return code == 0; }
};

/// One program on one device. Thread-safe. Compiles native code for a work-group shape when first launched.
class Executable : public std::enable_shared_from_this<Executable> {
public:
  virtual ~Executable() = default;
  /// Prepares the native code for this launch; may take as long as a compile.
  virtual Result prepare(const Launch&) = 0;
  /// Begins to prepare for a launch that has to wait for others, and returns at once. prepare() is still needed. Does nothing
  /// unless a shared pointer holds this object.
  virtual void prepareAhead(const Launch&) {}
  /// Runs the launch to its end on the calling thread and the device's workers. After prepare().
  virtual Result run(const Launch&) = 0;
};

}  // namespace clarity::device
