// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainEvent (OpenCL 3.0, section 5.11).
#include "references.h"

namespace clarity::test {
namespace {

struct RetainEvent : OpenCL {};

TEST_F(RetainEvent, countsReferences) {
  cl_event command = nullptr;
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &command));
  cl_event user = clCreateUserEvent(context, nullptr);
  for (cl_event event : {command, user}) {
    expectReferencesCounted(event, clRetainEvent, clReleaseEvent, clGetEventInfo, CL_EVENT_REFERENCE_COUNT);
    ASSERT_SUCCESS(clReleaseEvent(event));
  }
}

// event is not an event.
TEST_F(RetainEvent, invalidEvent) { expectRefused(*this, CL_INVALID_EVENT, clRetainEvent, driver->clRetainEvent); }

}  // namespace
}  // namespace clarity::test
