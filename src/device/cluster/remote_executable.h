// SPDX-License-Identifier: Apache-2.0
// This file is a program on a device of another node. The node gets the compiled program once, whatever number of
// devices and programs there has it, and compiles code for its own processor, through its own cache.
#pragma once

#include "device/cluster/node.h"
#include "device/executable.h"

#include <cstdint>
#include <memory>

namespace clarity::device::cluster {

class RemoteExecutable final : public Executable {
public:
  RemoteExecutable(std::shared_ptr<Node> node, std::uint32_t device, const compiler::Target& target,
                   std::shared_ptr<const compiler::CompiledProgram> compiled);
  ~RemoteExecutable() override;

  void prepareKernel(const compiler::KernelInfo&) override;
  std::size_t largestGroup(const compiler::KernelInfo&) override;

  /// With the node's lock: its source, ahead of the first launch, for texts about faults.
  void writeSource(Writer&);

  const compiler::CompiledProgram& compiled() const { return *compiled_; }
  const compiler::Target& target() const { return target_; }
  std::uint32_t number() const { return number_; }

private:
  std::uint32_t indexOf(const compiler::KernelInfo& info) const {
    return static_cast<std::uint32_t>(&info - compiled_->kernels.data());
  }

  std::shared_ptr<Node> node_;
  compiler::Target target_;
  std::shared_ptr<const compiler::CompiledProgram> compiled_;
  std::uint32_t number_;
  bool hasSentSource_ = false;
};

}  // namespace clarity::device::cluster
