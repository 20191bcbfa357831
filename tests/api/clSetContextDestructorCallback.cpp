// SPDX-License-Identifier: Apache-2.0
// This file tests clSetContextDestructorCallback (OpenCL 3.0, section 4.4).
#include "fixture.h"

namespace clarity::test {
namespace {

struct Call {
  std::vector<int>* order;
  int number;
  cl_context seen = nullptr;
  static void CL_CALLBACK add(cl_context context, void* data) {
    auto* self = static_cast<Call*>(data);
    self->seen = context;
    self->order->push_back(self->number);
  }
};

struct SetContextDestructorCallback : OpenCL {
  std::vector<int> order;
  std::vector<Call> calls{{&order, 1}, {&order, 2}, {&order, 3}};
  cl_context made() { return clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr); }
};

// The callbacks are called once, at the end, the last registered first.
TEST_F(SetContextDestructorCallback, callsInReverseOrder) {
  cl_context own = made();
  ASSERT_NE(own, nullptr);
  for (Call& each : calls) EXPECT_SUCCESS(clSetContextDestructorCallback(own, &Call::add, &each));
  EXPECT_TRUE(order.empty());
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_EQ(order, (std::vector{3, 2, 1}));
  EXPECT_EQ(calls[0].seen, own);
}

TEST_F(SetContextDestructorCallback, waitsForTheLastReference) {
  cl_context own = made();
  ASSERT_NE(own, nullptr);
  EXPECT_SUCCESS(clSetContextDestructorCallback(own, &Call::add, &calls[0]));
  EXPECT_SUCCESS(clRetainContext(own));
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_TRUE(order.empty());
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_EQ(order, std::vector{1});
}

// A context is destroyed after its objects.
TEST_F(SetContextDestructorCallback, waitsForTheObjects) {
  cl_context own = made();
  ASSERT_NE(own, nullptr);
  cl_mem memory = clCreateBuffer(own, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  ASSERT_NE(memory, nullptr);
  EXPECT_SUCCESS(clSetContextDestructorCallback(own, &Call::add, &calls[0]));
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_TRUE(order.empty());
  EXPECT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(order, std::vector{1});
}

// context is not a valid context.
TEST_F(SetContextDestructorCallback, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, clSetContextDestructorCallback(nullptr, &Call::add, &calls[0]));
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clSetContextDestructorCallback(nullptr, &Call::add, &calls[0]));
  EXPECT_CL(CL_INVALID_CONTEXT, clSetContextDestructorCallback(notAnObject<cl_context>(), &Call::add, &calls[0]));
}

// pfn_notify is NULL.
TEST_F(SetContextDestructorCallback, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, clSetContextDestructorCallback(context, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
