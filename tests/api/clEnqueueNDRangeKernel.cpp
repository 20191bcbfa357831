// SPDX-License-Identifier: Apache-2.0
// This file tests the error codes of clEnqueueNDRangeKernel (OpenCL 3.0, section 5.10) and the rules that it shares
// with the other enqueue functions. Ids that work-items see are tested in clEnqueueNDRangeKernel.ranges.cpp, kernels
// that fault in clEnqueueNDRangeKernel.faults.cpp.
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

const char* const kLaunchSource = R"(
kernel void fill(global uint* out, uint value) { out[get_global_id(0)] = value; }
kernel void nothing() {}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global uint* out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1);
}
kernel void borrows(local uint* scratch, global uint* out) {
  scratch[get_local_id(0)] = 1;
  out[get_global_id(0)] = scratch[get_local_id(0)];
}
kernel void pair(global const uint* a, global uint* b, uint n) { if (get_global_id(0) < n) b[get_global_id(0)] = a[0]; }
)";

struct EnqueueNDRangeKernel : OpenCL {
  static constexpr size_t kCount = 64;
  cl_program program = nullptr;
  cl_kernel fill = nullptr;
  cl_kernel nothing = nullptr;
  cl_mem out = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const size_t global = kCount;
    return driver->clEnqueueNDRangeKernel(q, fill, 1, nullptr, &global, nullptr, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    program = build(kLaunchSource);
    fill = kernel(program, "fill");
    nothing = kernel(program, "nothing");
    out = bufferOf(std::vector<cl_uint>(kCount, 0));
    setFill(7);
  }
  void setFill(cl_uint value) {
    ASSERT_SUCCESS(clSetKernelArg(fill, 0, sizeof out, &out));
    ASSERT_SUCCESS(clSetKernelArg(fill, 1, sizeof value, &value));
  }

  using Sizes = std::vector<size_t>;
  cl_int run(cl_kernel which, const Sizes& global, const Sizes& local = {}, const Sizes& offset = {}) {
    return driver->clEnqueueNDRangeKernel(queue, which, static_cast<cl_uint>(global.size()),
                                          offset.empty() ? nullptr : offset.data(), global.data(),
                                          local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueNDRangeKernel, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_NDRANGE_KERNEL);
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 7));
}

TEST_F(EnqueueNDRangeKernel, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 0)) << "a command that was terminated has run";
}

// The arguments are those of the moment of the call.
TEST_F(EnqueueNDRangeKernel, argumentsAreTakenWhenItIsEnqueued) {
  cl_event gate = userEvent();
  const size_t half = kCount / 2;
  cl_mem other = bufferOf(std::vector<cl_uint>(kCount, 0));
  setFill(11);
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &kCount, nullptr, 1, &gate, nullptr));
  setFill(22);
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &half, nullptr, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clSetKernelArg(fill, 0, sizeof other, &other));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clFinish(queue));
  std::vector<cl_uint> wanted(kCount, 11);
  std::fill_n(wanted.begin(), half, 22);
  EXPECT_EQ(read<cl_uint>(out, kCount), wanted);
  EXPECT_EQ(read<cl_uint>(other, kCount), std::vector<cl_uint>(kCount, 0));
}

TEST_F(EnqueueNDRangeKernel, aNullBufferArgumentIsANullPointer) {
  cl_kernel tell = kernel("kernel void tell(global uint* p, global uint* out) { out[0] = p == 0 ? 1 : 2; }", "tell");
  ASSERT_SUCCESS(clSetKernelArg(tell, 0, sizeof(cl_mem), nullptr));
  ASSERT_SUCCESS(clSetKernelArg(tell, 1, sizeof out, &out));
  launch(tell, 1);
  EXPECT_EQ(read<cl_uint>(out, 1)[0], 1U);
}

// No work-items: from OpenCL 2.1 on the command succeeds and nothing is run.
TEST_F(EnqueueNDRangeKernel, noWorkItems) {
  const Sizes empty[] = {{0}, {0, 4}, {4, 0}, {4, 4, 0}, {0, 0, 0}};
  for (const Sizes& global : empty) {
    cl_event event = nullptr;
    ASSERT_SUCCESS(driver->clEnqueueNDRangeKernel(queue, fill, static_cast<cl_uint>(global.size()), nullptr,
                                                  global.data(), nullptr, 0, nullptr, &event));
    keep(event);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_EQ(statusOf(event), CL_COMPLETE);
    EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
              cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  }
  EXPECT_SUCCESS(driver->clEnqueueNDRangeKernel(queue, fill, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 0));
}

TEST_F(EnqueueNDRangeKernel, noWorkItemsStillWaitForTheirList) {
  expectWaitsForItsList(
      *this,
      [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
        const size_t none = 0;
        return driver->clEnqueueNDRangeKernel(q, fill, 1, nullptr, &none, nullptr, n, list, event);
      },
      CL_COMMAND_NDRANGE_KERNEL);
}

