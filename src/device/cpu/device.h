// SPDX-License-Identifier: Apache-2.0
// This file is the CPU as a device (device/device.h).
#pragma once

#include "device/cpu/pool.h"
#include "device/cpu/topology.h"
#include "device/device.h"
#include "device/host/workers.h"

#include <memory>
#include <string_view>

namespace clarity::device::cpu {

/// All that the runtime has on CPU devices of this system, each after a space: without dma-bufs if there are none.
std::string_view systemExtensions();

class CpuDevice final : public Device {
public:
  CpuDevice(const Topology&, const Options&);
  ~CpuDevice() override;

  const Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return target_; }
  MemoryPool& memory() const override { return *pool_; }
  std::unique_ptr<Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override;
  void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const override;
  std::unique_ptr<Stream> createStream(const StreamOptions&) override;
  std::shared_ptr<const Recording> record(std::span<const Operation* const>) override;
  void flush() override;
  void endLaunches(const std::atomic<bool>&) override;
  std::vector<std::unique_ptr<Device>> partition(const Partition&) override;
  std::uint64_t now() const override;

private:
  CpuDevice(const CpuDevice& parent, std::uint32_t units);

  Properties properties_;
  compiler::Target target_;
  bool quickFirst_;                 ///< small first launches get quick code
  std::uint64_t secondLevelBytes_;  ///< bytes of a processor's cache
  std::vector<std::uint32_t> numaUnits_;
  std::shared_ptr<CpuPool> pool_;  ///< shared with sub-devices: it is the same memory
  std::shared_ptr<host::Workers> workers_;
};

/// The CPU of this machine; provides what generated code calls in the runtime.
std::unique_ptr<CpuDevice> createDevice(const Options&);

}  // namespace clarity::device::cpu
