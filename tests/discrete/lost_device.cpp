// SPDX-License-Identifier: Apache-2.0
// This file tests a kernel that faults on one of several devices: the others go on. A GPU is lost for the process by
// that, with others that it has exchanged content with, and what needs it says so.
#include "several_devices.h"

#include <numeric>

namespace clarity::test {
namespace {

struct LostDevice : SeveralDevices {
  static constexpr size_t n = 3000;

  static std::vector<cl_int> numbers(cl_int from = 0) {
    std::vector<cl_int> values(n);
    std::iota(values.begin(), values.end(), from);
    return values;
  }
  static cl_int statusAtEnd(cl_event event) {
    (void)clWaitForEvents(1, &event);
    return statusOf(event);
  }
};

TEST_F(LostDevice, theOthersGoOn) {
  cl_program program = buildForAll(R"(
    kernel void add(global int* values, int amount) { values[get_global_id(0)] += amount; }
    kernel void wild(global int* values) { values[1l << 44] = 1; }
  )");
  const auto add = [&](cl_mem memory, cl_int amount) {
    cl_kernel made = kernel(program, "add");
    setArgs(made, memory, amount);
    return made;
  };
  cl_mem shared = bufferOf(numbers()), ofFirst = bufferOf(numbers()), ofSecond = bufferOf(numbers());
  for (const size_t each : {cpu, second, first}) ASSERT_CL(CL_COMPLETE, statusAtEnd(run(each, add(shared, 1), n)));
  EXPECT_EQ(readOn<cl_int>(cpu, shared, n), numbers(3));  // so the host has it, too
  ASSERT_CL(CL_COMPLETE, statusAtEnd(run(first, add(ofFirst, 1), n)));
  ASSERT_CL(CL_COMPLETE, statusAtEnd(run(second, add(ofSecond, 1), n)));

  device = devices[first];
  const bool isLost = !outlivesFaults();
  cl_kernel wild = kernel(program, "wild");
  setArgs(wild, ofFirst);
  EXPECT_LT(statusAtEnd(run(first, wild, 1)), 0);
  EXPECT_TRUE(wasNotified("wild")) << allNotified();
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[first]));

  // Those that depend on nothing of the device do what they are asked for.
  EXPECT_CL(CL_COMPLETE, statusAtEnd(run(cpu, add(shared, 1), n))) << allNotified();
  EXPECT_EQ(readOn<cl_int>(cpu, shared, n), numbers(4));
  EXPECT_EQ(readOn<cl_int>(cpu, bufferOf(numbers(9)), n), numbers(9)) << "a new buffer";
  if (!isLost) {
    EXPECT_CL(CL_COMPLETE, statusAtEnd(run(second, add(shared, 1), n)));
    EXPECT_CL(CL_COMPLETE, statusAtEnd(run(second, add(ofSecond, 1), n)));
    EXPECT_EQ(readOn<cl_int>(cpu, ofSecond, n), numbers(2));
    EXPECT_CL(CL_COMPLETE, statusAtEnd(run(first, add(ofFirst, 1), n)));
    EXPECT_EQ(readOn<cl_int>(second, ofFirst, n), numbers(2));
    return;
  }
  // Content that it alone had is gone, and it takes no more commands; nothing hangs and nothing ends.
  cl_int value = 0;
  EXPECT_NE(clEnqueueReadBuffer(queues[cpu], ofFirst, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(wasNotified("cannot be used any more")) << allNotified();
  const size_t global = n;
  cl_event refused = nullptr;
  if (clEnqueueNDRangeKernel(queues[first], add(shared, 1), 1, nullptr, &global, nullptr, 0, nullptr, &refused) ==
      CL_SUCCESS)
    EXPECT_LT(statusAtEnd(keep(refused)), 0);
  EXPECT_EQ(readOn<cl_int>(cpu, shared, n), numbers(4));
}

}  // namespace
}  // namespace clarity::test
