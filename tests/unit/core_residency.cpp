// SPDX-License-Identifier: Apache-2.0
// This file tests the record of where a buffer's content is: single rules, and long random sequences of commands on
// several devices against a model that copies real bytes.
#include "core/residency.h"
#include "failing_allocations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

using core::Residency;
using support::Interval;
using support::IntervalSet;
using Transfer = Residency::Transfer;
using Place = Residency::Place;

constexpr Place host = Residency::host, first = 1, second = 2;

struct CountingWaiter final : Residency::Waiter {
  std::atomic<int> calls{0};
  void transferEnded() noexcept override { ++calls; }
};

struct ResidencyRules : testing::Test {
  Residency residency{3};
  CountingWaiter waiter;
  std::vector<Transfer> transfers;

  bool prepare(Place place, Interval range, bool content = true) {
    transfers.clear();
    return residency.prepare(place, range, content, transfers, waiter);
  }
  void expectTransfers(std::vector<Transfer> wanted) const {
    ASSERT_EQ(transfers.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(transfers[i].from, wanted[i].from);
      EXPECT_EQ(transfers[i].to, wanted[i].to);
      EXPECT_EQ(transfers[i].range, wanted[i].range);
    }
  }
};

TEST_F(ResidencyRules, whatWasNeverWrittenNeedsNoTransfer) {
  EXPECT_TRUE(prepare(first, {0, 100}));
  EXPECT_TRUE(transfers.empty());
}

// Whichever allocation of prepare() fails: no transfer has begun that no thread starts, and no one is called.
TEST_F(ResidencyRules, whatThereIsNoMemoryForHasNotBegun) {
  bool failed = true;
  for (int before = 0; failed; ++before) {
    Residency several{3};
    for (std::size_t i = 0; i < 5; ++i) several.written(i % 2 ? first : host, {10 * i, 10 * i + 5});
    transfers.clear();
    transfers.push_back({});
    {
      const FailingAllocation failing(before);
      try {
        (void)several.prepare(second, {0, 100}, true, transfers, waiter);
      } catch (const std::bad_alloc&) {
      }
      failed = failing.hasFailed();
    }
    if (!failed) break;
    ASSERT_EQ(transfers.size(), 1u) << "allocation " << before;
    EXPECT_TRUE(several.isPrepared(second, {0, 100}, false)) << "nothing is under way";
    EXPECT_FALSE(several.prepare(second, {0, 100}, true, transfers, waiter));
    EXPECT_EQ(transfers.size(), 6u);
    for (std::size_t i = 1; i < transfers.size(); ++i) several.ended(transfers[i], true);
  }
}

// The end of a transfer allocates nothing that it cannot do without: it is only told to those who wait.
TEST_F(ResidencyRules, anEndIsToldWithoutMemory) {
  for (int before = 0; before < 4; ++before) {
    Residency its{3};
    CountingWaiter waits;
    std::vector<Transfer> wanted;
    its.written(host, {0, 100});
    ASSERT_FALSE(its.prepare(first, {0, 100}, true, wanted, waits));
    {
      const FailingAllocation failing(before);
      its.ended(wanted.front(), true);
    }
    EXPECT_EQ(waits.calls, 1);
    wanted.clear();
    if (its.isValid(first, {0, 100})) continue;
    EXPECT_FALSE(its.prepare(first, {0, 100}, true, wanted, waits)) << "it is transferred again";
    EXPECT_EQ(wanted.size(), 1u);
    its.ended(wanted.front(), true);
  }
}

TEST_F(ResidencyRules, contentIsFetchedFromTheHost) {
  residency.written(host, {0, 100});
  EXPECT_FALSE(prepare(first, {10, 30}));
  expectTransfers({{0, host, first, {10, 30}}});
  residency.ended(transfers[0], true);
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_TRUE(prepare(first, {10, 30}));
  EXPECT_TRUE(residency.isValid(host, {0, 100})) << "reading leaves other places valid";
  EXPECT_FALSE(residency.isValid(first, {10, 31}));
}

