// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMigrateMemObjects (OpenCL 3.0, section 5.5.4).
#include "enqueue_checks.h"

#include <array>

namespace clarity::test {
namespace {

struct EnqueueMigrateMemObjects : OpenCL {
  const std::vector<unsigned char> contents = countingBytes(256);
  std::array<cl_mem, 2> memory{};
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueMigrateMemObjects(q, 2, memory.data(), 0, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = {bufferOf(contents), buffer(64)};
  }

  cl_int migrate(cl_uint count, const cl_mem* list, cl_mem_migration_flags flags) {
    return driver->clEnqueueMigrateMemObjects(queue, count, list, flags, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueMigrateMemObjects, keepsTheContents) {
  for (cl_mem_migration_flags flags : {cl_mem_migration_flags{0}, cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST}}) {
    ASSERT_SUCCESS(migrate(1, memory.data(), flags));
    EXPECT_EQ(read<unsigned char>(memory[0], contents.size()), contents) << "flags " << flags;
  }
}

TEST_F(EnqueueMigrateMemObjects, everyFlag) {
  EXPECT_SUCCESS(migrate(2, memory.data(), CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED));
  EXPECT_SUCCESS(migrate(2, memory.data(), CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED));
  EXPECT_SUCCESS(clFinish(queue));
}

TEST_F(EnqueueMigrateMemObjects, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_MIGRATE_MEM_OBJECTS);
}

TEST_F(EnqueueMigrateMemObjects, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }

// command_queue is not a command-queue.
TEST_F(EnqueueMigrateMemObjects, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueMigrateMemObjects, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// A memory object belongs to another context.
TEST_F(EnqueueMigrateMemObjects, invalidContext) {
  const std::array<cl_mem, 2> list{memory[0], bufferOfAnotherContext(*this, 64)};
  EXPECT_CL(CL_INVALID_CONTEXT, migrate(2, list.data(), 0));
}

// An element of the list is not a memory object.
TEST_F(EnqueueMigrateMemObjects, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this)) {
    const std::array<cl_mem, 2> list{memory[0], bad.handle};
    EXPECT_CL(CL_INVALID_MEM_OBJECT, migrate(2, list.data(), 0)) << "an element is " << bad.what;
  }
}

// No memory objects, or flags that are none.
TEST_F(EnqueueMigrateMemObjects, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, migrate(0, memory.data(), 0));
  EXPECT_CL(CL_INVALID_VALUE, migrate(0, nullptr, 0));
  EXPECT_CL(CL_INVALID_VALUE, migrate(1, nullptr, 0));
  EXPECT_CL(CL_INVALID_VALUE, migrate(1, memory.data(), cl_mem_migration_flags{1} << 20));
}

}  // namespace
}  // namespace clarity::test
