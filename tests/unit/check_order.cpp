// SPDX-License-Identifier: Apache-2.0
// This file tests which accesses of a launch come after which others, and what is remembered of memory.
#include "check/kernel/access_history.h"
#include "check/kernel/group_order.h"

#include <gtest/gtest.h>
#include <vector>

#include "check_fences.h"

namespace clarity::check {
namespace {

/// A launch of work-groups of four.
struct Order : testing::Test {
  compiler::KernelInfo kernel;
  device::NDRange range{.dims = 1, .global = {16, 1, 1}, .local = {4, 1, 1}};
  device::ObservedLaunch launch{kernel, range, {}, {}};
  GroupOrder order{launch, 1};

  void group(std::uint64_t first) { order.begin({.site = device::kernelBegins, .flags = 0, .firstId = {first, 0, 0}}); }
  void barrier(std::uint64_t first, std::uint32_t flags) {
    order.begin({.site = 0, .flags = flags, .firstId = {first, 0, 0}});
  }
  Segment item(std::uint64_t id) { return order.segmentOf({id, 0, 0}, false, false); }
  Segment copyOf(std::uint64_t id) { return order.segmentOf({id, 0, 0}, false, true); }
  /// An atomic update of an element of global memory.
  void update(std::uint64_t id, std::uint64_t address, device::MemoryOrder memoryOrder = {}) {
    order.atomic(order.segmentOf({id, 0, 0}, true, false),
                 {.address = address, .isLocal = false, .reads = true, .writes = true, .order = memoryOrder});
  }
  void fence(std::uint64_t id, std::uint32_t kind, std::uint32_t flags = globalFence) {
    order.fence(
        {.order = {.order = kind, .scope = device::MemoryOrder::device}, .flags = flags, .globalId = {id, 0, 0}});
  }
};

TEST_F(Order, withoutABarrierOnlyAWorkItemItselfIsOrdered) {
  group(0);
  EXPECT_FALSE(order.isUnordered(item(1), item(1), true));
  EXPECT_TRUE(order.isUnordered(item(0), item(1), true));
  EXPECT_TRUE(order.isUnordered(item(3), item(1), false));
}

TEST_F(Order, aBarrierOrdersTheMemoryThatItsFenceIsFor) {
  group(0);
  const Segment before = item(0);
  barrier(0, localFence);
  EXPECT_FALSE(order.isUnordered(before, item(1), true));
  EXPECT_TRUE(order.isUnordered(before, item(1), false));
  EXPECT_FALSE(order.isUnordered(before, item(0), false)) << "a work-item's own";
  const Segment between = item(2);
  barrier(0, globalFence);
  EXPECT_FALSE(order.isUnordered(before, item(1), false));
  EXPECT_FALSE(order.isUnordered(between, item(1), false));
  EXPECT_TRUE(order.isUnordered(between, item(1), true));
  barrier(0, noFence);
  EXPECT_TRUE(order.isUnordered(between, item(1), true));
}

TEST_F(Order, workGroupsShareGlobalMemoryOnly) {
  group(0);
  barrier(0, localFence | globalFence);
  const Segment first = item(2);
  group(4);
  EXPECT_FALSE(order.isUnordered(first, item(5), true));
  EXPECT_TRUE(order.isUnordered(first, item(5), false));
}

TEST_F(Order, atomicOperationsOnOneElementOrderWhatIsAheadOfThem) {
  group(0);
  const Segment written = item(2);
  barrier(0, globalFence);
  update(0, 0x1000);
  const Segment behind = item(3);
  group(4);
  EXPECT_TRUE(order.isUnordered(written, item(4), false));
  update(4, 0x2000);
  EXPECT_TRUE(order.isUnordered(written, item(4), false)) << "another element";
  update(4, 0x1000);
  EXPECT_FALSE(order.isUnordered(written, item(4), false));
  EXPECT_TRUE(order.isUnordered(behind, item(4), false));
}

TEST_F(Order, whatAWorkItemDoesBehindAnAtomicOperationIsNotOrderedByIt) {
  group(0);
  const Segment ahead = item(0);
  update(0, 0x1000);
  const Segment behind = item(0);
  EXPECT_NE(ahead, behind);
  group(4);
  update(5, 0x1000);
  EXPECT_FALSE(order.isUnordered(ahead, item(5), false));
  EXPECT_TRUE(order.isUnordered(behind, item(5), false));
  EXPECT_TRUE(order.isUnordered(ahead, item(6), false)) << "another work-item has acquired nothing";
  barrier(4, globalFence);
  EXPECT_FALSE(order.isUnordered(ahead, item(6), false));
  EXPECT_EQ(order.idOf(behind)[0], 0u);
}

TEST_F(Order, relaxedOperationsNeedFences) {
  const device::MemoryOrder relaxed{.order = device::MemoryOrder::relaxed, .scope = device::MemoryOrder::device};
  group(0);
  const Segment unfenced = item(0);
  update(0, 0x1000, relaxed);
  const Segment fenced = item(1);
  fence(1, device::MemoryOrder::release);
  update(1, 0x1000, relaxed);
  group(4);
  update(4, 0x1000, relaxed);
  EXPECT_TRUE(order.isUnordered(fenced, item(4), false));
  fence(4, device::MemoryOrder::acquire);
  EXPECT_FALSE(order.isUnordered(fenced, item(4), false));
  EXPECT_TRUE(order.isUnordered(unfenced, item(4), false));
}

TEST_F(Order, fencesOrderTheMemoryOfTheirFlags) {
  const device::MemoryOrder relaxed{.order = device::MemoryOrder::relaxed, .scope = device::MemoryOrder::device};
  group(0);
  const Segment written = item(1);
  fence(1, device::MemoryOrder::release);
  update(1, 0x1000, relaxed);
  group(4);
  update(4, 0x1000, relaxed);
  fence(4, device::MemoryOrder::acquire, localFence);
  EXPECT_TRUE(order.isUnordered(written, item(4), false));
  update(5, 0x1000, relaxed);
  fence(5, device::MemoryOrder::acquire, localFence | globalFence);
  EXPECT_FALSE(order.isUnordered(written, item(5), false));
}

TEST_F(Order, theScopeOfAWorkGroupEndsThere) {
  const device::MemoryOrder narrow{.order = device::MemoryOrder::acquireRelease,
                                   .scope = device::MemoryOrder::workGroup};
  group(0);
  const Segment written = item(0);
  update(0, 0x1000, narrow);
  update(2, 0x1000, narrow);
  EXPECT_FALSE(order.isUnordered(written, item(2), false));
  group(4);
  update(4, 0x1000);
  EXPECT_TRUE(order.isUnordered(written, item(4), false));
}

TEST_F(Order, whatWasAcquiredIsHandedOn) {
  group(0);
  const Segment written = item(0);
  update(0, 0x1000);
  group(4);
  update(4, 0x1000);
  update(4, 0x2000);
  group(8);
  update(8, 0x2000);
  EXPECT_FALSE(order.isUnordered(written, item(8), false));
}

TEST_F(Order, copiesAreOrderedByBarriersAlone) {
  group(0);
  const Segment written = item(0);
  EXPECT_TRUE(order.isUnordered(written, copyOf(0), true));
  EXPECT_EQ(order.idOf(copyOf(3))[0], 3u);
  barrier(0, localFence);
  EXPECT_FALSE(order.isUnordered(written, copyOf(0), true));
}

TEST_F(Order, aBarrierWithTheWrongFlagsIsKnown) {
  group(0);
  const Segment written = item(0);
  EXPECT_FALSE(order.isBehindBarrier(written));
  barrier(0, globalFence);
  EXPECT_TRUE(order.isBehindBarrier(written));
}

TEST_F(Order, segmentsKnowTheirWorkItem) {
  range.dims = 2;
  range.local = {2, 2, 1};
  GroupOrder two({kernel, range, {}, {}}, 100);
  two.begin({.site = device::kernelBegins, .flags = 0, .firstId = {4, 6, 0}});
  const device::GlobalId id{5, 7, 0};
  const Segment segment = two.segmentOf(id, false, false);
  EXPECT_GE(segment, 100u);
  EXPECT_EQ(two.idOf(segment), id);
}

TEST_F(Order, numbersBeginAnewWhenThereAreNoMore) {
  GroupOrder last(launch, ~Segment{0} - 20);
  EXPECT_FALSE(last.begin({.site = device::kernelBegins, .flags = 0, .firstId = {0, 0, 0}}));
  EXPECT_TRUE(last.begin({.site = device::kernelBegins, .flags = 0, .firstId = {4, 0, 0}}));
  EXPECT_EQ(last.segmentOf({4, 0, 0}, false, false), 1u);
  EXPECT_TRUE(last.isUnordered(1, last.segmentOf({5, 0, 0}, false, false), true));
}

TEST(AccessHistory, bytesHaveHistoriesOfTheirOwnWhereTheyAreAccessed) {
  AccessHistory history;
  const auto count = [&](std::uint64_t address, std::uint64_t bytes) {
    int visits = 0;
    history.forEach(address, bytes, [&](History&, std::uint64_t) { ++visits; });
    return visits;
  };
  EXPECT_EQ(count(0x1000, 16), 4);
  history.forEach(0x1004, 4, [](History& each, std::uint64_t) { each.write = 7; });
  EXPECT_EQ(count(0x1006, 1), 1);
  EXPECT_EQ(count(0x1004, 4), 4) << "by byte from now on";
  history.forEach(0x1005, 1, [](History& each, std::uint64_t) { EXPECT_EQ(each.write, 7u); });
  history.forEach(0x1008, 1, [](History& each, std::uint64_t) { EXPECT_EQ(each.write, 0u); });
  EXPECT_EQ(count(0x2ffe, 4), 4) << "over the end of a page";
  history.clear();
  EXPECT_EQ(count(0x1004, 4), 1);
}

}  // namespace
}  // namespace clarity::check
