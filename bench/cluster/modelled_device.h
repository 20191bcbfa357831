// SPDX-License-Identifier: Apache-2.0
// This file is the device of a modelled node: it takes its time and computes nothing.
#pragma once

#include "device/device.h"
#include "network.h"

#include <memory>

namespace clarity::model {

class ModelledDevice final : public device::Device {
public:
  /// `like`: what it says that it is.
  ModelledDevice(Network& network, unsigned rank, std::shared_ptr<device::Device> like);

  const device::Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return like_->target(); }
  device::MemoryPool& memory() const override { return *pool_; }
  std::unique_ptr<device::Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override;
  void chooseLocalSize(const compiler::KernelInfo& info, device::NDRange& range) const override {
    like_->chooseLocalSize(info, range);
  }
  std::unique_ptr<device::Stream> createStream(const device::StreamOptions&) override;
  void flush() override {}
  std::vector<std::unique_ptr<device::Device>> partition(const device::Partition&) override { return {}; }
  std::uint64_t now() const override { return network_.clock(rank_); }

private:
  Network& network_;
  unsigned rank_;
  std::shared_ptr<device::Device> like_;
  device::Properties properties_;
  std::unique_ptr<device::MemoryPool> pool_;
  std::shared_ptr<Nanoseconds> isFree_ = std::make_shared<Nanoseconds>(0);
};

}  // namespace clarity::model
