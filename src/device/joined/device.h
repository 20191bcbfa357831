// SPDX-License-Identifier: Apache-2.0
// This file is a device that is made of others: its launches are divided among them (docs/joined.md).
#pragma once

#include "device/joined/executable.h"

#include <memory>
#include <string_view>
#include <vector>

namespace clarity::device::joined {

class JoinedDevice final : public Device {
public:
  /// `divided`: a device that some of the parts are sub-devices of, or null. `shares`: CLARITY_JOINED.
  JoinedDevice(std::vector<std::unique_ptr<Device>> parts, std::shared_ptr<Device> divided, std::string_view shares);

  const Properties& properties() const override { return properties_; }
  const compiler::Target& target() const override { return parts_.devices[0]->target(); }
  Result start() override;
  MemoryPool& memory() const override;
  std::unique_ptr<Executable> load(std::shared_ptr<const compiler::CompiledProgram>) override;
  void chooseLocalSize(const compiler::KernelInfo&, NDRange&) const override;
  std::unique_ptr<Stream> createStream(const StreamOptions&) override;
  void flush() override;
  void endLaunches(const std::atomic<bool>&) override;
  std::vector<std::unique_ptr<Device>> partition(const Partition&) override { return {}; }
  std::uint64_t now() const override { return parts_.devices[0]->now(); }

private:
  Parts parts_;
  Properties properties_;
};

/// A CPU device in so many equal parts that share its memory, joined again.
std::unique_ptr<Device> joinPartsOf(std::unique_ptr<Device> whole, std::size_t count, std::string_view shares);

}  // namespace clarity::device::joined