TEST_F(EnqueueNDRangeKernel, requiredSizeIsTakenWhenNoneIsGiven) {
  cl_kernel required = kernel(program, "required");
  ASSERT_SUCCESS(clSetKernelArg(required, 0, sizeof out, &out));
  ASSERT_SUCCESS(run(required, {8, 8}));
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 42));
  ASSERT_SUCCESS(run(required, {8, 8}, {4, 2}));
  EXPECT_SUCCESS(clFinish(queue));
}

// Local memory as an argument up to what the device has.
TEST_F(EnqueueNDRangeKernel, allLocalMemoryOfTheDevice) {
  cl_kernel borrows = kernel(program, "borrows");
  const cl_ulong bytes = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  ASSERT_SUCCESS(clSetKernelArg(borrows, 0, bytes, nullptr));
  ASSERT_SUCCESS(clSetKernelArg(borrows, 1, sizeof out, &out));
  ASSERT_SUCCESS(run(borrows, {kCount}, {16}));
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 1));
}

// command_queue is not a command-queue.
TEST_F(EnqueueNDRangeKernel, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueNDRangeKernel, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// kernel is not a kernel.
TEST_F(EnqueueNDRangeKernel, invalidKernel) {
  for (const auto& bad : badHandles<cl_kernel>(*this))
    EXPECT_CL(CL_INVALID_KERNEL, run(bad.handle, {1})) << "the kernel is " << bad.what;
}

// The kernel belongs to another context.
TEST_F(EnqueueNDRangeKernel, invalidContext) {
  cl_context other = otherContext();
  const char* text = "kernel void nothing() {}";
  cl_program theirs = keep(clCreateProgramWithSource(other, 1, &text, nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(theirs, 0, nullptr, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, run(kernel(theirs, "nothing"), {1}));
}

// The program was built for another device of the context only.
TEST_F(EnqueueNDRangeKernel, invalidProgramExecutable) {
  const HalfBuilt half(*this);
  if (!half.kernel) GTEST_SKIP() << "the device cannot be divided";
  const size_t one = 1;
  const auto on = [&](cl_command_queue its) {
    return driver->clEnqueueNDRangeKernel(its, half.kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_SUCCESS(on(half.built));
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, on(half.unbuilt));
  EXPECT_SUCCESS(clFinish(half.built));
}

// An argument was never set: neither of three, the first, the last.
TEST_F(EnqueueNDRangeKernel, invalidKernelArgs) {
  cl_kernel pair = kernel(program, "pair");
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, run(pair, {1}));
  const cl_uint n = 1;
  ASSERT_SUCCESS(clSetKernelArg(pair, 1, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(pair, 2, sizeof n, &n));
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, run(pair, {1}));
  ASSERT_SUCCESS(clSetKernelArg(pair, 0, sizeof out, &out));
  EXPECT_SUCCESS(run(pair, {1}));
}

// The notify callback of the context gets the kernel and the argument that was not set.
TEST_F(EnqueueNDRangeKernel, theSentenceNamesTheArgument) {
  cl_kernel pair = kernel(program, "pair");
  ASSERT_SUCCESS(clSetKernelArg(pair, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(pair, 1, sizeof out, &out));
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, run(pair, {1}));
  EXPECT_TRUE(wasNotified("pair")) << allNotified();
  EXPECT_TRUE(wasNotified("2")) << allNotified();
}

// work_dim is 0 or more than CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS.
TEST_F(EnqueueNDRangeKernel, invalidWorkDimension) {
  const cl_uint most = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
  const Sizes ones(most + 1, 1);
  for (cl_uint dim : {0U, most + 1, ~0U})
    EXPECT_CL(CL_INVALID_WORK_DIMENSION,
              driver->clEnqueueNDRangeKernel(queue, nothing, dim, nullptr, ones.data(), nullptr, 0, nullptr, nullptr))
        << "work_dim " << dim;
}

// A global size and its offset do not fit in size_t together.
TEST_F(EnqueueNDRangeKernel, invalidGlobalOffset) {
  EXPECT_CL(CL_INVALID_GLOBAL_OFFSET, run(nothing, {2}, {}, {SIZE_MAX}));
  EXPECT_CL(CL_INVALID_GLOBAL_OFFSET, run(nothing, {4, 4}, {}, {0, SIZE_MAX - 3}));
  EXPECT_CL(CL_INVALID_GLOBAL_OFFSET, run(nothing, {1, 1, 8}, {}, {0, 0, SIZE_MAX - 4}));
}

// The work-group size does not divide the global size in a program with uniform work-groups: OpenCL C 1.2, or
// -cl-uniform-work-group-size.
TEST_F(EnqueueNDRangeKernel, invalidWorkGroupSizeThatDoesNotDivide) {
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {10}, {4}));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {8, 9}, {4, 4}));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {3}, {4}));
  cl_program uniform = build("kernel void nothing() {}", "-cl-std=CL3.0 -cl-uniform-work-group-size");
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(kernel(uniform, "nothing"), {10}, {4}));
  EXPECT_SUCCESS(run(kernel(uniform, "nothing"), {12}, {4}));
}

