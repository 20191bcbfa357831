// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMFree (OpenCL 3.0, section 5.6.1).
#include "shared_memory.h"

#include <cstdlib>

namespace clarity::test {
namespace {

struct EnqueueSVMFree : SharedMemoryTest {
  struct Freed {
    cl_command_queue queue = nullptr;
    std::vector<void*> pointers;
    bool wasCalled = false;
  };
  static void CL_CALLBACK note(cl_command_queue queue, cl_uint count, void** pointers, void* user) {
    auto& freed = *static_cast<Freed*>(user);
    freed = {queue, std::vector<void*>(pointers, pointers + count), true};
  }
  Freed freed;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    void* nothing[] = {nullptr};
    return driver->clEnqueueSVMFree(q, 1, nothing, note, &freed, n, list, event);
  };
};

TEST_F(EnqueueSVMFree, freesWhenItsTurnHasCome) {
  auto* const memory = static_cast<unsigned char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0));
  auto* const copy = blank();
  std::fill_n(memory, kSize, 3);
  cl_event gate = userEvent();
  void* list[] = {memory, nullptr};
  ASSERT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_FALSE, copy, memory, kSize, 1, &gate, nullptr));
  ASSERT_SUCCESS(clEnqueueSVMFree(queue, 2, list, nullptr, nullptr, 0, nullptr, nullptr));
  list[0] = list[1] = this;  // the list may be reused
  memory[0] = 4;             // the memory is still there
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(copy[0], 4);
  EXPECT_EQ(copy[kSize - 1], 3);
  driver->clSVMFree(context, memory);
  EXPECT_TRUE(wasNotified("freed already")) << "it was not freed";
}

// With a callback nothing is freed but by the callback, which may free memory of the system as well.
TEST_F(EnqueueSVMFree, callsTheFunction) {
  auto* const memory = blank();
  void* const mine = std::malloc(16);
  void* list[] = {memory, mine};
  ASSERT_SUCCESS(clEnqueueSVMFree(queue, 2, list, note, &freed, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_TRUE(freed.wasCalled);
  EXPECT_EQ(freed.queue, queue);
  EXPECT_EQ(freed.pointers, (std::vector<void*>{memory, mine}));
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
  std::free(mine);
}

TEST_F(EnqueueSVMFree, ofNothing) {
  ASSERT_SUCCESS(clEnqueueSVMFree(queue, 0, nullptr, note, &freed, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_TRUE(freed.wasCalled && freed.pointers.empty());
}

TEST_F(EnqueueSVMFree, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_SVM_FREE); }

TEST_F(EnqueueSVMFree, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_FALSE(freed.wasCalled);
}

// command_queue is not a command-queue.
TEST_F(EnqueueSVMFree, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueSVMFree, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// A count without pointers, and pointers without a count.
TEST_F(EnqueueSVMFree, invalidValueOfTheList) {
  void* list[] = {blank()};
  EXPECT_CL(CL_INVALID_VALUE, driver->clEnqueueSVMFree(queue, 0, list, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, driver->clEnqueueSVMFree(queue, 1, nullptr, note, &freed, 0, nullptr, nullptr));
}

// Without a callback every pointer must be one that clSVMAlloc has returned for this context.
TEST_F(EnqueueSVMFree, invalidValueOfAPointer) {
  auto* const memory = blank();
  int mine = 0;
  for (void* const wrong : {static_cast<void*>(&mine), static_cast<void*>(memory + 1), static_cast<void*>(this)}) {
    void* list[] = {memory, wrong};
    EXPECT_CL(CL_INVALID_VALUE, driver->clEnqueueSVMFree(queue, 2, list, nullptr, nullptr, 0, nullptr, nullptr));
    EXPECT_TRUE(wasNotified("svm_pointers[1]")) << allNotified();
  }
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE)) << "nothing was freed";
}

}  // namespace
}  // namespace clarity::test
