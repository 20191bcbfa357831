// SPDX-License-Identifier: Apache-2.0
// This file is a device on another node (device/device.h): its calls become messages to the node.
#pragma once

#include "device/cluster/node.h"
#include "device/cluster/remote_memory.h"
#include "device/device.h"

#include <memory>

namespace clarity::device::cluster {

class RemoteDevice final : public Device {
public:
  /// `number` is the device's on its node.
  RemoteDevice(std::shared_ptr<Node> node, std::uint32_t number, const DeviceFacts&);
  ~RemoteDevice() override;

  const Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return target_; }
  Result start() override { return node_->state(); }
  MemoryPool& memory() const override { return *pool_; }
  std::unique_ptr<Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override;
  void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const override;
  std::unique_ptr<Stream> createStream(const StreamOptions&) override;
  void flush() override { node_->flush(); }
  void endLaunches(const std::atomic<bool>& ended) override { node_->endLaunches(ended); }
  std::vector<std::unique_ptr<Device>> partition(const Partition&) override;
  std::uint64_t now() const override;

private:
  RemoteDevice(const RemoteDevice& parent, std::uint32_t number, const DeviceFacts&);

  std::shared_ptr<Node> node_;
  std::uint32_t number_;
  bool isPart_ = false;
  Properties properties_;
  compiler::Target target_;
  std::shared_ptr<RemotePool> pool_;  ///< shared with sub-devices
};

}  // namespace clarity::device::cluster
