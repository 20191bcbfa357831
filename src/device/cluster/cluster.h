// SPDX-License-Identifier: Apache-2.0
// This file is the cluster as rank 0 has it: the transport, the nodes, and who carries on with what is under way.
#pragma once

#include "device/cluster/node.h"
#include "device/cluster/transport.h"
#include "device/device.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace clarity::device::cluster {

/// Threads that wait for something carry on with the transport themselves, for as long as it is worth it to stay awake;
/// a thread of the cluster's does otherwise, and looks whether nodes are still there. Lives as long as the process.
class Cluster final : private Receiver {
public:
  explicit Cluster(std::unique_ptr<Transport>);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Waits until every node has come and its clock is known, for so long at most. A sentence on each that has not.
  std::vector<std::string> greet(std::chrono::milliseconds patience);
  /// The devices of all nodes that have come, by rank.
  std::vector<std::unique_ptr<Device>> devices();
  /// The program ends: so do the nodes. Nothing is sent afterwards.
  void leave();

  Transport& transport() { return *transport_; }
  const std::vector<std::shared_ptr<Node>>& nodes() const { return nodes_; }
  std::uint64_t newTag() { return tags_.fetch_add(1, std::memory_order_relaxed) + 1; }
  /// Identifies the processes that this one can look for.
  std::uint64_t processSpace() const { return processSpace_; }
  /// Whether this process is a child of the one that is a rank.
  static bool isElsewhere();

  /// Commands are on their way.
  void wake();
  void carryOnUntil(const std::function<bool()>& until);
  void help(const Submission& awaited, const Node&);
  /// Does without a node: what it has to do fails.
  void giveUp(Node&, const std::string& why);

private:
  void received(unsigned from, std::span<const std::byte> frame) noexcept override;
  void lost(unsigned rank, std::string_view why) noexcept override;
  bool carryOn() { return transport_->progress(*this); }
  Node* nodeOf(unsigned rank) const;
  std::uint32_t outstanding() const;
  void lookAfterNodes();
  void serve();

  std::unique_ptr<Transport> transport_;
  std::vector<std::shared_ptr<Node>> nodes_;  ///< without rank 0
  std::uint64_t processSpace_;
  std::atomic<std::uint64_t> tags_{0};
  std::atomic<std::uint32_t> helpers_{0};
  std::atomic<bool> rests_{false}, ends_{false}, hasEnded_{false};
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::thread thread_;
};

}  // namespace clarity::device::cluster