TEST(ResidencyOfPeers, contentGoesDirectly) {
  const int one = 0, other = 0;
  Residency residency(5, {{}, {.group = &one}, {.group = &one}, {.group = &other}, {}});
  CountingWaiter waiter;
  const auto transferTo = [&](Place place) {
    std::vector<Transfer> transfers;
    EXPECT_FALSE(residency.prepare(place, {0, 100}, true, transfers, waiter));
    EXPECT_EQ(transfers.size(), 1U);
    residency.ended(transfers.at(0), true);
    return transfers.at(0);
  };
  residency.written(first, {0, 100});
  EXPECT_EQ(transferTo(second).from, first);
  EXPECT_TRUE(residency.isValid(second, {0, 100}));
  EXPECT_FALSE(residency.isValid(host, {0, 100}));
  for (Place place : {Place{3}, Place{4}}) {
    residency.written(first, {0, 100});
    EXPECT_EQ(transferTo(place).to, host) << "the way leads through the host's memory";
    EXPECT_EQ(transferTo(place).to, place);
  }
}

/// Commands that devices order, each behind the one before it, on two peers and a place that is none.
struct ResidencyBehind : testing::Test {
  const int group = 0, order = 0, otherOrder = 0;
  Residency residency{4, {{}, {.group = &group}, {.group = &group}, {}}};
  CountingWaiter waiter;
  std::vector<Transfer> transfers;

  bool behind(Place place, Interval range, const void* its, bool content = true) {
    transfers.clear();
    return residency.prepareBehind(place, range, content, its, transfers);
  }
};

TEST_F(ResidencyBehind, eachStepBringsItsEdges) {
  std::vector<Transfer> all;
  residency.written(first, {0, 50});
  residency.written(second, {50, 100});
  for (int step = 0; step < 3; ++step) {
    EXPECT_TRUE(behind(first, {0, 51}, &order));
    ASSERT_EQ(transfers.size(), 1U) << "what came a step ago has been written since";
    EXPECT_EQ(transfers[0].range, (Interval{50, 51}));
    all.push_back(transfers[0]);
    EXPECT_TRUE(behind(first, {0, 51}, &order));
    EXPECT_TRUE(transfers.empty()) << "it is on its way, ahead of the command";
    residency.written(second, {50, 100});
  }
  for (const Transfer& each : all) residency.ended(each, true);
  EXPECT_FALSE(residency.isValid(first, {50, 51})) << "written since";
  EXPECT_TRUE(residency.isValid(first, {0, 50}));
}

TEST_F(ResidencyBehind, othersWaitForTheEnd) {
  residency.written(second, {0, 100});
  EXPECT_TRUE(behind(first, {0, 100}, &order));
  const Transfer its = transfers.at(0);
  EXPECT_FALSE(behind(first, {0, 10}, &otherOrder));
  EXPECT_FALSE(behind(first, {0, 10}, nullptr));
  EXPECT_FALSE(behind(first, {0, 10}, &otherOrder, false)) << "it would arrive over what is written";
  EXPECT_FALSE(residency.prepare(first, {0, 10}, true, transfers, waiter));
  EXPECT_TRUE(transfers.empty());
  residency.ended(its, true);
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_TRUE(behind(first, {0, 10}, &otherOrder));
  EXPECT_TRUE(transfers.empty());
}

TEST_F(ResidencyBehind, anOrderOfNoOthers) {
  residency.written(second, {0, 100});
  EXPECT_TRUE(behind(first, {0, 100}, nullptr));
  EXPECT_EQ(transfers.size(), 1U);
  EXPECT_FALSE(behind(first, {0, 100}, nullptr));
}

TEST_F(ResidencyBehind, nothingByWayOfTheHost) {
  residency.written(second, {0, 50});
  residency.written(3, {50, 100});
  EXPECT_FALSE(behind(first, {0, 100}, &order));
  EXPECT_TRUE(transfers.empty());
  EXPECT_TRUE(behind(first, {0, 50}, &order)) << "no transfer is under way";
  EXPECT_EQ(transfers.size(), 1U);
  residency.written(host, {0, 100});
  EXPECT_FALSE(behind(second, {0, 100}, &order));
  EXPECT_TRUE(behind(second, {0, 100}, &order, false));
}

