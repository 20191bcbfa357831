// SPDX-License-Identifier: Apache-2.0
// This file is an NVIDIA GPU as a device.
#pragma once

#include "device/cuda/stream.h"
#include "device/device.h"

namespace clarity::device::cuda {

class CudaDevice final : public Device {
public:
  CudaDevice(std::shared_ptr<const Gpu> gpu, const Options&);

  const Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return target_; }
  Result start() override { return gpu_->start(); }
  MemoryPool& memory() const override { return *memory_; }
  std::unique_ptr<Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override;
  void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const override;
  std::unique_ptr<Stream> createStream(const StreamOptions&) override;
  void flush() override { completions_->flush(); }
  std::vector<std::unique_ptr<Device>> partition(const Partition&) override { return {}; }
  std::uint64_t now() const override;

private:
  std::shared_ptr<const Gpu> gpu_;
  Properties properties_;
  compiler::Target target_;
  bool quickFirst_;  ///< launches of kernels that are slow to compile begin with stand-in code
  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<Completions> completions_;
  std::shared_ptr<Staging> staging_;
};

/// The GPUs of this machine that can be used; none where there is no driver.
std::vector<std::unique_ptr<Device>> discover(const Options&);

/// Why discover() finds none: a sentence with what is there and what is needed. Empty if it finds some.
std::string objection();

}  // namespace clarity::device::cuda
