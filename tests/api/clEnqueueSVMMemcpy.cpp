// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMemcpy (OpenCL 3.0, section 5.6.1).
#include "shared_memory.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueSVMMemcpy : SharedMemoryTest {
  unsigned char* to = nullptr;
  unsigned char* from = nullptr;
  std::vector<unsigned char> mine = countingBytes(kSize);
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueSVMMemcpy(q, CL_FALSE, to, from, kSize, n, list, event);
  };
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueSVMMemcpy(q, CL_TRUE, to, from, kSize, n, list, event);
  };

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    to = blank();
    from = allocated(kSize);
    std::copy(mine.begin(), mine.end(), from);
  }
  cl_int copy(void* a, const void* b, size_t size, cl_bool wait = CL_TRUE) {
    return driver->clEnqueueSVMMemcpy(queue, wait, a, b, size, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueSVMMemcpy, betweenAnyTwoPlaces) {
  ASSERT_SUCCESS(copy(to, from, kSize));
  EXPECT_EQ(bytesAt(to), mine);
  ASSERT_SUCCESS(copy(to + 5, from + 11, 100));  // from the middle of one to the middle of the other
  EXPECT_EQ(bytesAt(to + 5, 100), bytesAt(from + 11, 100));
  std::vector<unsigned char> host(kSize);
  ASSERT_SUCCESS(copy(host.data(), from, kSize));
  EXPECT_EQ(host, mine);
  host.assign(kSize, 1);
  ASSERT_SUCCESS(copy(to, host.data(), kSize));
  EXPECT_EQ(bytesAt(to), host);
  ASSERT_SUCCESS(copy(host.data(), mine.data(), kSize));  // neither is shared memory
  EXPECT_EQ(host, mine);
  ASSERT_SUCCESS(copy(to + 8, to, 8));  // beside each other in one allocation
}

TEST_F(EnqueueSVMMemcpy, ofNoBytes) {
  ASSERT_SUCCESS(copy(to, from, 0));
  ASSERT_SUCCESS(copy(to, to, 0));
  EXPECT_EQ(bytesAt(to), std::vector<unsigned char>(kSize, 0xEE));
}

TEST_F(EnqueueSVMMemcpy, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_SVM_MEMCPY); }

TEST_F(EnqueueSVMMemcpy, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(bytesAt(to), std::vector<unsigned char>(kSize, 0xEE));
  expectBlockingEnqueueSeesError(*this, blocking);
}

// command_queue is not a command-queue.
TEST_F(EnqueueSVMMemcpy, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueSVMMemcpy, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// No place to copy to or from.
TEST_F(EnqueueSVMMemcpy, invalidValueOfNull) {
  EXPECT_CL(CL_INVALID_VALUE, copy(nullptr, from, 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(to, nullptr, 4));
}

// The bytes reach beyond an allocation, at either end.
TEST_F(EnqueueSVMMemcpy, invalidValueOutOfBounds) {
  std::vector<unsigned char> large(2 * kSize);
  EXPECT_CL(CL_INVALID_VALUE, copy(to, large.data(), kSize + 1));
  EXPECT_CL(CL_INVALID_VALUE, copy(to + 1, large.data(), kSize));
  EXPECT_CL(CL_INVALID_VALUE, copy(large.data(), from + kSize - 1, 2));
  EXPECT_CL(CL_INVALID_VALUE, copy(large.data(), from, SIZE_MAX));
  EXPECT_TRUE(wasNotifiedOf(kSize)) << allNotified();
}

TEST_F(EnqueueSVMMemcpy, memCopyOverlap) {
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(to, to, 1));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(to, to + 7, 8));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(to + 7, to, 8));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(mine.data() + 1, mine.data(), 2));
}

// The application's memory is not there: the command ends with an error, not the process.
TEST_F(EnqueueSVMMemcpy, ofMemoryThatIsNotThere) {
  auto* const nowhere = reinterpret_cast<unsigned char*>(std::uintptr_t{4096});
  EXPECT_NE(copy(to, nowhere, 64), CL_SUCCESS);
  EXPECT_SUCCESS(copy(to, from, 64));
}

}  // namespace
}  // namespace clarity::test