TEST_F(ResidencyBehind, whatDidNotBeginIsFetchedAgain) {
  residency.written(second, {0, 100});
  EXPECT_TRUE(behind(first, {0, 100}, &order));
  residency.ended(transfers.at(0), false);
  EXPECT_TRUE(behind(first, {0, 100}, &order));
  EXPECT_EQ(transfers.size(), 1U);
}

// Whichever allocation fails: no transfer has begun that no thread starts.
TEST_F(ResidencyBehind, whatThereIsNoMemoryForHasNotBegun) {
  residency.written(second, {0, 10});
  residency.written(second, {20, 30});
  bool failed = true;
  for (int before = 0; failed; ++before) {
    std::vector<Transfer> none;
    {
      const FailingAllocation failing(before);
      try {
        (void)residency.prepareBehind(first, {0, 100}, true, &order, none);
      } catch (const std::bad_alloc&) {
      }
      failed = failing.hasFailed();
    }
    if (!failed) break;
    EXPECT_TRUE(none.empty()) << "allocation " << before;
    EXPECT_TRUE(residency.isPrepared(first, {0, 100}, false)) << "allocation " << before;
  }
}

/// The rounds until so many places have content that the host has, or one of them: all transfers of a round end before
/// the next one begins.
int roundsToAll(Place places, Place source, std::size_t bytes) {
  Residency residency(places, std::vector<Residency::Peers>(places, {.group = &residency, .leastInTurn = 100}));
  residency.written(source, {0, bytes});
  std::vector<CountingWaiter> waiters(places);
  std::vector<Transfer> underWay;
  const auto prepareAll = [&] {
    bool areAll = true;
    for (Place place = 1; place < places; ++place) {
      if (residency.isPrepared(place, {0, bytes}, true)) continue;
      areAll = false;
      if (waiters[place].calls.exchange(0) > 0)
        EXPECT_FALSE(residency.prepare(place, {0, bytes}, true, underWay, waiters[place]));
    }
    return areAll;
  };
  for (CountingWaiter& each : waiters) each.calls = 1;
  int rounds = 0;
  for (; !prepareAll() && rounds < 100; ++rounds) {
    std::vector<bool> sends(places);
    for (const Transfer& each : underWay) {
      EXPECT_FALSE(bytes >= 100 && sends[each.from]) << each.from << " sends to two at a time";
      sends[each.from] = true;
    }
    for (const Transfer& each : std::exchange(underWay, {})) residency.ended(each, true);
  }
  return rounds;
}

TEST(ResidencyOfPeers, contentThatManyNeedGoesAlongATree) {
  EXPECT_EQ(roundsToAll(9, host, 99), 1) << "little content goes at once";
  EXPECT_EQ(roundsToAll(2, host, 100), 1);
  EXPECT_EQ(roundsToAll(8, host, 100), 3);
  EXPECT_EQ(roundsToAll(33, first, 100), 5);
  EXPECT_EQ(roundsToAll(257, host, 1000), 9);
}

TEST(ResidencyOfPeers, partsThatDifferGoAtOnce) {
  Residency residency(4, std::vector<Residency::Peers>(4, {.group = &residency, .leastInTurn = 1}));
  residency.written(host, {0, 300});
  std::vector<CountingWaiter> waiters(4);
  std::vector<Transfer> transfers;
  for (Place place : {Place{1}, Place{2}, Place{3}})
    EXPECT_FALSE(residency.prepare(place, {100 * (place - 1), 100 * place}, true, transfers, waiters[place]));
  EXPECT_EQ(transfers.size(), 3U);
}

