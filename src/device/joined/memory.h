// SPDX-License-Identifier: Apache-2.0
// This file is the memory of a joined device whose parts have memories apart from each other: a copy of every
// allocation in each part, and a record of which bytes are current where.
#pragma once

#include "device/device.h"
#include "support/residency.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace clarity::device::joined {

/// The parts of a joined device, from 0.
using PartIndex = unsigned;

class JoinedAllocation final : public Allocation {
public:
  using Interval = support::Interval;

  /// `leastInTurn`: MemoryPool::leastInTurn() of the parts.
  explicit JoinedAllocation(std::vector<std::unique_ptr<Allocation>> copies, std::size_t leastInTurn = ~std::size_t{0});

  Allocation& copy(PartIndex part) const { return *copies_[part]; }
  PartIndex parts() const { return static_cast<PartIndex>(copies_.size()); }
  /// Its places are the parts: place(part). The host's has no content.
  support::Residency& residency() { return residency_; }
  static support::Residency::Place place(PartIndex part) { return part + 1; }
  static PartIndex partAt(support::Residency::Place place) { return place - 1; }

  /// Cuts a range into pieces, each with the part that has it; bytes that were never written are a part's as well.
  std::vector<std::pair<PartIndex, Interval>> whereIs(Interval range) const;

  /// Bytes of a range that are not current in a part, and are in another.
  std::size_t missing(PartIndex part, Interval range) const;

  /// The part that uses a range, as the last divided launch had it: what comes from the host goes there.
  void setUser(PartIndex part, Interval range);
  std::vector<std::pair<PartIndex, Interval>> usersOf(Interval range) const;

private:
  std::vector<std::unique_ptr<Allocation>> copies_;
  support::Residency residency_;
  mutable std::mutex mutex_;
  std::vector<support::IntervalSet> users_;  ///< by part; guarded by mutex_
};

class JoinedPool final : public MemoryPool {
public:
  explicit JoinedPool(std::vector<MemoryPool*> pools) : pools_(std::move(pools)) {}

  bool hostAccessible() const override { return false; }
  std::unique_ptr<Allocation> allocate(std::size_t bytes) override;
  std::unique_ptr<Allocation> allocateHost(std::size_t bytes) override { return pools_[0]->allocateHost(bytes); }
  std::unique_ptr<Allocation> adopt(std::byte*, std::size_t) override { return nullptr; }
  Result initialise(Allocation& to, const std::byte* from, std::size_t bytes) override;

  /// Whether one of two parts copies directly from the other's memory.
  bool arePeers(PartIndex a, PartIndex b) const {
    return pools_[a]->peers() != nullptr && pools_[a]->peers() == pools_[b]->peers();
  }
  /// Whether operations of one of two parts can be ordered behind the other's.
  bool areOrdered(PartIndex a, PartIndex b) const {
    return arePeers(a, b) && pools_[a]->ordersPeers() && pools_[b]->ordersPeers();
  }

private:
  std::vector<MemoryPool*> pools_;
};

}  // namespace clarity::device::joined
