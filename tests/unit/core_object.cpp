// SPDX-License-Identifier: Apache-2.0
// This file tests the two counts of API objects, the pool behind them and the validity of handles.
#include "core/object.h"
#include "core/ref.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

using core::ApiObject;
using core::ObjectPool;
using core::Ref;
using core::RefPtr;

struct Probe final : ApiObject<Probe, _cl_sampler> {
  explicit Probe(int& destroyed, int& lastReleases) : destroyed(destroyed), lastReleases(lastReleases) {}
  ~Probe() override { ++destroyed; }
  void onLastRelease() noexcept { ++lastReleases; }
  int& destroyed;
  int& lastReleases;
};

struct Other final : ApiObject<Other, _cl_sampler> {};

struct CoreObject : testing::Test {
  int destroyed = 0, lastReleases = 0;
  Probe* make() { return new Probe(destroyed, lastReleases); }
};

TEST_F(CoreObject, LoaderFindsTheDispatchTableInTheFirstWord) {
  Probe* const probe = make();
  EXPECT_EQ(*reinterpret_cast<const void* const*>(probe->handle()), core::dispatchTable);
  probe->release();
}

TEST_F(CoreObject, ApplicationCountDestroys) {
  Probe* const probe = make();
  EXPECT_EQ(probe->referenceCount(), 1U);
  probe->retain();
  EXPECT_EQ(probe->referenceCount(), 2U);
  EXPECT_TRUE(probe->release());
  EXPECT_EQ(destroyed, 0);
  EXPECT_TRUE(probe->release());
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(lastReleases, 1);
}

TEST_F(CoreObject, InternalCountKeepsAliveAndIsNotSeen) {
  Probe* const probe = make();
  {
    const Ref<Probe> link(*probe);
    const Ref<Probe> copy = link;
    EXPECT_EQ(probe->referenceCount(), 1U);
    EXPECT_TRUE(probe->release());
    EXPECT_EQ(destroyed, 0);
    EXPECT_EQ(lastReleases, 1);
    EXPECT_EQ(copy->referenceCount(), 0U);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST_F(CoreObject, ReleasedTooOftenIsTold) {
  Probe* const probe = make();
  const Ref<Probe> link(*probe);
  EXPECT_TRUE(probe->release());
  EXPECT_FALSE(probe->release());
  EXPECT_EQ(probe->referenceCount(), 0U);
  EXPECT_EQ(lastReleases, 1);
}

TEST_F(CoreObject, RetainedAgainWhileOthersKeepIt) {
  Probe* const probe = make();
  {
    const Ref<Probe> link(*probe);
    probe->release();
    probe->retain();
  }
  EXPECT_EQ(destroyed, 0);
  probe->release();
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(lastReleases, 2);
}

TEST_F(CoreObject, HandleIsCheckedForClassAndLife) {
  Probe* const probe = make();
  _cl_sampler* const handle = probe->handle();
  EXPECT_FALSE(Probe::fromHandle(handle)) << "the application has not got it";
  EXPECT_EQ(probe->handOut(), handle);
  EXPECT_EQ(Probe::fromHandle(handle).get(), probe);
  EXPECT_FALSE(Other::fromHandle(handle));
  EXPECT_FALSE(Probe::fromHandle(nullptr));
  probe->release();
  // The memory of a destroyed object stays and says that there is none in it.
  EXPECT_FALSE(Probe::fromHandle(handle));
  EXPECT_EQ(handle->dispatch, core::dispatchTable);
}

// Memory is used again: an object of the driver's own does not get the handle of one that was released.
TEST_F(CoreObject, AnObjectThatIsNotHandedOutHasNoHandle) {
  Probe* const probe = make();
  _cl_sampler* const handle = probe->handOut();
  probe->release();
  Probe* const own = make();
  ASSERT_EQ(own->handle(), handle) << "the test rests on this";
  EXPECT_FALSE(Probe::fromHandle(handle));
  own->release();
}

TEST_F(CoreObject, WhatAHandleLeadsToIsKept) {
  Probe* const probe = make();
  {
    const RefPtr<Probe> kept = Probe::fromHandle(probe->handOut());
    probe->release();
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

/// Looks for itself while it is being destroyed.
struct Seeker final : ApiObject<Seeker, _cl_sampler> {
  explicit Seeker(bool& found) : found(found) {}
  ~Seeker() override { found = static_cast<bool>(fromHandle(handle())); }
  bool& found;
};

TEST_F(CoreObject, AnObjectThatIsBeingDestroyedIsNotFound) {
  bool found = true;
  auto* const seeker = new Seeker(found);
  seeker->handOut();
  seeker->release();
  EXPECT_FALSE(found);
}

TEST_F(CoreObject, RefPtrMovesWithoutCounting) {
  Probe* const probe = make();
  RefPtr<Probe> a(probe);
  RefPtr<Probe> b(std::move(a));
  EXPECT_EQ(a.get(), nullptr);
  EXPECT_EQ(b.get(), probe);
  a = b;
  b = nullptr;
  probe->release();
  EXPECT_EQ(destroyed, 0);
  a = nullptr;
  EXPECT_EQ(destroyed, 1);
}

TEST_F(CoreObject, CountsAreExactUnderThreads) {
  Probe* const probe = make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([probe] {
      for (int i = 0; i < 20000; ++i) {
        probe->retain();
        const Ref<Probe> link(*probe);
        probe->release();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(probe->referenceCount(), 1U);
  EXPECT_EQ(destroyed, 0);
  probe->release();
  EXPECT_EQ(destroyed, 1);
}

TEST(CorePool, SlotsAreAlignedDistinctAndReused) {
  // A pool never gives its memory back, so this one is never destroyed either.
  static ObjectPool& pool = *new ObjectPool(100);
  std::set<void*> slots;
  for (int i = 0; i < 200; ++i) {
    void* const slot = pool.allocate();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot) % 64, 0U);
    EXPECT_TRUE(slots.insert(slot).second);
  }
  // Neighbours do not overlap.
  std::uintptr_t last = 0;
  for (void* const slot : slots) {
    EXPECT_GE(reinterpret_cast<std::uintptr_t>(slot) - last, 100U);
    last = reinterpret_cast<std::uintptr_t>(slot);
  }
  for (void* const slot : slots) pool.release(slot);
  for (std::size_t i = 0; i < slots.size(); ++i) EXPECT_TRUE(slots.contains(pool.allocate()));
}

}  // namespace
}  // namespace clarity::test