/// Whoever waits for a turn is called even if those that were called before it do not take theirs.
TEST(ResidencyOfPeers, aTurnThatNobodyTakesIsAnothers) {
  Residency residency(6, std::vector<Residency::Peers>(6, {.group = &residency, .leastInTurn = 1}));
  residency.written(host, {0, 100});
  std::vector<CountingWaiter> waiters(6);
  std::vector<Transfer> first;
  for (Place place = 1; place < 6; ++place)
    EXPECT_FALSE(residency.prepare(place, {0, 100}, true, first, waiters[place]));
  ASSERT_EQ(first.size(), 1U);
  residency.ended(first[0], false);
  for (Place place = 1; place < 6; ++place) EXPECT_EQ(waiters[place].calls, 1) << place;
}

TEST_F(ResidencyRules, aPlaceThatIsGoneIsDoneWithout) {
  residency.written(host, {0, 100});
  EXPECT_FALSE(prepare(first, {0, 100}));
  residency.ended(transfers[0], true);
  residency.written(first, {50, 100});
  EXPECT_FALSE(residency.doWithout(first, {0, 100})) << "a part of it is there alone";
  EXPECT_FALSE(residency.isValid(first, {0, 1}));
  EXPECT_TRUE(residency.isValid(first, {50, 100})) << "nothing else is known of it";
  EXPECT_TRUE(residency.doWithout(first, {0, 50}));
}

TEST_F(ResidencyRules, whatIsPreparedNeedsNothing) {
  residency.written(host, {0, 100});
  EXPECT_TRUE(residency.isPrepared(host, {0, 100}, true));
  EXPECT_FALSE(residency.isPrepared(first, {0, 100}, true));
  EXPECT_TRUE(residency.isPrepared(first, {0, 100}, false));
  EXPECT_FALSE(prepare(first, {10, 20}));
  EXPECT_FALSE(residency.isPrepared(first, {0, 100}, false)) << "a transfer would arrive over what is written";
  EXPECT_TRUE(residency.isPrepared(first, {20, 100}, false));
  residency.ended(transfers[0], true);
  EXPECT_TRUE(residency.isPrepared(first, {10, 20}, true));
}

TEST_F(ResidencyRules, onlyWhatIsMissingIsFetched) {
  residency.written(host, {0, 100});
  residency.written(first, {20, 40});
  EXPECT_FALSE(prepare(first, {10, 50}));
  expectTransfers({{0, host, first, {10, 20}}, {0, host, first, {40, 50}}});
}

TEST_F(ResidencyRules, fromDeviceToDeviceByWayOfTheHost) {
  residency.written(first, {0, 8});
  EXPECT_FALSE(prepare(second, {0, 8}));
  expectTransfers({{0, first, host, {0, 8}}});
  residency.ended(transfers[0], true);
  EXPECT_FALSE(prepare(second, {0, 8}));
  expectTransfers({{0, host, second, {0, 8}}});
  residency.ended(transfers[0], true);
  EXPECT_TRUE(prepare(second, {0, 8}));
  for (const Place each : {host, first, second}) EXPECT_TRUE(residency.isValid(each, {0, 8})) << each;
}

TEST_F(ResidencyRules, whatIsUnderWayIsNotFetchedTwice) {
  residency.written(host, {0, 100});
  EXPECT_FALSE(prepare(first, {0, 60}));
  const Transfer transfer = transfers.at(0);
  EXPECT_FALSE(prepare(first, {40, 80}));
  expectTransfers({{0, host, first, {60, 80}}});
  const Transfer other = transfers.at(0);
  residency.ended(transfer, true);
  EXPECT_EQ(waiter.calls, 2) << "both commands use a part of it";
  residency.ended(other, true);
  EXPECT_TRUE(prepare(first, {0, 80}));
}

TEST_F(ResidencyRules, aWriterInvalidatesAllOtherPlaces) {
  residency.written(host, {0, 100});
  EXPECT_FALSE(prepare(first, {0, 100}));
  residency.ended(transfers[0], true);
  residency.written(first, {30, 50});
  EXPECT_TRUE(residency.isValid(host, {0, 30}));
  EXPECT_FALSE(residency.isValid(host, {30, 31}));
  EXPECT_FALSE(residency.isValid(host, {49, 50}));
  EXPECT_TRUE(residency.lacks(host, {0, 31}));
  EXPECT_FALSE(residency.lacks(host, {0, 30}));
  EXPECT_FALSE(residency.lacks(first, {0, 200})) << "what was never written is missing nowhere";
  EXPECT_TRUE(residency.isValid(host, {50, 100}));
  EXPECT_TRUE(residency.isValid(first, {0, 100}));
}

