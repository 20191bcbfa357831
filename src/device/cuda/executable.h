// SPDX-License-Identifier: Apache-2.0
// This file is a program on an NVIDIA GPU: PTX made for a kernel and a shape when it is first launched, and loaded.
#pragma once

#include "compiler/nvptx/launch_abi.h"
#include "device/cuda/memory.h"
#include "device/executable.h"

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace clarity::device::cuda {

/// A loaded kernel of one shape. Unloaded when the last executable that has it goes.
class Code {
public:
  Code(std::shared_ptr<const Gpu> gpu, CuModule module, CuFunction function, std::uint32_t launchInfoOffset)
      : gpu_(std::move(gpu)), module_(module), function(function), launchInfoOffset(launchInfoOffset) {}
  ~Code();
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

private:
  std::shared_ptr<const Gpu> gpu_;
  CuModule module_;

public:
  const CuFunction function;
  const std::uint32_t launchInfoOffset;  ///< in the parameter buffer
};

class CudaExecutable final : public Executable {
public:
  /// std::bad_alloc when the GPU has no memory for the program's variables.
  CudaExecutable(std::shared_ptr<const compiler::Image>, std::shared_ptr<const Gpu>, std::shared_ptr<CudaMemory>,
                 compiler::Target);
  ~CudaExecutable() override;

  /// The code for a launch if it is loaded; nullptr if it has to be made.
  const Code* find(const Launch&) const;
  /// Makes it; takes as long as a compile. nullptr with the reason in `result`.
  const Code* make(const Launch&, Result& result);
  /// Address of the program's variables, or 0.
  CuPointer variables() const { return variables_ ? static_cast<const CudaAllocation&>(*variables_).address() : 0; }

private:
  using Key = std::tuple<std::string_view, std::array<std::uint32_t, 3>, bool>;
  Key keyOf(const Launch&) const;
  void fillVariables();

  std::shared_ptr<const compiler::Image> image_;
  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<CudaMemory> memory_;
  compiler::Target target_;
  std::unique_ptr<Allocation> variables_;
  mutable std::mutex mutex_;
  std::map<Key, std::unique_ptr<const Code>> code_;  ///< guarded by mutex_
  std::mutex making_;
};

}  // namespace clarity::device::cuda
