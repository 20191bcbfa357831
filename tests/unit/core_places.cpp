// SPDX-License-Identifier: Apache-2.0
// This file tests which places for content a context has, and that buffers record nothing where there is one.
#include "core/memory.h"
#include "core_fake_device.h"

namespace clarity::test {
namespace {

using core::Memory;
using core::Residency;

/// A device of a test, with a private pool.
struct OwnDevice {
  FakeDevice& fake = *new FakeDevice;
  core::Device& device = *new core::Device(std::unique_ptr<device::Device>(&fake));
  explicit OwnDevice(bool accessible) { fake.pool().accessible = accessible; }
  ~OwnDevice() { device.releaseInternal(); }
};

struct CorePlaces : testing::Test {
  OwnDevice shared{true}, discrete{false};
  std::vector<core::Context*> contexts;

  core::Context& contextOf(std::vector<core::Ref<core::Device>> devices) {
    contexts.push_back(new core::Context(std::move(devices), {}, nullptr, nullptr));
    return *contexts.back();
  }
  ~CorePlaces() override {
    for (core::Context* each : contexts) each->release();
  }
};

TEST_F(CorePlaces, devicesThatShareTheHostsMemoryAreOnePlace) {
  core::Context& context = contextOf({shared.device, shared.device});
  EXPECT_TRUE(context.sharesOneMemory());
  Memory* const memory = new Memory(context, CL_MEM_READ_WRITE, 64, nullptr, {});
  EXPECT_EQ(memory->residency(), nullptr) << "nothing is recorded where content cannot move";
  EXPECT_EQ(shared.fake.pool().allocations, 1);
  EXPECT_NE(memory->at(8).allocation, nullptr) << "operations name the allocation at once";
  memory->release();
}

TEST_F(CorePlaces, aDeviceWithMemoryOfItsOwnAndTheHost) {
  core::Context& context = contextOf({discrete.device});
  EXPECT_FALSE(context.sharesOneMemory());
  EXPECT_EQ(context.places().size(), 2U);
  EXPECT_EQ(context.placeOf(discrete.device), 1U);
  Memory* const memory = new Memory(context, CL_MEM_READ_WRITE, 64, nullptr, {});
  Memory* const part = new Memory(*memory, CL_MEM_READ_WRITE, 32, 32);
  EXPECT_EQ(discrete.fake.pool().allocations, 1) << "so that the application learns at once if there is no memory";
  ASSERT_NE(memory->residency(), nullptr);
  EXPECT_EQ(part->residency(), memory->residency());
  EXPECT_EQ(memory->at(8).allocation, nullptr) << "the place is chosen when a command is ready";
  part->release();
  memory->release();
  EXPECT_EQ(discrete.fake.pool().allocations, 0);
}

TEST_F(CorePlaces, aPoolThatTheHostAccessesIsTheHostsPlace) {
  core::Context& context = contextOf({discrete.device, shared.device});
  EXPECT_EQ(context.places().size(), 2U);
  EXPECT_EQ(context.placeOf(shared.device), Residency::host);
  EXPECT_EQ(&context.deviceAt(1), &discrete.device);
}

TEST_F(CorePlaces, contentThatTheApplicationGivesIsTheHosts) {
  core::Context& context = contextOf({discrete.device});
  char bytes[64] = "content";
  for (const cl_mem_flags flags : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
    Memory* const memory = new Memory(context, flags, sizeof bytes, bytes, {});
    EXPECT_TRUE(memory->residency()->isValid(Residency::host, {0, sizeof bytes}));
    EXPECT_TRUE(memory->residency()->lacks(1, {0, sizeof bytes}));
    EXPECT_STREQ(reinterpret_cast<const char*>(memory->at(0, Residency::host).hostAddress()), bytes);
    memory->release();
  }
}

}  // namespace
}  // namespace clarity::test
