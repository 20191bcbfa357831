// SPDX-License-Identifier: Apache-2.0
// This file is the rules by which the cell of a word (support/race_cells.h) changes with each access, and by which an
// access races with what the cell says.
//
// A cell says who has written the word last, or who has read it since; that several have read it, between two barriers
// or in several work-groups; or that several have updated it atomically. An earlier write and one more reader are kept
// beside it where that is needed. So much decides, for all that may come, whether there is a race: work-items before a
// barrier are ordered ahead of those behind it, and work-groups are not ordered at all. Kernels whose atomic operations
// may order more have another check (race_check.cpp).
#pragma once

#include "check/kernel/race_thread.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace clarity::check {

/// An access, as far as cells know it.
struct RaceParty {
  RaceSegment segment = 0;  ///< 0: there is none
  std::uint16_t site = 0;
  bool isAtomic = false, writes = false;
};

/// The cells as one launch uses them. Thread-safe.
class RaceCells {
public:
  explicit RaceCells(std::uint32_t launch) : launch_(launch) {}

  struct Access {
    RaceParty party;
    std::uint32_t agent = 0;  ///< RaceThread::agentOf()
    std::uint64_t address = 0, bytes = 0;
    bool isLocal = false;
    RaceSegment allGroups = 0;  ///< the launch's, for words that several work-groups have accessed
  };
  struct Conflict {
    RaceParty other;
    std::uint64_t address = 0;
  };
  /// Brings the cells up to date. The first race, if there is one.
  std::optional<Conflict> visit(const RaceThread&, const Access&);

private:
  using Atomic = std::atomic<std::uint64_t>;
  /// A cell and what is kept beside it: an earlier write, or the second of several work-groups; another access.
  struct Place {
    Atomic& cell;
    Atomic& first;
    Atomic& second;
  };
  /// The cells of a word of which single bytes are accessed.
  struct Bytes {
    std::array<Atomic, support::RaceCell::wordBytes> cells{}, first{}, second{};
  };
  struct Parties {
    std::array<RaceParty, 2> writes{}, reads{};
    RaceParty kept{};  ///< a write that the others do not cover
  };
  struct Visit;  // one access to one place

  static Place placeOf(std::uint64_t address);
  std::optional<Conflict> visitWord(const RaceThread&, const Access&, std::uint64_t address);
  std::optional<Conflict> visitBytes(const RaceThread&, const Access&, std::uint64_t address, std::uint64_t bytes);
  /// Gives the bytes of a word cells of their own.
  Bytes& divide(const Place&, std::uint64_t address);

  const std::uint32_t launch_;
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<Bytes>> words;  ///< by address
  };
  Shard& shardOf(std::uint64_t address) { return shards_[address / support::RaceCell::wordBytes % shards_.size()]; }
  std::array<Shard, 64> shards_;
};

}  // namespace clarity::check
