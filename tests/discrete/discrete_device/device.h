// SPDX-License-Identifier: Apache-2.0
// This file is a device for tests: it has memory that the host cannot access, works on threads that no thread of the
// application waits in, late and in any order that is allowed, and fails where a test wants it to. Kernels are run by
// the CPU's code. Its reports about itself differ from the CPU's wherever they can.
#pragma once

#include "device/cpu/allocator.h"
#include "device/device.h"
#include "engine.h"
#include "pool.h"

#include <memory>

namespace clarity::discrete {

class DiscreteDevice final : public device::Device {
public:
  /// With or without images of depth.
  explicit DiscreteDevice(const device::Options&, bool depth = true);

  const device::Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return cpu_->target(); }
  device::MemoryPool& memory() const override { return *pool_; }
  std::unique_ptr<device::Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override;
  void chooseLocalSize(const compiler::KernelInfo&, device::NDRange&) const override;
  std::unique_ptr<device::Stream> createStream(const device::StreamOptions&) override;
  void endLaunches(const std::atomic<bool>& ended) override { cpu_->endLaunches(ended); }
  void flush() override { Engine::get().release(nullptr); }
  std::vector<std::unique_ptr<device::Device>> partition(const device::Partition&) override;
  std::uint64_t now() const override { return cpu_->now(); }

private:
  DiscreteDevice(const DiscreteDevice& parent, std::uint32_t units);

  std::shared_ptr<device::Device> cpu_;  ///< whose code runs kernels; no operation is submitted to it
  device::Properties properties_;
  std::shared_ptr<device::host::Workers> workers_;
  std::shared_ptr<DiscretePool> pool_;                      ///< shared with sub-devices
  std::shared_ptr<device::cpu::Allocator> variableMemory_;  ///< memory of program-scope variables
};

}  // namespace clarity::discrete
