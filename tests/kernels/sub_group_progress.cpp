// SPDX-License-Identifier: Apache-2.0
// This file tests that sub-groups of a work-group make progress independently of each other (OpenCL 3.0,
// section 3.2.2): kernels whose sub-groups wait for one another, in orders that no fixed order of execution satisfies.
#include "group_launches.h"

namespace {

using groups::Range;

const char* const optionSets[] = {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=4",
                                  "-cl-clarity-packet-width=16", "-cl-opt-disable"};

/// Whole and partial sub-groups, in one to three dimensions, and a work-group that is one sub-group.
const Range waitingRanges[] = {{{4, 1, 1}, {4, 1, 1}},
                               {{100, 1, 1}, {64, 1, 1}},
                               {{16, 6, 1}, {16, 3, 1}},
                               {{10, 6, 2}, {5, 3, 2}},
                               {{600, 1, 1}, {300, 1, 1}}};

class SubGroupProgress : public groups::Launches {
protected:
  /// The kernel returns 1 for every work-item that has seen what it should.
  void expectAllRight(const std::string& source) {
    for (const char* options : optionSets) {
      build(source, options);
      for (const Range& range : waitingRanges) {
        if (HasFailure()) return;
        SCOPED_TRACE(groups::text(range) + ", options '" + options + "'");
        const std::vector<cl_uint> in(range.items());
        EXPECT_EQ(run<cl_uint>("test", range, in, 1), std::vector<cl_uint>(range.items(), 1));
      }
    }
  }
};

TEST_F(SubGroupProgress, waitsForLaterSubGroups) {
  expectAllRight(R"(
kernel void test(global const uint *in, global uint *out) {
  local atomic_uint turn;
  const uint id = get_sub_group_id(), last = get_num_sub_groups() - 1;
  float kept[9];
  for (int i = 0; i < 9; ++i) kept[i] = id + i;
  if (get_local_linear_id() == 0) atomic_init(&turn, last);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) while (atomic_load(&turn) != id) ;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  const uint seen = atomic_load(&turn);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) atomic_store(&turn, id - 1);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  const int at = (id + get_sub_group_local_id()) % 9;
  RESULT(0) = seen == id && atomic_load(&turn) == (uint)-1 && kept[at] == id + at;
})");
}

