// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueTask, deprecated by OpenCL 2.0 (OpenCL 3.0, section 5.10).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

const char* const kTaskSource = R"(
kernel void once(global uint* out) {
  out[0] += 1;
  out[1] = get_work_dim();
  out[2] = get_global_size(0);
  out[3] = get_local_size(0);
  out[4] = get_global_id(0);
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void single(global uint* out) { out[0] = 5; }
kernel __attribute__((reqd_work_group_size(2, 1, 1))) void two(global uint* out) { out[0] = 6; }
)";

struct EnqueueTask : OpenCL {
  cl_program program = nullptr;
  cl_kernel once = nullptr;
  cl_mem out = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueTask(q, once, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    program = build(kTaskSource);
    out = bufferOf(std::vector<cl_uint>(5, 0));
    once = withOut("once");
  }
  cl_kernel withOut(const char* name) {
    cl_kernel made = kernel(program, name);
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof out, &out));
    return made;
  }
  cl_int task(cl_kernel which) { return driver->clEnqueueTask(queue, which, 0, nullptr, nullptr); }
};

TEST_F(EnqueueTask, isOneWorkItemInOneDimension) {
  ASSERT_SUCCESS(task(once));
  EXPECT_EQ(read<cl_uint>(out, 5), (std::vector<cl_uint>{1, 1, 1, 1, 0}));
  ASSERT_SUCCESS(task(withOut("single")));
  EXPECT_EQ(read<cl_uint>(out, 1)[0], 5U);
}

TEST_F(EnqueueTask, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_TASK); }

TEST_F(EnqueueTask, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(read<cl_uint>(out, 1)[0], 0U);
}

// command_queue is not a command-queue.
TEST_F(EnqueueTask, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueTask, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// kernel is not a kernel.
TEST_F(EnqueueTask, invalidKernel) {
  for (const auto& bad : badHandles<cl_kernel>(*this))
    EXPECT_CL(CL_INVALID_KERNEL, task(bad.handle)) << "the kernel is " << bad.what;
}

// The kernel belongs to another context.
TEST_F(EnqueueTask, invalidContext) {
  const char* text = "kernel void nothing() {}";
  cl_program theirs = keep(clCreateProgramWithSource(otherContext(), 1, &text, nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(theirs, 0, nullptr, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, task(kernel(theirs, "nothing")));
}

// The program is built for one of two devices.
TEST_F(EnqueueTask, invalidProgramExecutable) {
  const HalfBuilt half(*this);
  if (!half.kernel) GTEST_SKIP() << "the device cannot be divided";
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, driver->clEnqueueTask(half.unbuilt, half.kernel, 0, nullptr, nullptr));
  EXPECT_SUCCESS(driver->clEnqueueTask(half.built, half.kernel, 0, nullptr, nullptr));
}

// An argument was never set.
TEST_F(EnqueueTask, invalidKernelArgs) { EXPECT_CL(CL_INVALID_KERNEL_ARGS, task(kernel(program, "once"))); }

// The kernel requires a work-group of more than one work-item.
TEST_F(EnqueueTask, invalidWorkGroupSize) { EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, task(withOut("two"))); }

// More local memory than the device has; the size can be refused when it is set or when the kernel is enqueued.
TEST_F(EnqueueTask, outOfResources) {
  cl_kernel greedy = kernel("kernel void greedy(local uint* p) { p[0] = 1; }", "greedy");
  const cl_ulong bytes = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  const cl_int error = clSetKernelArg(greedy, 0, bytes + 1, nullptr);
  if (error == CL_MAX_SIZE_RESTRICTION_EXCEEDED) return;
  ASSERT_SUCCESS(error);
  EXPECT_CL(CL_OUT_OF_RESOURCES, task(greedy));
}

}  // namespace
}  // namespace clarity::test
