// SPDX-License-Identifier: Apache-2.0
// This file tests clFinish (OpenCL 3.0, section 5.15).
#include "order_checks.h"

#include <thread>

namespace clarity::test {
namespace {

struct Finish : OrderTest {};

TEST_F(Finish, everythingIsCompleteAfterIt) {
  for (cl_command_queue on : {queue, anyOrder}) {
    std::vector<cl_event> events;
    for (cl_uint i = 0; i < 50; ++i) events.push_back(set(on, i, {}, i));
    ASSERT_SUCCESS(clFinish(on));
    for (cl_event each : events) EXPECT_EQ(statusOf(each), CL_COMPLETE);
  }
}

TEST_F(Finish, anEmptyQueueAndTwice) {
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(anyOrder));
}

// It waits for what another thread holds back.
TEST_F(Finish, waitsForAUserEventOfAnotherThread) {
  cl_event gate = userEvent();
  cl_event held = set(queue, 1, {gate});
  std::thread other([&] { clSetUserEventStatus(gate, CL_COMPLETE); });
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(statusOf(held), CL_COMPLETE);
  other.join();
}

// A command that waits for one of another queue is waited for, and that one with it.
TEST_F(Finish, reachesIntoOtherQueues) {
  cl_event first = set(anyOrder, 1);
  set(queue, 2, {first});
  ASSERT_SUCCESS(clFlush(anyOrder));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(statusOf(first), CL_COMPLETE);
  EXPECT_EQ(value(), 2U);
}

TEST_F(Finish, fromSeveralThreadsAtOnce) {
  cl_event gate = userEvent();
  std::vector<cl_event> events;
  for (cl_uint i = 0; i < 10; ++i) events.push_back(set(queue, i, {gate}));
  std::vector<std::thread> threads;
  std::vector<cl_int> codes(4, CL_INVALID_VALUE);
  for (size_t t = 0; t < codes.size(); ++t) threads.emplace_back([&, t] { codes[t] = clFinish(queue); });
  open(gate);
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(codes, std::vector<cl_int>(codes.size(), CL_SUCCESS));
  for (cl_event each : events) EXPECT_EQ(statusOf(each), CL_COMPLETE);
}

// command_queue is not a command-queue.
TEST_F(Finish, invalidCommandQueue) {
  for (const auto& bad : badHandles<cl_command_queue>(*this))
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clFinish(bad.handle)) << "the command-queue is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
