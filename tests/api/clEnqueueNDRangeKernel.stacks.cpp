// SPDX-License-Identifier: Apache-2.0
// This file tests the private memory of kernels: it is no part of the stack of the thread that waits, what does not fit
// is refused before the kernel runs, and indices beyond it end the command.
#include "fault_checks.h"

#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clarity::test {
namespace {

const char* const kStackSource = R"(
kernel void arrays(global int* out, uint step) {
  int a[ELEMENTS];
  uint id = get_global_id(0);
  for (uint k = 0; k < ELEMENTS; ++k) a[k] = k ^ id;
  int sum = 0;
  for (uint k = 0; k < 64; ++k) sum += a[(id + k * step) % ELEMENTS];
  out[id] = sum;
}
kernel void beyond(global int* out, int from, int to) {
  int a[1024];
  for (int k = 0; k < 1024; ++k) a[k] = k;
  for (int k = from; k < to; ++k) a[k] = out[k & 255];
  int sum = 0;
  for (int k = 0; k < 1024; ++k) sum += a[out[k & 255] & 1023];
  out[get_global_id(0)] = sum;
}
int inner(global int* a, int n) __attribute__((noinline));
int inner(global int* a, int n) {
  int b[2000];
  for (int i = 0; i < 2000; i++) b[i] = a[i * n & 15] + i;
  int s = 0;
  for (int i = 0; i < n; i++) s += b[(i * 77 + a[i]) % 2000];
  return s;
}
kernel void calls(global int* a) { a[get_global_id(0)] = inner(a, a[0]); }
kernel void scalars(global int* a) { a[get_global_id(0)] += 1; }
)";

struct NDRangeKernelStacks : FaultingKernels {
  cl_mem out = nullptr;

  void SetUp() override {
    FaultingKernels::SetUp();
    if (!HasFatalFailure()) out = bufferOf(std::vector<cl_int>(4096, 0));
  }

  cl_kernel arrays(unsigned elements, const std::string& options = "") {
    return kernel(build(kStackSource, ("-DELEMENTS=" + std::to_string(elements) + " " + options).c_str()), "arrays");
  }
};

/// A mapping whose upper part is a thread's stack. Memory below the stack belongs to others.
class SmallStack {
public:
  static constexpr std::size_t others = std::size_t{24} << 20;

  explicit SmallStack(std::size_t stackBytes = 64 << 10)
      : stackBytes_(stackBytes),
        memory_(static_cast<unsigned char*>(
            mmap(nullptr, others + stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    std::fill_n(memory_, others, kept);
  }
  ~SmallStack() { munmap(memory_, others + stackBytes_); }

  template <class Work>
  void run(Work work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstack(&attributes, memory_ + others, stackBytes_), 0);
    pthread_t thread;
    const auto start = [](void* it) -> void* {
      (*static_cast<Work*>(it))();
      return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, start, &work), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }

  std::ptrdiff_t overwritten() const {
    return std::count_if(memory_, memory_ + others, [](unsigned char byte) { return byte != kept; });
  }

private:
  static constexpr unsigned char kept = 0x5a;
  std::size_t stackBytes_;
  unsigned char* memory_;
};

std::vector<cl_int> sumsOf(unsigned elements, unsigned step, unsigned items) {
  std::vector<cl_int> sums(items, 0);
  for (unsigned id = 0; id < items; ++id)
    for (unsigned k = 0; k < 64; ++k) sums[id] += static_cast<cl_int>((id + k * step) % elements ^ id);
  return sums;
}

// A thread with little stack waits: of 4 KiB for each work-item, and of 800 KiB, nothing lies on it.
TEST_F(NDRangeKernelStacks, areNotTheWaitingThreads) {
  for (const unsigned elements : {1024u, 204800u}) {
    SCOPED_TRACE(elements);
    cl_kernel which = arrays(elements);
    const cl_uint step = 37;
    ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof out, &out));
    ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof step, &step));
    const size_t global = 64;
    cl_command_queue here = anotherQueue();
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(here, which, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    SmallStack small;
    cl_int finished = -1;
    small.run([&] { finished = clFinish(here); });
    EXPECT_SUCCESS(finished);
    EXPECT_EQ(small.overwritten(), 0);
    EXPECT_EQ(read<cl_int>(out, global), sumsOf(elements, step, global));
  }
}

