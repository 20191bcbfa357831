// SPDX-License-Identifier: Apache-2.0
// This file tests errors on the discrete device: operations and transfers that fail, and memory that is not there.
#include "several_devices.h"

#include <numeric>

namespace clarity::test {
namespace {

constexpr const char* addSource =
    "kernel void add(global int* values, int amount) { values[get_global_id(0)] += amount; }";

struct Errors : DiscreteDevices {
  static constexpr size_t n = 500;
  static constexpr size_t bytes = n * sizeof(cl_int);

  static std::vector<cl_int> numbers(cl_int from = 0) {
    std::vector<cl_int> values(n);
    std::iota(values.begin(), values.end(), from);
    return values;
  }
  cl_kernel add(cl_mem memory, cl_int amount) {
    if (!program_) program_ = buildForAll(addSource);
    cl_kernel made = kernel(program_, "add");
    setArgs(made, memory, amount);
    return made;
  }
  cl_int waitFor(cl_event event) {
    clWaitForEvents(1, &event);
    return statusOf(event);
  }

private:
  cl_program program_ = nullptr;
};

TEST_F(Errors, anOperationThatFailsEndsItsEventAndThoseThatWaitForIt) {
  cl_mem memory = bufferOf(numbers());
  cl_mem other = bufferOf(numbers());
  ASSERT_SUCCESS(clEnqueueMigrateMemObjects(queues[first], 1, &memory, 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  failOperation(1);
  cl_event failed = run(first, add(memory, 1), n);
  cl_event after = run(second, add(other, 1), n, {failed});
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &after));
  EXPECT_CL(CL_OUT_OF_RESOURCES, statusOf(failed));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(after));
  EXPECT_EQ(readOn<cl_int>(cpu, other, n), numbers()) << "a command after a failed one does not run";
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[first])) << "a failure is reported once";
  EXPECT_SUCCESS(clFinish(queues[first]));
}

// Commands after a failure in the command-queue do not run, until clFinish has told the failure. A device that orders
// operations itself may have begun it: then its event says so.
TEST_F(Errors, theNextCommandOfTheQueueFails) {
  cl_mem a = bufferOf(numbers()), b = bufferOf(numbers());
  for (cl_mem each : {a, b})
    ASSERT_SUCCESS(clEnqueueMigrateMemObjects(queues[first], 1, &each, 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  failOperation(1);
  cl_event failed = run(first, add(a, 1), n), next = run(first, add(b, 1), n);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, waitFor(next));
  EXPECT_CL(CL_OUT_OF_RESOURCES, statusOf(failed));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[first]));
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(a, 1), n)));
}

// A transfer that fails ends the command that needed it. Content stays where it was, and the next command fetches it.
TEST_F(Errors, aTransferToTheDeviceThatFails) {
  cl_mem memory = bufferOf(numbers());
  failOperation(1);
  EXPECT_CL(CL_OUT_OF_RESOURCES, waitFor(run(first, add(memory, 1), n)));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[first]));
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(memory, 2), n)));
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers(2));
}

TEST_F(Errors, aTransferToTheHostThatFails) {
  cl_mem memory = bufferOf(numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(memory, 1), n)));
  failOperation(1);
  EXPECT_CL(CL_OUT_OF_RESOURCES, waitFor(run(cpu, add(memory, 1), n)));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[cpu]));
  EXPECT_EQ(readOn<cl_int>(first, memory, n), numbers(1));
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers(1));
}

// From device to device, the second leg fails: the content is at the first device and on the host.
TEST_F(Errors, aTransferBetweenDevicesThatFailsHalfWay) {
  cl_mem memory = bufferOf(numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(memory, 1), n)));
  failOperation(2);
  EXPECT_CL(CL_OUT_OF_RESOURCES, waitFor(run(second, add(memory, 1), n)));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[second]));
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers(1));
  EXPECT_EQ(readOn<cl_int>(first, memory, n), numbers(1));
  EXPECT_CL(CL_COMPLETE, waitFor(run(second, add(memory, 1), n)));
  EXPECT_EQ(readOn<cl_int>(first, memory, n), numbers(2));
}

TEST_F(Errors, aMapWhoseTransferFails) {
  cl_mem memory = bufferOf(numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(memory, 1), n)));
  failOperation(1);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queues[first], memory, CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &error),
            nullptr);
  EXPECT_CL(CL_OUT_OF_RESOURCES, error);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U);
  EXPECT_EQ(readOn<cl_int>(second, memory, n), numbers(1));
}

TEST_F(Errors, aBlockingReadThatFailsReportsIt) {
  cl_mem memory = bufferOf(numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(memory, 1), n)));
  std::vector<cl_int> values(n);
  failOperation(1);
  EXPECT_CL(CL_OUT_OF_RESOURCES,
            clEnqueueReadBuffer(queues[first], memory, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr));
  EXPECT_EQ(readOn<cl_int>(first, memory, n), numbers(1));
}

// The second device has no memory for the buffer: the call that would use it there says so, and nothing else changes.
TEST_F(Errors, noMemoryOnTheDevice) {
  cl_mem memory = bufferOf(numbers());
  cl_kernel kernel = add(memory, 1);
  const size_t global = n;
  failAllocation(1);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            clEnqueueNDRangeKernel(queues[second], kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[second]));
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(second, kernel, n)));
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers(1));
}

// A fault in a kernel on the discrete device ends the command, not the process.
TEST_F(Errors, aFaultInAKernel) {
  cl_mem memory = bufferOf(numbers());
  cl_kernel wild = kernelForAll("kernel void wild(global int* values) { values[(long)(1ul << 44)] = 1; }", "wild");
  setArgs(wild, memory);
  EXPECT_LT(waitFor(run(first, wild, 1)), 0);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queues[first]));
  cl_mem other = bufferOf(numbers());
  EXPECT_CL(CL_COMPLETE, waitFor(run(first, add(other, 1), n)));
  EXPECT_EQ(readOn<cl_int>(second, other, n), numbers(1));
}

// Whatever fails, nothing waits for ever and the content is what the commands that did not fail have made of it.
TEST_F(Errors, everyOperationInTurn) {
  for (unsigned failing = 1; failing <= 12; ++failing) {
    SCOPED_TRACE("operation " + std::to_string(failing));
    cl_mem memory = bufferOf(numbers());
    failOperation(failing);
    cl_int sum = 0;
    for (const size_t device : {first, second, first, cpu, second, first}) {
      // A failed kernel did not run (the discrete device fails instead of running), a failed transfer lost nothing.
      if (waitFor(run(device, add(memory, 1), n)) == CL_COMPLETE) ++sum;
      clFinish(queues[device]);
    }
    failOperation(0);
    EXPECT_GE(sum, 5);
    EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers(sum));
  }
}

}  // namespace
}  // namespace clarity::test
