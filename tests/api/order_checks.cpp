// SPDX-License-Identifier: Apache-2.0
// This file checks the rules that markers and barriers share.
#include "order_checks.h"

namespace clarity::test {

void OrderTest::expectAfterEverything(const Enqueue& enqueue) {
  for (cl_command_queue on : {queue, anyOrder}) {
    cl_event first = userEvent();
    cl_event second = userEvent();
    cl_event a = set(on, 1, {first});
    cl_event b = set(on, 2, {second}, 1);
    cl_event after = enqueued(enqueue, on);
    ASSERT_SUCCESS(clFlush(on));
    EXPECT_TRUE(isPending(after));
    open(first);
    EXPECT_TRUE(isPending(after));
    open(second);
    wait(after);
    EXPECT_EQ(statusOf(a), CL_COMPLETE);
    EXPECT_EQ(statusOf(b), CL_COMPLETE);
  }
}

void OrderTest::expectAfterItsListAlone(const Enqueue& enqueue) {
  cl_event held = userEvent();
  cl_event listed = userEvent();
  cl_event earlier = set(anyOrder, 1, {held});
  cl_event it = enqueued(enqueue, anyOrder, {listed});
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(it));
  open(listed);
  wait(it);
  EXPECT_TRUE(isPending(earlier));
  open(held);
  wait(earlier);
}

}  // namespace clarity::test
