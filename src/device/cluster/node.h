// SPDX-License-Identifier: Apache-2.0
// This file is a node of the cluster as the host sees it: what it was sent and has not yet answered.
#pragma once

#include "compiler/driver/compiler.h"
#include "device/cluster/device_message.h"
#include "device/cluster/node_clock.h"
#include "device/cluster/pending.h"
#include "device/cluster/protocol.h"
#include "device/cluster/wire.h"
#include "device/stream.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clarity::device::cluster {

class Cluster;
class Encoder;

/// The first words of a node.
struct NodeFacts {
  std::string name;  ///< the machine's name
  std::uint64_t process = 0, processSpace = 0;
  std::vector<DeviceFacts> devices;
};

/// Thread-safe. Messages are collected and go in one frame when a caller needs them (flush()), or when there are many.
///
/// Commands that come after others of the node go there at once and wait there. Only one whose content an earlier
/// command still writes into the host's memory is held back here, with the commands behind it.
class Node {
public:
  Node(Cluster& cluster, unsigned rank) : cluster_(cluster), rank_(rank) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Cluster* cluster() const { return &cluster_; }
  unsigned rank() const { return rank_; }
  /// Null until the node has come.
  const NodeFacts* facts() const { return hasFacts_.load(std::memory_order_acquire) ? &facts_ : nullptr; }
  /// "node 'anna' (rank 2)".
  std::string describe() const;
  /// Why it cannot be used; success if it can.
  Result state() const;
  bool isLost() const { return isLost_.load(std::memory_order_acquire); }
  const NodeClock& clock() const { return clock_; }

  /// A number for an object on the node.
  std::uint32_t newNumber() { return newNumbers(1); }
  /// The first of so many.
  std::uint32_t newNumbers(std::uint32_t count) { return numbers_.fetch_add(count, std::memory_order_relaxed); }
  /// Adds a message to the next frame: `write` gets the Writer.
  template <class Write>
  void post(const Write& write) {
    if (isElsewhere()) return;
    const std::lock_guard lock(mutex_);
    if (isLost()) return;
    write(out_);
    sendIfLong();
  }
  void submit(std::uint32_t stream, bool profiled, Submission&, Start, std::span<Submission* const> after);
  void flush();
  void help(const Submission& awaited);
  /// Ends launches that have this flag and waits for their end, some seconds at most.
  void endLaunches(const std::atomic<bool>& flag);

  /// The answer to a question, whose number `write` gets too; nullopt if the node is lost.
  std::optional<std::string> ask(const std::function<void(Writer&, std::uint64_t)>& write);
  /// Asks for the time there and waits for the answer.
  void askClock();
  /// Carries on until `until` returns true or the node is lost.
  void waitFor(const std::function<bool()>& until);

  /// A program that the node may ask for, by its hash.
  void offer(const std::shared_ptr<const compiler::CompiledProgram>&, const compiler::Target&);

  // For the cluster, inside Transport::progress().
  void received(std::span<const std::byte> frame);
  void lost(std::string_view why);
  /// Looks whether the node is still there, once in a while. Why it is not; empty if it is.
  std::string objection();
  std::uint32_t outstanding(std::memory_order order = std::memory_order_acquire) const {
    return outstanding_.load(order);
  }

private:
  friend class Encoder;
  friend struct Pending;

  /// In a child of the process, which has a copy of everything and may say nothing.
  bool isElsewhere() const;
  void sendIfLong();
  void sendNow();
  Pending& newPending(Submission&);
  Pending* find(std::uint64_t id);
  /// Writes the command, or holds it back; call with mutex_ locked.
  void issue(Pending&);
  bool mustWait(const Pending&) const;
  void releaseHeld();
  /// Reports what has ended, in the order in which it did. No lock is held while complete() runs.
  void drain();
  void finish(Pending&, std::unique_lock<std::mutex>&);
  bool hello(Reader&);
  bool started(Reader&);
  bool done(Reader&);
  void need(const std::array<std::uint64_t, 2>& hash);
  bool handle(Reader&);
  std::uint32_t endFlagOf(const std::atomic<bool>*);

  Cluster& cluster_;
  const unsigned rank_;
  NodeFacts facts_;
  std::atomic<bool> hasFacts_{false}, isLost_{false};
  std::atomic<std::uint32_t> numbers_{firstNumber}, outstanding_{0};
  NodeClock clock_;
  std::atomic<std::uint64_t> lastHeard_{0}, lastPing_{0}, pongs_{0};

  mutable std::mutex mutex_;  ///< guards what follows
  std::string why_;           ///< it is lost
  Writer out_;
  std::uint32_t inFrame_ = 0;                       ///< commands in out_
  std::vector<std::unique_ptr<Pending>> pendings_;  ///< by the lower half of their ids
  std::vector<std::uint32_t> free_;
  std::uint32_t generation_ = 0;
  HostRanges hostWritten_;  ///< by commands on their way
  std::size_t inside_ = 0;  ///< bytes of content in messages of commands that have not ended
  std::deque<Pending*> held_, finishing_;
  bool draining_ = false;
  std::uint64_t questions_ = 0;
  std::map<std::uint64_t, std::optional<std::string>> answers_;
  std::unordered_map<const std::atomic<bool>*, std::uint32_t> endFlags_;
  struct Offer {
    std::weak_ptr<const compiler::CompiledProgram> compiled;
    compiler::Target target;
  };
  std::map<std::array<std::uint64_t, 2>, Offer> offered_;  ///< by hash
};

}  // namespace clarity::device::cluster