TEST_F(ResidencyRules, overwritingNeedsNoContent) {
  residency.written(host, {0, 100});
  EXPECT_TRUE(prepare(first, {0, 100}, false));
  EXPECT_TRUE(transfers.empty());
}

TEST_F(ResidencyRules, aFailedTransferLeavesTheOldPlaceValid) {
  residency.written(first, {0, 8});
  EXPECT_FALSE(prepare(host, {0, 8}));
  residency.ended(transfers[0], false);
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_TRUE(residency.isValid(first, {0, 8}));
  EXPECT_FALSE(residency.isValid(host, {0, 1}));
  EXPECT_TRUE(residency.lacks(host, {0, 8}));
  EXPECT_FALSE(prepare(host, {0, 8}));
  EXPECT_EQ(transfers.size(), 1U) << "whoever asks again tries again";
}

// A program that lets a writer run beside a reader gets undefined content, but what the writer wrote is not lost.
TEST_F(ResidencyRules, aTransferThatWasOvertakenBringsNothing) {
  residency.written(host, {0, 100});
  EXPECT_FALSE(prepare(first, {0, 100}));
  const Transfer transfer = transfers.at(0);
  residency.written(host, {20, 30});
  residency.ended(transfer, true);
  EXPECT_FALSE(residency.isValid(first, {20, 21}));
  EXPECT_FALSE(residency.isValid(first, {29, 30}));
  EXPECT_TRUE(residency.isValid(first, {0, 20}));
  EXPECT_TRUE(residency.isValid(first, {30, 100}));
}

TEST_F(ResidencyRules, aWriterWaitsForWhatWouldArriveOverIt) {
  residency.written(host, {0, 100});
  EXPECT_FALSE(prepare(first, {0, 50}));
  const Transfer transfer = transfers.at(0);
  EXPECT_FALSE(prepare(first, {40, 60}, false));
  EXPECT_TRUE(transfers.empty());
  EXPECT_TRUE(prepare(first, {50, 60}, false));
  residency.ended(transfer, true);
  EXPECT_TRUE(prepare(first, {40, 60}, false));
}

/// Real memory in every place, moved as the record demands. Transfers end late, in any order, and some fail.
class Model {
public:
  static constexpr std::size_t bytes = 97;
  static constexpr unsigned places = 4;
  using Memory = std::array<unsigned char, bytes>;

  /// Content of so many bytes goes from device to device in turn; none: by way of the host.
  explicit Model(unsigned seed, std::size_t leastInTurn = 0) : random_(seed), residency_(places, peersOf(leastInTurn)) {
    for (Memory& each : memory_) each.fill(0xEE);
    truth_.fill(0);
    residency_.written(host, {0, bytes});
    memory_[host].fill(0);
  }

  void run(int commands) {
    for (int i = 0; i < commands && !testing::Test::HasFailure(); ++i) step();
    while (!commands_.empty() && !testing::Test::HasFailure()) endOneTransfer();
    EXPECT_TRUE(underWay_.empty());
    expectValidBytesAreTrue();
  }

private:
  static std::vector<Residency::Peers> peersOf(std::size_t leastInTurn) {
    static const int group = 0;
    if (leastInTurn == 0) return {};
    return {{}, {&group, leastInTurn}, {&group, leastInTurn}, {&group, leastInTurn}};
  }

  enum class Kind { Read, Write, ReadAndWrite, Migrate, MapForWriting, MapToOverwrite };