// The smallest stack that a thread may have: every kind of operation is executed while this thread waits for it.
TEST_F(NDRangeKernelStacks, ofThreadsMayBeTheSmallest) {
  cl_kernel which = arrays(1024);
  const cl_uint step = 37;
  ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof step, &step));
  cl_command_queue here = anotherQueue();
  SmallStack small(PTHREAD_STACK_MIN);
  static constexpr size_t global = 64;
  std::vector<cl_int> sums(global), filled(global);
  std::vector<cl_int> ofHost(global, 5);
  const std::array<std::function<cl_int()>, 6> calls = {
      [&] { return clEnqueueNDRangeKernel(here, which, 1, nullptr, &global, nullptr, 0, nullptr, nullptr); },
      [&] { return clFinish(here); },
      [&] {
        return clEnqueueReadBuffer(here, out, CL_TRUE, 0, sizeof(cl_int) * global, sums.data(), 0, nullptr, nullptr);
      },
      [&] {
        return clEnqueueWriteBuffer(here, out, CL_TRUE, 0, sizeof(cl_int) * global, ofHost.data(), 0, nullptr, nullptr);
      },
      [&] {
        cl_event event = nullptr;
        if (const cl_int error =
                clEnqueueFillBuffer(here, out, &step, sizeof step, 0, sizeof step * 32, 0, nullptr, &event))
          return error;
        const cl_int error = clWaitForEvents(1, &event);
        clReleaseEvent(event);
        return error;
      },
      [&] {
        return clEnqueueReadBuffer(here, out, CL_TRUE, 0, sizeof(cl_int) * global, filled.data(), 0, nullptr, nullptr);
      },
  };
  std::array<cl_int, calls.size()> results{};
  small.run([&] { std::ranges::transform(calls, results.begin(), [](const auto& call) { return call(); }); });
  for (const cl_int result : results) EXPECT_SUCCESS(result);
  EXPECT_EQ(small.overwritten(), 0);
  EXPECT_EQ(sums, sumsOf(1024, step, global));
  std::fill_n(ofHost.begin(), 32, static_cast<cl_int>(step));
  EXPECT_EQ(filled, ofHost);
}

TEST_F(NDRangeKernelStacks, holdSixteenMebibytes) {
  constexpr unsigned elements = 1 << 22;
  cl_kernel which = arrays(elements, "-cl-clarity-packet-width=1");
  const cl_uint step = 65537;
  ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof step, &step));
  EXPECT_EQ(statusAfter(which, 4), CL_COMPLETE) << allNotified();
  EXPECT_EQ(read<cl_int>(out, 4), sumsOf(elements, step, 4));
  expectStillWorking();
}

// Work-items are executed side by side only as far as there is private memory for all of them.
TEST_F(NDRangeKernelStacks, areOfOneWorkItemWhereMoreDoNotFit) {
  for (const unsigned elements : {1u << 18, 1u << 20, 1u << 22})
    for (const size_t global : {size_t{1}, size_t{33}}) {
      SCOPED_TRACE(std::to_string(elements) + " elements, " + std::to_string(global) + " work-items");
      cl_kernel which = arrays(elements);
      const cl_uint step = 3;
      ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof out, &out));
      ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof step, &step));
      EXPECT_EQ(statusAfter(which, global), CL_COMPLETE) << allNotified();
      EXPECT_EQ(read<cl_int>(out, global), sumsOf(elements, step, global));
    }
}

TEST_F(NDRangeKernelStacks, whatDoesNotFitIsRefusedWithTheLimit) {
  cl_kernel which = arrays(1 << 26, "-cl-clarity-packet-width=1");
  const cl_uint step = 3;
  ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof out, &out));
  ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof step, &step));
  EXPECT_CL(CL_OUT_OF_RESOURCES, statusAfter(which, 1));
  for (const char* part : {"kernel 'arrays' needs 268", "the limit is 134217728"})
    EXPECT_TRUE(wasNotified(part)) << allNotified();
  expectStillWorking();
}

// By a little and by much: the command ends, and its thread goes on.
TEST_F(NDRangeKernelStacks, indicesBeyondArraysHarmNothingElse) {
  for (const char* options :
       {"-DELEMENTS=1", "-DELEMENTS=1 -cl-clarity-packet-width=1", "-DELEMENTS=1 -cl-opt-disable"}) {
    cl_kernel which = kernel(build(kStackSource, options), "beyond");
    // Downwards by little, it is the kernel's own counters that are overwritten, and it may never end.
    for (const cl_int distance : {16, 140, 1000, 5000, 20000, 1 << 22}) {
      for (const bool up : {true, false}) {
        if (!up && distance < 1 << 22) continue;
        SCOPED_TRACE(std::string(options) + (up ? " up by " : " down by ") + std::to_string(distance));
        const cl_int from = up ? 1000 : -distance, to = up ? 1024 + distance : 10;
        const std::vector<cl_int> values(4096, 0x41414141);
        cl_mem memory = bufferOf(values);
        ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof memory, &memory));
        ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof from, &from));
        ASSERT_SUCCESS(clSetKernelArg(which, 2, sizeof to, &to));
        const cl_int status = statusAfter(which, 1);
        EXPECT_TRUE(status == CL_COMPLETE || status == CL_INVALID_OPERATION) << errorName(status);
        if (distance >= 1 << 22) EXPECT_CL(CL_INVALID_OPERATION, status);
        expectStillWorking();
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_TRUE(wasNotified("beyond the end of its private memory")) << allNotified();
}

TEST_F(NDRangeKernelStacks, thePrivateMemoryOfAWorkItemIsKnown) {
  cl_program program = build(kStackSource, "-DELEMENTS=1024");
  const auto bytesOf = [&](const char* name) {
    cl_ulong bytes = 0;
    EXPECT_SUCCESS(clGetKernelWorkGroupInfo(kernel(program, name), device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes,
                                            &bytes, nullptr));
    return bytes;
  };
  EXPECT_EQ(bytesOf("arrays"), 4096u);
  EXPECT_EQ(bytesOf("beyond"), 4096u);
  EXPECT_EQ(bytesOf("calls"), 8000u);
  EXPECT_EQ(bytesOf("scalars"), 0u);
}

}  // namespace
}  // namespace clarity::test