/// Turns in both directions: no order of the sub-groups, each run to its end, would do.
TEST_F(SubGroupProgress, passesABallAround) {
  expectAllRight(R"(
kernel void test(global const uint *in, global uint *out) {
  local atomic_uint ball;
  const uint id = get_sub_group_id(), n = get_num_sub_groups();
  if (get_local_linear_id() == 0) atomic_init(&ball, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  uint right = 1;
  for (uint round = 0; round < 5; ++round) {
    const uint turn = round * n + (round & 1 ? n - 1 - id : id);
    if (sub_group_elect()) {
      uint expected = turn;
      while (!atomic_compare_exchange_strong(&ball, &expected, turn)) {
        right &= expected < turn;
        expected = turn;
      }
    }
    right &= sub_group_broadcast(right, 0);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (sub_group_elect()) atomic_store(&ball, turn + 1);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  RESULT(0) = right && atomic_load(&ball) == 5 * n;
})");
}

/// Flags in global memory, one a work-group, read from volatile memory; the region that waits calls no sub-group
/// function.
TEST_F(SubGroupProgress, waitsOnVolatileMemory) {
  for (const char* options : optionSets) {
    build(R"(
kernel void test(global const uint *in, global uint *out, volatile global uint *flags) {
  const uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
  const uint id = get_sub_group_id(), last = get_num_sub_groups() - 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (id != last) {
    while (flags[group] == 0) ;
    RESULT(0) = flags[group] == group + 1;
  } else {
    flags[group] = group + 1;
    RESULT(0) = 1;
  }
})",
          options);
    for (const Range& range : waitingRanges) {
      if (HasFailure()) return;
      SCOPED_TRACE(groups::text(range) + ", options '" + options + "'");
      std::vector<cl_uint> in(range.items()), out(range.items());
      cl_mem flags = bufferOf(std::vector<cl_uint>(64)), input = bufferOf(in), output = bufferOf(out);
      launch("test", {range.global.begin(), range.global.end()}, {range.local.begin(), range.local.end()}, input,
             output, flags);
      take(output, out);
      EXPECT_EQ(out, std::vector<cl_uint>(range.items(), 1));
      clReleaseMemObject(flags);
      clReleaseMemObject(input);
    }
  }
}

/// A lock that a sub-group holds while it waits for another one.
TEST_F(SubGroupProgress, holdsALockMeanwhile) {
  expectAllRight(R"(
kernel void test(global const uint *in, global uint *out) {
  local atomic_int lock, arrived;
  local uint counted;
  const uint n = get_num_sub_groups();
  if (get_local_linear_id() == 0) atomic_init(&lock, 0), atomic_init(&arrived, 0), counted = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) {
    atomic_fetch_add(&arrived, 1);
    while (atomic_exchange(&lock, 1)) ;
    while (atomic_load(&arrived) != n) ;
    ++counted;
    atomic_store(&lock, 0);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  RESULT(0) = counted == n;
})");
}

/// So many on each thread that whatever a sub-group left behind would add up.
TEST_F(SubGroupProgress, manyOneAfterTheOther) {
  build(R"(
kernel void test(global const uint *in, global uint *out) {
  local atomic_uint turn;
  const uint id = get_sub_group_id(), last = get_num_sub_groups() - 1;
  if (get_local_linear_id() == 0) atomic_init(&turn, last);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) while (atomic_load(&turn) != id) ;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  RESULT(0) = atomic_load(&turn) == id;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) atomic_store(&turn, id - 1);
})",
        "-cl-clarity-packet-width=1");
  const Range range{{1 << 19, 1, 1}, {64, 1, 1}};
  const std::vector<cl_uint> in(range.items());
  EXPECT_EQ(run<cl_uint>("test", range, in, 1), std::vector<cl_uint>(range.items(), 1));
}

/// A fault ends the launch while other sub-groups wait, and says what it was; the next launch is whole.
TEST(SubGroupFaults, endsALaunchInWhichOthersWait) {
  cl_platform_id platform;
  cl_device_id device;
  ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
  cl_device_type type = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "a fault takes the device from the process";
  std::string notified;
  cl_context context = clCreateContext(
      nullptr, 1, &device,
      [](const char* text, const void*, std::size_t, void* out) { *static_cast<std::string*>(out) += text; }, &notified,
      nullptr);
  const char* source = R"(
kernel void test(global uint* out, ulong bad) {
  local atomic_uint done;
  if (get_local_linear_id() == 0) atomic_init(&done, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  const bool last = get_sub_group_id() == get_num_sub_groups() - 1;
  if (last && bad) *(global uint*)bad = 1;
  if (last) atomic_store(&done, 1);
  else while (atomic_load(&done) == 0) ;
  out[get_global_id(0)] = 1;
})";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "test", nullptr);
  const std::size_t global = 256, local = 128;
  for (const bool faulty : {false, true, false, true, false}) {
    SCOPED_TRACE(faulty);
    notified.clear();
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    std::vector<cl_uint> out(global);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, global * sizeof(cl_uint), out.data(), nullptr);
    const cl_ulong bad = faulty ? 4096 : 0;
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, sizeof bad, &bad);
    cl_event event;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, &event), CL_SUCCESS);
    clWaitForEvents(1, &event);
    cl_int status = CL_COMPLETE;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (faulty) {
      EXPECT_EQ(status, CL_INVALID_OPERATION);
      EXPECT_NE(notified.find("wrote to address 0x1000"), std::string::npos) << notified;
    } else {
      EXPECT_EQ(status, CL_COMPLETE) << notified;
      EXPECT_EQ(
          clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, global * sizeof(cl_uint), out.data(), 0, nullptr, nullptr),
          CL_SUCCESS);
      EXPECT_EQ(out, std::vector<cl_uint>(global, 1));
    }
    clFinish(queue);  // tells a failure: the command-queue goes on
    clReleaseEvent(event);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
  }
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseContext(context);
}

}  // namespace
