// SPDX-License-Identifier: Apache-2.0
// This file says what a device on another node is like, and makes its streams, programs and parts.
#include "device/cluster/remote_device.h"

#include "device/cluster/protocol.h"
#include "device/cluster/remote_executable.h"
#include "device/host/extensions.h"
#include "device/host/local_size.h"
#include "support/clock.h"
#include "support/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

namespace clarity::device::cluster {
namespace {

/// Extensions of devices that share addresses with the host, or memory with other processes there.
bool needsOneMachine(std::string_view name) {
  if (name.empty() || name.starts_with("cl_khr_external_memory")) return true;
  const auto has = [&](std::string_view list) {
    return std::ranges::any_of(list | std::views::split(' '),
                               [&](const auto& each) { return std::string_view(each.begin(), each.end()) == name; });
  };
  return has(host::sharedMemoryExtensions);
}

std::string extensionsOf(std::string_view all) {
  std::string kept;
  for (const auto each : all | std::views::split(' ')) {
    const std::string_view name(each.begin(), each.end());
    if (!needsOneMachine(name)) kept.append(kept.empty() ? "" : " ").append(name);
  }
  return kept;
}

Properties propertiesOf(const Node& node, const Properties& there) {
  Properties p = there;
  p.name = fmt::format("{} on {}, rank {}", there.name, node.facts()->name, node.rank());
  p.uuid = std::bit_cast<decltype(p.uuid)>(support::hashOf(p.name + std::string(there.uuid.begin(), there.uuid.end())));
  p.extensions = extensionsOf(there.extensions);
  p.execution = CL_EXEC_KERNEL;
  p.ordersOperations = true;
  p.hostUnifiedMemory = false;
  p.svmCapabilities = 0;
  p.timerResolutionNs = std::max<std::size_t>(p.timerResolutionNs, support::hostTimeResolution());
  return p;
}

/// Each command-queue has a stream on the node, where the times of its commands are taken.
class RemoteStream final : public Stream {
public:
  RemoteStream(std::shared_ptr<Node> node, std::uint32_t device, const StreamOptions& options)
      : node_(std::move(node)), number_(node_->newNumber()), profiled_(options.profiled) {
    node_->post([&](Writer& to) {
      to.put(ToNode::MakeStream).put(number_).put(device).put(options.outOfOrder).put(options.profiled);
    });
  }
  ~RemoteStream() override {
    node_->post([&](Writer& to) { to.put(ToNode::EndStream).put(number_); });
  }
  Result made() const override { return node_->state(); }
  void submit(Submission& submission, Start start, std::span<Submission* const> after) override {
    node_->submit(number_, profiled_, submission, start, after);
  }
  void flush() override { node_->flush(); }
  void help(const Submission& awaited) override { node_->help(awaited); }

private:
  std::shared_ptr<Node> node_;
  std::uint32_t number_;
  bool profiled_;
};

}  // namespace

RemoteDevice::RemoteDevice(std::shared_ptr<Node> node, std::uint32_t number, const DeviceFacts& facts)
    : node_(std::move(node)),
      number_(number),
      properties_(propertiesOf(*node_, facts.properties)),
      target_(facts.target),
      pool_(std::make_shared<RemotePool>(node_, number_, properties_.globalMemBytes)) {}

RemoteDevice::RemoteDevice(const RemoteDevice& parent, std::uint32_t number, const DeviceFacts& facts)
    : node_(parent.node_),
      number_(number),
      isPart_(true),
      properties_(propertiesOf(*node_, facts.properties)),
      target_(facts.target),
      pool_(parent.pool_) {}

RemoteDevice::~RemoteDevice() {
  if (isPart_) node_->post([&](Writer& to) { to.put(ToNode::EndDevice).put(number_); });
}

std::unique_ptr<Executable> RemoteDevice::load(std::shared_ptr<const compiler::CompiledProgram> compiled) {
  return std::make_unique<RemoteExecutable>(node_, number_, target_, std::move(compiled));
}

void RemoteDevice::chooseLocalSize(const compiler::KernelInfo& info, NDRange& range) const {
  host::chooseLocalSize(info, properties_, range);
}

std::unique_ptr<Stream> RemoteDevice::createStream(const StreamOptions& options) {
  return std::make_unique<RemoteStream>(node_, number_, options);
}

std::vector<std::unique_ptr<Device>> RemoteDevice::partition(const Partition& how) {
  // More than a device can have parts.
  const std::uint32_t first = node_->newNumbers(std::max<std::uint32_t>(properties_.computeUnits, 1));
  const std::optional<std::string> answer = node_->ask([&](Writer& to, std::uint64_t question) {
    to.put(ToNode::Partition).put(question).put(number_).put(how.byNuma);
    to.put(static_cast<std::uint32_t>(how.units.size()));
    for (const std::uint32_t units : how.units) to.put(units);
    to.put(first);
  });
  std::vector<std::unique_ptr<Device>> parts;
  if (!answer) return parts;
  Reader from(std::as_bytes(std::span(*answer)));
  for (auto left = from.get<std::uint32_t>(); left != 0; --left) {
    DeviceFacts facts;
    readFacts(from, facts);
    if (!from.ok()) break;
    const auto number = first + static_cast<std::uint32_t>(parts.size());
    parts.push_back(std::unique_ptr<Device>(new RemoteDevice(*this, number, facts)));
  }
  return parts;
}

std::uint64_t RemoteDevice::now() const { return support::hostTime(); }

}  // namespace clarity::device::cluster