  struct Command final : Residency::Waiter {
    Place place = 0;
    Interval range;
    Kind kind = Kind::Read;
    bool woken = false;
    bool failed = false;
    int own = 0;  ///< its transfers that have not ended
    void transferEnded() noexcept override { woken = true; }
    bool writes() const { return kind != Kind::Read && kind != Kind::Migrate; }
    bool needsContent() const { return kind != Kind::Write && kind != Kind::MapToOverwrite; }
  };
  struct UnderWay {
    Transfer transfer;
    Command* command;
  };

  std::size_t below(std::size_t n) { return random_() % n; }

  /// A command that no unfinished one is in conflict with: the events of a right program would have made it wait.
  void step() {
    auto command = std::make_unique<Command>();
    command->kind = static_cast<Kind>(below(6));
    command->place = static_cast<Place>(below(places));
    const bool mapping = command->kind == Kind::MapForWriting || command->kind == Kind::MapToOverwrite;
    if (mapping) command->place = host;
    command->range.begin = below(bytes);
    command->range.end = command->range.begin + 1 + below(bytes - command->range.begin);
    const auto conflicts = [&](const auto& other) {
      return other->range.intersects(command->range) && (other->writes() || command->writes());
    };
    while (std::ranges::any_of(commands_, conflicts)) endOneTransfer();
    commands_.push_back(std::move(command));
    advance(*commands_.back());
    for (std::size_t n = below(4); n > 0 && !underWay_.empty(); --n) endOneTransfer();
  }

  void advance(Command& command) {
    std::vector<Transfer> start;
    command.woken = false;
    const bool prepared = residency_.isPrepared(command.place, command.range, command.needsContent());
    if (!command.failed && residency_.prepare(command.place, command.range, command.needsContent(), start, command))
      return execute(command);
    ASSERT_FALSE(prepared && !command.failed) << "there was nothing to do";
    ASSERT_FALSE(command.failed && command.own == 0 && !start.empty());
    for (const Transfer& each : start) {
      for (std::size_t at = each.range.begin; at < each.range.end; ++at)
        ASSERT_EQ(memory_[each.from][at], truth_[at]) << "a transfer from a place where byte " << at << " is not valid";
      underWay_.push_back({each, &command});
      ++command.own;
    }
    if (command.failed && command.own == 0) remove(command);
  }

  void execute(Command& command) {
    if (command.needsContent())
      for (std::size_t at = command.range.begin; at < command.range.end; ++at)
        ASSERT_EQ(memory_[command.place][at], truth_[at]) << "byte " << at << " in place " << command.place;
    if (command.writes()) {
      // Bytes that were overwritten in a mapping become the content when it is unmapped, which is here at once.
      residency_.written(command.place, command.range);
      for (std::size_t at = command.range.begin; at < command.range.end; ++at)
        memory_[command.place][at] = truth_[at] = static_cast<unsigned char>(random_());
    } else if (command.kind == Kind::Migrate) {
      EXPECT_TRUE(residency_.isValid(command.place, command.range));
    }
    remove(command);
  }

  void remove(Command& command) {
    std::erase_if(commands_, [&](const auto& each) { return each.get() == &command; });
  }

  void endOneTransfer() {
    ASSERT_FALSE(underWay_.empty()) << "commands wait for nothing";
    const std::size_t chosen = below(underWay_.size());
    const UnderWay ended = underWay_[chosen];
    underWay_.erase(underWay_.begin() + static_cast<std::ptrdiff_t>(chosen));
    const bool fails = below(8) == 0;
    const Interval range = ended.transfer.range;
    // One that fails leaves rubbish in its target.
    for (std::size_t at = range.begin; at < range.end; ++at)
      memory_[ended.transfer.to][at] = fails ? 0xDD : memory_[ended.transfer.from][at];
    --ended.command->own;
    ended.command->failed |= fails;
    residency_.ended(ended.transfer, !fails);
    if (!fails) return advanceWoken();
    EXPECT_TRUE(stillValidSomewhere(range)) << "a failed transfer must leave the old place valid";
    advanceWoken();
  }

