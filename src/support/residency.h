// SPDX-License-Identifier: Apache-2.0
// This file records where the content of a buffer is that has memory in several places: of the devices of a context
// (core/residency.h), of the parts of a joined device (device/joined).
#pragma once

#include "support/interval_set.h"
#include "support/rectangle.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::support {

/// For each place that has memory for a buffer, the bytes that are valid there, and the transfers between places that
/// are under way. It decides which transfers are needed; others run them and report their ends.
///
/// A byte is valid in as many places as hold its last written value; in none before the first write. A command that is
/// about to use a part of the buffer in a place calls prepare() until that returns true, then written() if it writes,
/// and then uses the memory. Bytes are accounted for one by one, so commands may use parts that do not overlap in
/// different places at the same time. Parts that do overlap: reading them at the same time is fine; where a writer is
/// among them the events have to order the commands, otherwise what is read is undefined, as the specification has it,
/// but the record stays consistent and the last call of written() counts.
///
/// Thread-safe. Waiters are called with no lock held.
class Residency {
public:
  using Interval = support::Interval;
  using IntervalSet = support::IntervalSet;

  /// An index. Transfers lead from any place to the host's memory and from there to any place; a content that moves
  /// from device to device goes through the host's, unless the two are peers.
  using Place = unsigned;
  static constexpr Place host = 0;

  /// A transfer that has begun.
  struct Transfer {
    std::uint64_t id = 0;
    Place from = host, to = host;
    Interval range;
  };

  /// One who waits for transfers to end.
  class Waiter {
  public:
    /// A transfer that prepare() made it wait for has ended, well or not: prepare() is to be called again. Once for
    /// each prepare() that returned false; perhaps before that has returned.
    virtual void transferEnded() noexcept = 0;

  protected:
    ~Waiter() = default;
  };

  /// Places between which transfers lead directly.
  struct Peers {
    const void* group = nullptr;  ///< the same of all of them; null: none
    /// Content of so many bytes goes from one place, or from the host's, to one of the group at a time. The others wait
    /// until it is their turn, and get it from those that have got it meanwhile: along a tree. For places of which each
    /// has one way out, whoever it sends to.
    std::size_t leastInTurn = ~std::size_t{0};
  };

  /// `peers`: of each place; nothing: no place has any.
  explicit Residency(unsigned places, std::vector<Peers> peers = {}) : valid_(places), peers_(std::move(peers)) {
    peers_.resize(places);
  }
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;

  /// True if prepare() has nothing to do: the usual case, in which commands follow each other in one place. It may be
  /// false for content that was never written, of which prepare() finds that there is nothing to do either.
  bool isPrepared(Place place, Interval range, bool content) const;

  /// Lists what is needed before a command uses `range` in `place`. True: nothing, the command may go on. False:
  /// `waiter` is called once, later. Transfers that the caller must start and whose end it must report are appended to
  /// `start`. `content`: the command reads the range or leaves some of it as it is; otherwise it overwrites all of it.
  /// std::bad_alloc: nothing has changed, and `waiter` is not called.
  bool prepare(Place place, Interval range, bool content, std::vector<Transfer>& start, Waiter& waiter);

  /// The same for commands that devices keep in order. `order` identifies that order, as of an in-order command-queue:
  /// each command runs behind all that were prepared with the same `order` before it, and their transfers. Null:
  /// the command shares its order with no other. True: transfers from peers are appended to `start`, and the command
  /// may be submitted behind them at once. Each is to be reported by ended(), as failed if it is not started. False:
  /// the content cannot come so, and nothing has changed. std::bad_alloc: nothing has changed.
  bool prepareBehind(Place place, Interval range, bool content, const void* order, std::vector<Transfer>& start);

  /// A transfer that prepare() or prepareBehind() returned has ended. One that failed leaves its source valid and its
  /// target as it was; if a waiter still needs it, its prepare() returns it again. So does one whose end there is no
  /// memory to record.
  void ended(const Transfer&, bool succeeded) noexcept;

  /// A command that was prepared writes `range` in `place`, or content that came from elsewhere is there: valid
  /// nowhere else from now on.
  void written(Place place, Interval range);
  /// The same for the rows of a rectangle: what is between them stays valid where it is.
  void rowsWritten(Place place, const Rectangle& rows);

  /// A place is gone: what of the range is valid elsewhere is no longer valid there. True if that is all of it.
  bool doWithout(Place gone, Interval range);

  bool isValid(Place place, Interval range) const;
  /// The bytes of the range that are valid in the place.
  IntervalSet validIn(Place place, Interval range) const;
  /// True if some byte of the range is valid elsewhere and not in the place.
  bool lacks(Place place, Interval range) const;
  /// A place that has the whole range and from which transfers lead to this one directly.
  std::optional<Place> peerWith(Place place, Interval range) const;

private:
  /// A transfer and the part of it that no command has overwritten since it began.
  struct Flight {
    Transfer transfer;
    IntervalSet current;
    const void* order = nullptr;  ///< the command-queue that prepareBehind() was called for
  };
  struct Waiting {
    Waiter* waiter;
    Interval range;
    bool isForTurn;  ///< and for no transfer
  };
  /// Reasons to wait.
  struct Wait {
    bool forTransfers = false, forTurn = false;
  };

  void addTransfers(const IntervalSet& parts, Place from, Place to, std::vector<Transfer>& start,
                    const void* order = nullptr);
  /// Takes back what was added to `start` behind `count`, with ids behind `id`: transfers that no thread starts never
  /// end, and others would wait for them.
  void takeBack(std::vector<Transfer>& start, std::size_t count, std::uint64_t id) noexcept;
  /// Starts what brings `missing` to `place`, or nearer to it.
  Wait fetch(IntervalSet missing, Place place, std::vector<Transfer>& start);
  bool arePeers(Place a, Place b) const { return peers_[a].group && peers_[a].group == peers_[b].group; }
  /// The parts of `parts` that are on their way from one place to others of the group.
  IntervalSet leaving(Place from, const void* group, const IntervalSet& parts) const;
  /// Takes out who is called when a transfer has ended.
  std::list<Waiting> calledAfter(const Interval& range);
  /// The bytes of the range that each peer of the place is to send; nothing where others would have to.
  std::optional<std::vector<std::pair<Place, IntervalSet>>> fromPeers(Place place, Interval range,
                                                                      const void* order) const;
  /// No transfer may lead to what a command writes: it would arrive over what the command has written.
  bool isUnderWay(Place to, const Interval& part) const;
  void markWritten(Place place, const Interval& range);
  /// The parts of `parts` that transfers to the place will bring.
  IntervalSet underWay(Place to, const IntervalSet& parts) const;

  mutable std::mutex mutex_;
  std::vector<IntervalSet> valid_;  ///< by place
  std::vector<Peers> peers_;        ///< by place; does not change
  std::vector<Flight> flights_;
  std::list<Waiting> waiting_;  ///< a list: ending a transfer allocates nothing
  std::uint64_t lastId_ = 0;
};

}  // namespace clarity::support
