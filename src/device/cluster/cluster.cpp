// SPDX-License-Identifier: Apache-2.0
// This file carries on with the traffic of rank 0.
#include "device/cluster/cluster.h"

#include "device/cluster/backoff.h"
#include "device/cluster/process_look.h"
#include "device/cluster/protocol.h"
#include "device/cluster/remote_device.h"
#include "support/clock.h"
#include "support/own_thread.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cluster {
namespace {

using namespace std::chrono_literals;

/// Signs of life are looked for this often.
constexpr std::uint64_t betweenLooks = 100'000'000;
/// Nanoseconds that a thread stays awake for: longer than a small command takes, and less than is noticed.
constexpr std::uint64_t worthWaking = 300'000;
constexpr int clockQuestions = 10;
constexpr std::chrono::seconds patienceWithThread{2};

std::atomic<bool> isForked{false};

}  // namespace

Cluster::Cluster(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)), processSpace_(processSpaceOfThisProcess()) {
  static const int noticed = ::pthread_atfork(nullptr, nullptr, [] { isForked.store(true); });
  (void)noticed;
  for (unsigned rank = 0; rank < transport_->ranks(); ++rank)
    if (rank != transport_->rank()) nodes_.push_back(std::make_shared<Node>(*this, rank));
  const support::OwnThreadSignals signals;
  thread_ = std::thread([this] { serve(); });
}

Cluster::~Cluster() { leave(); }

bool Cluster::isElsewhere() { return isForked.load(std::memory_order_relaxed); }

std::vector<std::string> Cluster::greet(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  carryOnUntil([&] {
    return std::chrono::steady_clock::now() > until ||
           std::ranges::all_of(nodes_, [](const auto& node) { return node->facts() || node->isLost(); });
  });
  std::vector<std::string> complaints;
  for (const auto& node : nodes_) {
    if (node->isLost()) complaints.push_back(node->state().text);
    if (!node->facts() && !node->isLost()) {
      complaints.push_back(fmt::format("rank {} has not come within {} seconds: is it 'clarity run --cluster'?",
                                       node->rank(), patience.count() / 1000));
      giveUp(*node, "it has not come");
    }
    for (int i = 0; i < clockQuestions && !node->isLost(); ++i) node->askClock();
  }
  return complaints;
}

std::vector<std::unique_ptr<Device>> Cluster::devices() {
  std::vector<std::unique_ptr<Device>> all;
  for (const auto& node : nodes_) {
    if (node->isLost() || !node->facts()) continue;
    std::uint32_t number = 0;
    for (const DeviceFacts& facts : node->facts()->devices)
      all.push_back(std::make_unique<RemoteDevice>(node, number++, facts));
  }
  return all;
}

void Cluster::leave() {
  if (isElsewhere() || ends_.exchange(true)) return;
  wake();
  wanted_.notify_all();
  // It may be inside the end of a command, which may wait for who ends the process.
  const auto until = std::chrono::steady_clock::now() + patienceWithThread;
  while (!hasEnded_.load(std::memory_order_acquire) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(200us);
  hasEnded_.load(std::memory_order_acquire) ? thread_.join() : thread_.detach();
  for (const auto& node : nodes_) {
    node->post([](Writer& to) { to.put(ToNode::Leave); });
    node->flush();
  }
  transport_->leave();
}

void Cluster::received(unsigned from, std::span<const std::byte> frame) noexcept {
  if (Node* const node = nodeOf(from)) node->received(frame);
}

Node* Cluster::nodeOf(unsigned rank) const {
  if (rank == transport_->rank() || rank >= transport_->ranks()) return nullptr;
  return nodes_[rank - (rank > transport_->rank() ? 1 : 0)].get();
}

void Cluster::lost(unsigned rank, std::string_view why) noexcept {
  if (Node* const node = nodeOf(rank)) node->lost(why);
  for (const auto& node : nodes_) {
    node->post([&](Writer& to) { to.put(ToNode::Lost).put(std::uint32_t{rank}); });
    node->flush();
  }
}

void Cluster::giveUp(Node& node, const std::string& why) { transport_->giveUp(node.rank(), why); }

std::uint32_t Cluster::outstanding() const {
  std::uint32_t sum = 0;
  for (const auto& node : nodes_) sum += node->outstanding(std::memory_order_seq_cst);
  return sum;
}

void Cluster::wake() {
  if (!rests_.load(std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  rests_.store(false, std::memory_order_release);
  wanted_.notify_one();
}

void Cluster::carryOnUntil(const std::function<bool()>& until) {
  Backoff backoff(*transport_, worthWaking);
  while (!until()) carryOn() ? backoff.begin() : backoff.pause();
}

void Cluster::help(const Submission& awaited, const Node& node) {
  helpers_.fetch_add(1, std::memory_order_relaxed);
  Backoff backoff(*transport_, worthWaking);
  while (!awaited.ended() && node.outstanding() != 0 && !backoff.isOver())
    carryOn() ? backoff.begin() : backoff.pause();
  helpers_.fetch_sub(1, std::memory_order_relaxed);
}

void Cluster::lookAfterNodes() {
  for (const auto& node : nodes_)
    if (const std::string why = node->objection(); !why.empty()) giveUp(*node, why);
}

void Cluster::serve() {
  std::uint64_t looked = 0;
  std::uint64_t idleSince = support::hostTime();
  while (!ends_.load(std::memory_order_acquire)) {
    const bool any = carryOn();
    const std::uint64_t now = support::hostTime();
    if (now - looked > betweenLooks) {
      looked = now;
      lookAfterNodes();
    }
    if (any || outstanding() != 0 || transport_->isBusy()) idleSince = now;
    if (any) continue;
    if (helpers_.load(std::memory_order_relaxed) != 0) {
      std::this_thread::sleep_for(500us);  // they do it
    } else if (now - idleSince < 20'000'000) {
      transport_->rest(now == idleSince ? 50us : 1000us);
    } else {
      std::unique_lock lock(mutex_);
      // In this order for all threads: who adds a command finds it at rest, or it finds the command.
      rests_.store(true, std::memory_order_seq_cst);
      if (outstanding() == 0 && !ends_.load(std::memory_order_acquire)) wanted_.wait_for(lock, 100ms);
      rests_.store(false, std::memory_order_release);
    }
  }
  hasEnded_.store(true, std::memory_order_release);
}

}  // namespace clarity::device::cluster
