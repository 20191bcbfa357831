// SPDX-License-Identifier: Apache-2.0
// This file tests the rules of cells: which accesses race, whatever the threads that execute work-groups do in between.
#include "check/kernel/race_cells.h"
#include "check/kernel/race_thread.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "check_fences.h"

namespace clarity::check {
namespace {

constexpr std::uint32_t items = 4;

struct CellKind {
  bool writes = false, isAtomic = false;
};
constexpr CellKind read{}, write{.writes = true}, atomicRead{.isAtomic = true},
    update{.writes = true, .isAtomic = true};

/// A launch of work-groups of four work-items, and a thread for each of them.
struct Launch {
  device::NDRange range{.dims = 1, .global = {items * 8, 1, 1}, .local = {items, 1, 1}};
  std::uint32_t number = RaceSegments::get().newLaunch();
  RaceCells cells{number};
  std::vector<std::unique_ptr<RaceThread>> threads;
  support::RaceInterval interval;
  RaceSegment allGroups = 0;

  explicit Launch(std::size_t groups = 4) {
    RaceSegments::get().enter();
    allGroups = RaceSegments::get().takeBlock(number);
    for (std::size_t i = 0; i < groups; ++i) {
      threads.push_back(std::make_unique<RaceThread>(range, number));
      threads.back()->begin(
          {.site = device::kernelBegins, .flags = 0, .firstId = {i * items, 0, 0}, .interval = &interval});
    }
  }
  ~Launch() { RaceSegments::get().leave(); }

  void barrier(std::size_t group, std::uint32_t flags) {
    threads[group]->begin({.site = 0, .flags = flags, .firstId = {group * items, 0, 0}, .interval = &interval});
  }
  RaceSegment segment(std::size_t group, std::uint32_t item) const { return threads[group]->first() + item; }

  std::optional<RaceCells::Conflict> access(std::size_t group, std::uint32_t agent, CellKind kind, const void* address,
                                            std::uint64_t bytes = 4, bool isLocal = false, std::uint16_t site = 1) {
    return cells.visit(
        *threads[group],
        {.party = {.segment = segment(group, agent), .site = site, .isAtomic = kind.isAtomic, .writes = kind.writes},
         .agent = agent,
         .address = reinterpret_cast<std::uint64_t>(address),
         .bytes = bytes,
         .isLocal = isLocal,
         .allGroups = allGroups});
  }
  device::GlobalId ownerOf(RaceSegment segment) const {
    for (const auto& thread : threads)
      if (const auto id = thread->ownerOf(segment)) return *id;
    return {~0ull, 0, 0};
  }
};

TEST(RaceCells, aWorkItemIsOrderedWithItself) {
  Launch launch;
  alignas(4) int word = 0;
  for (const CellKind kind : {read, write, read, update, write}) EXPECT_FALSE(launch.access(0, 1, kind, &word));
}

TEST(RaceCells, readersDoNotRaceAndAWriterRacesWithEachOther) {
  for (const std::uint32_t writer : {0u, 1u, 2u}) {
    Launch launch;
    alignas(4) int word = 0;
    for (const std::uint32_t reader : {0u, 1u, 2u, 1u}) EXPECT_FALSE(launch.access(0, reader, read, &word));
    const auto race = launch.access(0, writer, write, &word);
    ASSERT_TRUE(race) << writer;
    EXPECT_FALSE(race->other.writes);
    EXPECT_NE(race->other.segment, launch.segment(0, writer));
    EXPECT_LT(launch.ownerOf(race->other.segment)[0], 2u);
  }
}

TEST(RaceCells, theOtherPartyIsKnown) {
  Launch launch;
  alignas(4) int word = 0;
  launch.access(2, 3, write, &word, 4, false, 7);
  const auto race = launch.access(1, 0, read, &word);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->other.site, 7);
  EXPECT_EQ(launch.ownerOf(race->other.segment), (device::GlobalId{2 * items + 3, 0, 0}));
}

TEST(RaceCells, aBarrierOrdersTheMemoryThatItsFlagsName) {
  for (const bool isLocal : {false, true}) {
    Launch launch;
    alignas(4) int word = 0;
    EXPECT_FALSE(launch.access(0, 0, write, &word, 4, isLocal));
    launch.barrier(0, isLocal ? localFence : globalFence);
    EXPECT_FALSE(launch.access(0, 1, write, &word, 4, isLocal));
    launch.barrier(0, isLocal ? globalFence : localFence);
    EXPECT_TRUE(launch.access(0, 2, read, &word, 4, isLocal));
  }
}

TEST(RaceCells, anEarlierWriteRacesWithOtherWorkGroupsThoughItWasReadSince) {
  Launch launch;
  alignas(4) int word = 0;
  launch.access(0, 0, write, &word, 4, false, 5);
  launch.barrier(0, globalFence);
  for (const std::uint32_t reader : {1u, 2u, 3u}) EXPECT_FALSE(launch.access(0, reader, read, &word));
  const auto race = launch.access(1, 0, read, &word);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->other.site, 5);
  EXPECT_TRUE(race->other.writes);
}

