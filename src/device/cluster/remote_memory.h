// SPDX-License-Identifier: Apache-2.0
// This file is the memory of a device on another node. The host only keeps count of it.
#pragma once

#include "device/cluster/node.h"
#include "device/cluster/protocol.h"
#include "device/memory.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace clarity::device::cluster {

/// Memory is promised at once, as far as the node has said that it has some, and taken there when the message arrives:
/// where there is none after all, commands that use it fail.
class RemotePool final : public MemoryPool, public std::enable_shared_from_this<RemotePool> {
public:
  RemotePool(std::shared_ptr<Node> node, std::uint32_t device, std::uint64_t bytes)
      : node_(std::move(node)), device_(device), most_(bytes) {}

  bool hostAccessible() const override { return false; }
  std::unique_ptr<Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<Allocation> adopt(std::byte*, std::size_t) override { return nullptr; }
  Result initialise(Allocation& to, const std::byte* from, std::size_t bytes) override;
  /// Nodes of one cluster send content to each other.
  const void* peers() const override { return node_->cluster(); }
  std::size_t leastInTurn() const override { return leastAlongTree; }

  const std::shared_ptr<Node>& node() const { return node_; }
  void release(std::size_t bytes) { used_.fetch_sub(bytes); }

private:
  std::shared_ptr<Node> node_;
  std::uint32_t device_;
  std::uint64_t most_;
  std::atomic<std::uint64_t> used_{0};
};

class RemoteAllocation final : public Allocation {
public:
  RemoteAllocation(std::shared_ptr<RemotePool> pool, std::uint32_t number, std::size_t bytes)
      : Allocation(bytes, nullptr), pool_(std::move(pool)), number_(number) {}
  ~RemoteAllocation() override;

  std::uint32_t number() const { return number_; }
  Node& node() const { return *pool_->node(); }

private:
  std::shared_ptr<RemotePool> pool_;
  std::uint32_t number_;
};

inline std::uint32_t numberOf(const Allocation* allocation) {
  return static_cast<const RemoteAllocation*>(allocation)->number();
}
inline Node& nodeOf(const Allocation* allocation) { return static_cast<const RemoteAllocation*>(allocation)->node(); }

}  // namespace clarity::device::cluster