// A work-group of no work-items.
TEST_F(EnqueueNDRangeKernel, invalidWorkGroupSizeOfZero) {
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {8}, {0}));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {8, 8}, {4, 0}));
}

// More work-items in the work-group than CL_KERNEL_WORK_GROUP_SIZE, though each dimension is legal.
TEST_F(EnqueueNDRangeKernel, invalidWorkGroupSizeTooLarge) {
  size_t most = 0;
  ASSERT_SUCCESS(clGetKernelWorkGroupInfo(nothing, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr));
  const auto sizes = infoVectorOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  ASSERT_GE(sizes.size(), 3U);
  const size_t x = std::min(most, sizes[0]);
  const size_t y = std::min(most / x + 1, sizes[1]);
  ASSERT_GT(x * y, most);
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {x, y}, {x, y}));
  EXPECT_SUCCESS(run(nothing, {most}, {x}));
}

// One dimension alone exceeds CL_DEVICE_MAX_WORK_ITEM_SIZES; where that is the size of the largest work-group too,
// either of the two errors is a true answer.
TEST_F(EnqueueNDRangeKernel, invalidWorkItemSize) {
  size_t most = 0;
  ASSERT_SUCCESS(clGetKernelWorkGroupInfo(nothing, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr));
  const auto sizes = infoVectorOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  for (size_t d = 0; d < sizes.size(); ++d) {
    Sizes local(sizes.size(), 1);
    local[d] = sizes[d] + 1;
    const cl_int error = run(nothing, local, local);
    if (local[d] > most && error == CL_INVALID_WORK_GROUP_SIZE) continue;
    EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE, error) << "dimension " << d;
  }
}

// The notify callback of the context gets the work-group size.
TEST_F(EnqueueNDRangeKernel, theSentenceCarriesTheSizes) {
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(nothing, {1009}, {31}));
  EXPECT_TRUE(wasNotified("1009")) << allNotified();
  EXPECT_TRUE(wasNotified("31")) << allNotified();
}

// The kernel requires another work-group size.
TEST_F(EnqueueNDRangeKernel, invalidWorkGroupSizeNotTheRequiredOne) {
  cl_kernel required = kernel(program, "required");
  ASSERT_SUCCESS(clSetKernelArg(required, 0, sizeof out, &out));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(required, {8, 8}, {2, 4}));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(required, {8}, {4}));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(required, {8, 8}, {8, 2}));
}

// More local memory than the device has; the size can be refused when it is set or when the kernel is enqueued.
TEST_F(EnqueueNDRangeKernel, outOfResourcesOfLocalMemory) {
  cl_kernel borrows = kernel(program, "borrows");
  const cl_ulong bytes = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  ASSERT_SUCCESS(clSetKernelArg(borrows, 1, sizeof out, &out));
  const cl_int error = clSetKernelArg(borrows, 0, bytes + 1, nullptr);
  if (error == CL_MAX_SIZE_RESTRICTION_EXCEEDED) return;
  ASSERT_SUCCESS(error);
  EXPECT_CL(CL_OUT_OF_RESOURCES, run(borrows, {kCount}, {16}));
}

// The local memory that the kernel declares itself counts too: together they are too much.
TEST_F(EnqueueNDRangeKernel, outOfResourcesOfDeclaredAndGivenLocalMemory) {
  const cl_ulong bytes = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  cl_kernel both = kernel(
      "kernel void both(local uint* given, global uint* out) {"
      "  local uint own[1024]; own[get_local_id(0)] = 1; given[get_local_id(0)] = 2; barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = own[get_local_id(0) ^ 1] + given[get_local_id(0) ^ 1]; }",
      "both");
  ASSERT_SUCCESS(clSetKernelArg(both, 1, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(both, 0, bytes - 2048, nullptr));
  EXPECT_CL(CL_OUT_OF_RESOURCES, run(both, {kCount}, {16}));
  ASSERT_SUCCESS(clSetKernelArg(both, 0, bytes - 8192, nullptr));
  ASSERT_SUCCESS(run(both, {kCount}, {16}));
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 3));
}

// Nothing of what failed above was enqueued, and the command-queue is as good as before.
TEST_F(EnqueueNDRangeKernel, aRefusedCallLeavesTheQueueWorking) {
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(fill, {10}, {4}));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, run(fill, {}));
  cl_event event = nullptr;
  const size_t zero = 0;
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE,
            driver->clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &kCount, &zero, 0, nullptr, &event));
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 0));
  launch(fill, kCount);
  EXPECT_EQ(read<cl_uint>(out, kCount), std::vector<cl_uint>(kCount, 7));
}

}  // namespace
}  // namespace clarity::test
