// SPDX-License-Identifier: Apache-2.0
// This file tests the memory of buffers and sub-buffers, their mappings and destructor callbacks.
#include "core/memory.h"
#include "core_fake_device.h"

namespace clarity::test {
namespace {

using core::Memory;

/// Where the host finds a memory object's first byte.
std::byte* addressOf(const Memory& memory) { return memory.at(0).hostAddress(); }

core::Rectangle region(std::size_t offset, std::size_t size) { return {.begin = offset, .size = {size, 1, 1}}; }

struct CoreMemory : FakeContext {
  Memory* make(cl_mem_flags flags, std::size_t size, void* host = nullptr) {
    return new Memory(*context, flags, size, host, {});
  }
};

TEST_F(CoreMemory, OwnMemoryIsGivenBackOnce) {
  Memory* const memory = make(CL_MEM_READ_WRITE, 100);
  EXPECT_EQ(pool.allocations, 1);
  EXPECT_NE(addressOf(*memory), nullptr);
  EXPECT_EQ(memory->hostPtr(), nullptr);
  memory->release();
  EXPECT_EQ(pool.allocations, 0);
}

TEST_F(CoreMemory, HostMemoryIsUsedInPlaceOrCopied) {
  char host[64] = "from the host";
  Memory* const used = make(CL_MEM_USE_HOST_PTR, sizeof host, host);
  EXPECT_EQ(static_cast<void*>(addressOf(*used)), host);
  EXPECT_EQ(used->hostPtr(), host);
  EXPECT_EQ(pool.allocations, 0);
  Memory* const copied = make(CL_MEM_COPY_HOST_PTR, sizeof host, host);
  EXPECT_NE(static_cast<void*>(addressOf(*copied)), host);
  EXPECT_STREQ(reinterpret_cast<const char*>(addressOf(*copied)), "from the host");
  EXPECT_EQ(copied->hostPtr(), nullptr);
  used->release();
  copied->release();
  EXPECT_EQ(pool.allocations, 0);
}

TEST_F(CoreMemory, NoMemoryAndUnreadableHostMemoryLeaveNothingBehind) {
  expectError(CL_MEM_OBJECT_ALLOCATION_FAILURE, "2097152 bytes", [&] { make(0, 2 << 20); });
  pool.failCopies = true;
  char host[8] = {};
  expectError(CL_OUT_OF_RESOURCES, "cannot be read", [&] { make(CL_MEM_COPY_HOST_PTR, sizeof host, host); });
  EXPECT_EQ(pool.allocations, 0);
}

TEST_F(CoreMemory, SubBufferKeepsItsParentAlive) {
  Memory* const parent = make(CL_MEM_READ_WRITE, 1024);
  Memory* const part = new Memory(*parent, CL_MEM_READ_ONLY, 256, 128);
  EXPECT_EQ(addressOf(*part), addressOf(*parent) + 256);
  EXPECT_EQ(&part->root(), parent);
  EXPECT_NE(part->serial(), parent->serial());
  parent->release();
  EXPECT_EQ(pool.allocations, 1);
  std::memset(addressOf(*part), 1, part->size());
  part->release();
  EXPECT_EQ(pool.allocations, 0);
}

TEST_F(CoreMemory, SubBufferOfHostMemoryMovesTheHostPointer) {
  char host[512];
  Memory* const parent = make(CL_MEM_USE_HOST_PTR, sizeof host, host);
  Memory* const part = new Memory(*parent, CL_MEM_USE_HOST_PTR, 128, 64);
  EXPECT_EQ(part->hostPtr(), host + 128);
  parent->release();
  part->release();
}

TEST_F(CoreMemory, MappingsAreCountedEachByItself) {
  Memory* const memory = make(0, 256);
  void* const a = memory->map(region(0, 16), CL_MAP_READ);
  void* const again = memory->map(region(0, 32), CL_MAP_READ);
  void* const b = memory->map(region(64, 16), CL_MAP_WRITE);
  EXPECT_EQ(a, again);
  EXPECT_EQ(b, addressOf(*memory) + 64);
  EXPECT_EQ(memory->mapCount(), 3U);
  const auto unmapped = memory->unmap(a);
  ASSERT_TRUE(unmapped);
  EXPECT_EQ(unmapped->region.begin, 0U);
  EXPECT_FALSE(unmapped->forWriting);
  EXPECT_TRUE(memory->isMapped(a));
  EXPECT_TRUE(memory->unmap(a));
  EXPECT_FALSE(memory->unmap(a));
  EXPECT_FALSE(memory->unmap(addressOf(*memory) + 65));
  EXPECT_EQ(memory->mapCount(), 1U);
  memory->release();
}

struct Called {
  std::vector<int>* order;
  int number;
  int* allocations;
};

void CL_CALLBACK note(cl_mem, void* data) {
  const auto* const called = static_cast<const Called*>(data);
  called->order->push_back(called->number);
  EXPECT_EQ(*called->allocations, 1) << "callbacks come before the memory is freed";
}

TEST_F(CoreMemory, DestructorCallbacksRunBackwardsBeforeTheMemoryGoes) {
  std::vector<int> order;
  Called called[3];
  Memory* const memory = make(0, 64);
  for (int i = 0; i < 3; ++i) {
    called[i] = {&order, i, &pool.allocations};
    memory->destructorCallbacks().push(note, &called[i]);
  }
  {
    const core::Ref<Memory> command(*memory);
    memory->release();
    EXPECT_TRUE(order.empty()) << "a command still uses it";
  }
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(pool.allocations, 0);
}

TEST_F(CoreMemory, ContextOutlivesWhatIsMadeInIt) {
  int destroyed = 0;
  auto* const other = new core::Context({device}, {}, nullptr, nullptr);
  other->destructorCallbacks().push([](cl_context, void* data) { ++*static_cast<int*>(data); }, &destroyed);
  auto* const memory = new Memory(*other, 0, 64, nullptr, {});
  other->release();
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(core::Context::fromHandle(other->handOut()).get(), other);
  memory->release();
  EXPECT_EQ(destroyed, 1);
  EXPECT_FALSE(core::Context::fromHandle(other->handle()));
}

}  // namespace
}  // namespace clarity::test
