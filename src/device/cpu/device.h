// SPDX-License-Identifier: Apache-2.0
// This file is the CPU as a device (device/device.h).
#pragma once

#include "device/cpu/pool.h"
#include "device/cpu/topology.h"
#include "device/cpu/workers.h"
#include "device/device.h"

#include <memory>
#include <string_view>

namespace clarity::device::cpu {

/// Extensions of the runtime that all devices have, each after a space.
inline constexpr std::string_view runtimeExtensions =
    " cl_ext_cxx_for_opencl cl_ext_image_requirements_info cl_ext_image_from_buffer cl_ext_immutable_memory_objects"
    " cl_khr_initialize_memory cl_khr_terminate_context";

/// Extensions of the runtime on devices that share memory with the host by address, each after a space.
inline constexpr std::string_view sharedMemoryExtensions =
    " cl_intel_unified_shared_memory cl_ext_buffer_device_address cl_khr_unified_svm"
    " cl_khr_external_memory cl_khr_external_memory_opaque_fd";

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
  bool quickFirst_;  ///< small first launches get quick code
  std::vector<std::uint32_t> numaUnits_;
  std::shared_ptr<CpuPool> pool_;  ///< shared with sub-devices: it is the same memory
  std::shared_ptr<Workers> workers_;
};

/// The CPU of this machine; provides what generated code calls in the runtime.
std::unique_ptr<CpuDevice> createDevice(const Options&);

}  // namespace clarity::device::cpu
