// SPDX-License-Identifier: Apache-2.0
// This file is the CPU device: what it says of itself and how it does what device/device.h asks for.
#pragma once

#include "device/cpu/executable.h"
#include "device/cpu/memory.h"
#include "device/cpu/topology.h"
#include "device/cpu/workers.h"
#include "device/device.h"

#include <memory>

namespace clarity::device::cpu {

class CpuDevice final : public Device {
public:
  CpuDevice(const Topology&, const Options&);
  ~CpuDevice() override;

  const Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return target_; }
  std::byte* allocate(std::size_t bytes) override { return allocator_->allocate(bytes); }
  void free(std::byte* memory, std::size_t bytes) override { allocator_->free(memory, bytes); }
  std::unique_ptr<Executable> load(std::shared_ptr<const compiler::Image>) override;
  void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const override;
  Result copy(std::byte* to, const std::byte* from, std::size_t bytes) override;
  Result copyRect(std::byte* to, const std::byte* from, const RectCopy&) override;
  Result fill(std::byte* to, std::span<const std::byte> pattern, std::size_t bytes) override;
  std::vector<std::unique_ptr<Device>> partition(const Partition&) override;
  std::uint64_t now() const override;

private:
  CpuDevice(const CpuDevice& parent, std::uint32_t units);

  Properties properties_;
  compiler::Target target_;
  std::vector<std::uint32_t> numaUnits_;
  std::shared_ptr<Allocator> allocator_;  ///< shared with sub-devices: it is the same memory
  std::shared_ptr<Workers> workers_;
};

}  // namespace clarity::device::cpu