TEST(RaceCells, localMemoryIsAGroupsOwn) {
  Launch launch;
  alignas(4) int word = 0;
  EXPECT_FALSE(launch.access(0, 0, write, &word, 4, true));
  EXPECT_FALSE(launch.access(1, 1, write, &word, 4, true));
}

TEST(RaceCells, copiesAreOrderedByBarriersOnly) {
  Launch launch;
  alignas(4) int word = 0;
  EXPECT_FALSE(launch.access(0, items + 1, write, &word, 4, true));
  EXPECT_TRUE(launch.access(0, 1, read, &word, 4, true));
}

TEST(RaceCells, atomicUpdatesRaceWithOthersOnly) {
  for (const std::size_t group : {0u, 1u}) {
    Launch launch;
    alignas(4) int word = 0;
    EXPECT_FALSE(launch.access(0, 0, update, &word));
    EXPECT_FALSE(launch.access(group, 1, update, &word));
    EXPECT_FALSE(launch.access(group, 2, update, &word));
    EXPECT_FALSE(launch.access(0, 3, atomicRead, &word));
    EXPECT_TRUE(launch.access(0, 0, read, &word));
  }
}

TEST(RaceCells, anOwnAtomicAccessDoesNotHideOneThatIsNot) {
  Launch launch;
  alignas(4) int word = 0;
  EXPECT_FALSE(launch.access(0, 0, write, &word));
  EXPECT_FALSE(launch.access(0, 0, update, &word));
  EXPECT_TRUE(launch.access(0, 1, update, &word));
}

TEST(RaceCells, bytesOfAWordHaveOwners) {
  Launch launch;
  alignas(4) std::array<char, 8> bytes{};
  for (std::uint32_t item = 0; item < items; ++item) EXPECT_FALSE(launch.access(0, item, write, &bytes[item], 1));
  EXPECT_FALSE(launch.access(0, 1, write, &bytes[1], 1));
  EXPECT_FALSE(launch.access(0, 2, write, &bytes[4], 4));
  const auto race = launch.access(1, 0, read, bytes.data(), 8);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->address, reinterpret_cast<std::uint64_t>(bytes.data()));
  EXPECT_TRUE(launch.access(0, 3, write, &bytes[3], 2)) << "the next word";
}

TEST(RaceCells, earlierLaunchesDoNotCount) {
  alignas(4) std::array<int, 2> words{};
  {
    Launch launch;
    launch.access(0, 0, write, &words[0]);
    launch.access(0, 0, write, &words[1], 1);
  }
  Launch launch;
  EXPECT_FALSE(launch.access(1, 1, write, words.data(), 8));
  EXPECT_TRUE(launch.access(1, 2, write, &words[1], 2));
}

/// The accesses to a word, to compare each with all before it.
struct Done {
  std::size_t group;
  std::uint32_t agent;
  CellKind kind;
  std::uint32_t fences;  ///< fences of the group, so far
};

bool races(const Done& a, const Done& b) {
  if ((!a.kind.writes && !b.kind.writes) || (a.kind.isAtomic && b.kind.isAtomic)) return false;
  return a.group != b.group || (a.agent != b.agent && a.fences == b.fences);
}

/// Accesses and barriers at random, until the first race. `exactly`: it has to be found; else there has to be one.
void compareAtRandom(unsigned seed, const std::vector<CellKind>& kinds, bool exactly) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  const std::uint32_t groups = 1 + below(3), most = 2 + below(items - 1);
  Launch launch(groups);
  alignas(4) int word = 0;
  std::array<std::uint32_t, 3> fences{};
  std::vector<Done> all;
  for (int step = 0; step < 40; ++step) {
    const std::uint32_t group = below(groups);
    if (below(3) == 0) {
      const bool isFence = exactly || below(2) == 0;
      launch.barrier(group, isFence ? globalFence : localFence);
      fences[group] += isFence;
      continue;
    }
    const CellKind kind = kinds[below(static_cast<std::uint32_t>(kinds.size()))];
    const Done now{group, below(most), kind, fences[group]};
    bool isRace = false;
    for (const Done& before : all) isRace |= races(before, now);
    const auto found = launch.access(now.group, now.agent, now.kind, &word);
    if (found) {
      EXPECT_TRUE(isRace) << "seed " << seed << " step " << step;
    }
    if (exactly) {
      EXPECT_EQ(found.has_value(), isRace) << "seed " << seed << " step " << step;
    }
    if (isRace || found) return;
    all.push_back(now);
  }
}

TEST(RaceCells, findTheFirstRaceOfAnyOrder) {
  for (unsigned seed = 0; seed < 4000; ++seed) compareAtRandom(seed, {read, read, read, write}, true);
}

TEST(RaceCells, neverFindOneThatIsNone) {
  for (unsigned seed = 0; seed < 4000; ++seed)
    compareAtRandom(seed, {read, read, write, update, update, atomicRead}, false);
}

}  // namespace
}  // namespace clarity::check
