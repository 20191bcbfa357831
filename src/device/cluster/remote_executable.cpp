// SPDX-License-Identifier: Apache-2.0
// This file tells a node of programs.
#include "device/cluster/remote_executable.h"

#include "device/cluster/protocol.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace clarity::device::cluster {

RemoteExecutable::RemoteExecutable(std::shared_ptr<Node> node, std::uint32_t device, const compiler::Target& target,
                                   std::shared_ptr<const compiler::CompiledProgram> compiled)
    : node_(std::move(node)), target_(target), compiled_(std::move(compiled)), number_(node_->newNumber()) {
  node_->offer(compiled_, target_);
  node_->post([&](Writer& to) { to.put(ToNode::Load).put(number_).put(device).put(compiled_->hash); });
}

RemoteExecutable::~RemoteExecutable() {
  node_->post([&](Writer& to) { to.put(ToNode::Unload).put(number_); });
}

void RemoteExecutable::prepareKernel(const compiler::KernelInfo& info) {
  node_->post([&](Writer& to) { to.put(ToNode::PrepareKernel).put(number_).put(indexOf(info)); });
}

std::size_t RemoteExecutable::largestGroup(const compiler::KernelInfo& info) {
  const std::optional<std::string> answer = node_->ask([&](Writer& to, std::uint64_t question) {
    to.put(ToNode::LargestGroup).put(question).put(number_).put(indexOf(info));
  });
  std::uint64_t group = 0;
  if (answer && answer->size() == sizeof group) std::memcpy(&group, answer->data(), sizeof group);
  return group;
}

void RemoteExecutable::writeSource(Writer& to) {
  if (std::exchange(hasSentSource_, true)) return;
  const auto& files = source().files();
  std::uint32_t known = 0;
  for (const auto& [name, text] : files) known += text ? 1 : 0;
  if (known == 0) return;
  to.put(ToNode::Source).put(number_).put(known);
  for (const auto& [name, text] : files)
    if (text) to.text(name).text(*text);
}

}  // namespace clarity::device::cluster