  bool stillValidSomewhere(Interval range) const {
    for (std::size_t at = range.begin; at < range.end; ++at) {
      bool valid = false;
      for (Place place = 0; place < places; ++place) valid |= residency_.isValid(place, {at, at + 1});
      if (!valid) return false;
    }
    return true;
  }

  void advanceWoken() {
    for (bool again = true; again && !testing::Test::HasFailure();) {
      again = false;
      for (std::size_t i = 0; i < commands_.size(); ++i) {
        Command& command = *commands_[i];
        if (!command.woken || (command.failed && command.own > 0)) continue;
        if (command.failed)
          remove(command);
        else
          advance(command);
        again = true;
        break;
      }
    }
  }

  void expectValidBytesAreTrue() const {
    for (Place place = 0; place < places; ++place)
      for (std::size_t at = 0; at < bytes; ++at)
        if (residency_.isValid(place, {at, at + 1}))
          ASSERT_EQ(memory_[place][at], truth_[at]) << "byte " << at << " in place " << place;
    EXPECT_TRUE(stillValidSomewhere({0, bytes}));
  }

  std::mt19937 random_;
  Residency residency_;
  std::array<Memory, places> memory_{};
  Memory truth_{};
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<UnderWay> underWay_;
};

TEST(ResidencyModel, randomCommandsSeeWhatWasWrittenLast) {
  for (unsigned seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Model(seed).run(200);
    Model(seed, 1 + seed % 40).run(200);
  }
}

/// Each thread with a part and places, all moving at the same time.
TEST(ResidencyThreads, partsThatDoNotOverlapAreIndependent) {
  constexpr unsigned threads = 4;
  constexpr std::size_t part = 64;
  Residency residency(threads + 1);
  residency.written(host, {0, threads * part});
  const auto use = [&](unsigned t) {
    const Interval range{t * part, (t + 1) * part};
    std::mt19937 random(t);
    CountingWaiter waiter;
    int registered = 0;
    for (int i = 0; i < 2000; ++i) {
      const Place place = static_cast<Place>(random() % (threads + 1));
      std::vector<Transfer> start;
      while (!residency.prepare(place, range, true, start, waiter)) {
        ++registered;
        ASSERT_FALSE(start.empty()) << "no other thread transfers these bytes";
        for (const Transfer& each : start) {
          EXPECT_GE(each.range.begin, range.begin);
          EXPECT_LE(each.range.end, range.end);
          residency.ended(each, true);
        }
        ASSERT_EQ(waiter.calls, registered);
        start.clear();
      }
      if (random() % 2 == 0) residency.written(place, range);
      EXPECT_TRUE(residency.isValid(place, range));
    }
  };
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) all.emplace_back(use, t);
  for (std::thread& each : all) each.join();
}

TEST(IntervalSets, likeASetOfNumbers) {
  std::mt19937 random(5);
  IntervalSet set;
  std::array<bool, 64> model{};
  const auto interval = [&] {
    const std::size_t begin = random() % model.size();
    return Interval{begin, begin + random() % (model.size() - begin + 1)};
  };
  for (int i = 0; i < 20000; ++i) {
    const Interval changed = interval(), asked = interval();
    const bool added = random() % 2 == 0;
    if (added)
      set.add(changed);
    else
      set.remove(changed);
    for (std::size_t at = changed.begin; at < changed.end; ++at) model[at] = added;
    const auto begin = model.begin() + std::ptrdiff_t(asked.begin), end = model.begin() + std::ptrdiff_t(asked.end);
    ASSERT_EQ(set.contains(asked), std::all_of(begin, end, [](bool in) { return in; }));
    ASSERT_EQ(set.intersects(asked), std::any_of(begin, end, [](bool in) { return in; }));
    std::size_t size = 0;
    for (std::size_t k = 0; k < set.intervals().size(); ++k) {
      size += set.intervals()[k].size();
      if (k > 0) ASSERT_LT(set.intervals()[k - 1].end, set.intervals()[k].begin) << "intervals that touch";
    }
    ASSERT_EQ(size, std::size_t(std::ranges::count(model, true)));
  }
}

}  // namespace
}  // namespace clarity::test
