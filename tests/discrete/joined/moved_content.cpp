// SPDX-License-Identifier: Apache-2.0
// This file tests what a joined device moves between its parts, and that results do not depend on it. The second of its
// two parts executes three quarters of each launch that can be divided (CLARITY_JOINED=1:3).
#include "discrete_device/control.h"
#include "fixture.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

struct MovedContent : OpenCL {
  static constexpr size_t n = 4096;

  void SetUp() override {
    OpenCL::SetUp();
    const char* const path = std::getenv("CLARITY_TEST_DRIVER");
    ASSERT_NE(path, nullptr);
    void* const library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr) << path;
    readCounts_ = reinterpret_cast<void (*)(ClarityDiscreteCounts*)>(dlsym(library, "clarityDiscreteCounts"));
    ASSERT_NE(readCounts_, nullptr);
  }

  /// Bytes that commands move from part to part: each of them leaves one for the host and comes to the other.
  template <class Commands>
  unsigned long long movedBy(const Commands& commands) {
    EXPECT_SUCCESS(clFinish(queue));
    ClarityDiscreteCounts before{}, after{};
    readCounts_(&before);
    commands();
    EXPECT_SUCCESS(clFinish(queue));
    readCounts_(&after);
    EXPECT_EQ(after.bytesFromHost - before.bytesFromHost, after.bytesToHost - before.bytesToHost);
    return after.bytesToHost - before.bytesToHost;
  }
  template <class... Args>
  void run(cl_kernel kernel, size_t global, const Args&... args) {
    cl_uint index = 0;
    const auto set = [&](size_t size, const void* value) {
      EXPECT_SUCCESS(clSetKernelArg(kernel, index++, size, value));
    };
    (set(sizeof args, &args), ...);
    const size_t local = 16;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
  }
  cl_kernel made(const char* source, const char* name) { return OpenCL::kernel(build(source), name); }
  static std::vector<cl_int> numbers() {
    std::vector<cl_int> values(n);
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
  std::vector<cl_int> read(cl_mem memory) {
    std::vector<cl_int> values(n);
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, n * sizeof(cl_int), values.data(), 0, nullptr, nullptr));
    return values;
  }

private:
  void (*readCounts_)(ClarityDiscreteCounts*) = nullptr;
};

constexpr const char* sum = R"(
  kernel void sum(global const int* from, global int* to, int n) {
    int i = get_global_id(0);
    to[i] = from[i] + (i > 0 ? from[i - 1] : 0) + (i + 1 < n ? from[i + 1] : 0);
  }
)";

TEST_F(MovedContent, onlyTheEdgesOfNeighbours) {
  cl_kernel kernel = made(sum, "sum");
  cl_mem from = bufferOf(numbers()), to = buffer(n * sizeof(cl_int));
  std::vector<cl_int> expected = numbers();
  const auto step = [&] {
    run(kernel, n, from, to, cl_int(n));
    std::swap(from, to);
    std::vector<cl_int> next(n);
    for (size_t i = 0; i < n; ++i)
      next[i] = cl_int(unsigned(expected[i]) + unsigned(i > 0 ? expected[i - 1] : 0) +
                       unsigned(i + 1 < n ? expected[i + 1] : 0));
    expected = next;
  };
  EXPECT_SUCCESS(clEnqueueMigrateMemObjects(queue, 1, &from, 0, 0, nullptr, nullptr));
  // The second part gets its share and its neighbour; then it has all but what its neighbour has written.
  EXPECT_EQ(movedBy(step), (n / 4 * 3 + 1) * sizeof(cl_int));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(movedBy(step), 2 * sizeof(cl_int)) << i;
  EXPECT_EQ(read(from), expected);
}

TEST_F(MovedContent, nothingOfWhatStaysWhereItIs) {
  cl_kernel kernel = made("kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }", "twice");
  cl_mem memory = bufferOf(numbers());
  run(kernel, n, memory);
  EXPECT_EQ(movedBy([&] { run(kernel, n, memory); }), 0U);
  std::vector<cl_int> expected = numbers();
  for (cl_int& each : expected) each *= 4;
  EXPECT_EQ(read(memory), expected);
  // Content from the host goes to the part that used it.
  EXPECT_SUCCESS(
      clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, n * sizeof(cl_int), numbers().data(), 0, nullptr, nullptr));
  EXPECT_EQ(movedBy([&] { run(kernel, n, memory); }), 0U);
  const cl_int one = 1;
  EXPECT_SUCCESS(clEnqueueFillBuffer(queue, memory, &one, sizeof one, 0, n * sizeof one, 0, nullptr, nullptr));
  EXPECT_EQ(movedBy([&] { run(kernel, n, memory); }), 0U);
  EXPECT_EQ(read(memory), std::vector<cl_int>(n, 2));
}

// Atomic operations on global memory: the launch runs where most of its memory is.
// Kernels with atomic operations run on the first part, whose share is a quarter.
TEST_F(MovedContent, launchesThatCannotBeDivided) {
  cl_kernel twice = made("kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }", "twice");
  cl_kernel count = made("kernel void count(global int* a) { atomic_inc(a + get_global_id(0) / 2); }", "count");
  cl_mem memory = bufferOf(numbers());
  run(twice, n, memory);
  EXPECT_EQ(movedBy([&] { run(count, n, memory); }), n / 4 * 3 * sizeof(cl_int));
  EXPECT_EQ(movedBy([&] { run(count, n, memory); }), 0U);
  std::vector<cl_int> expected = numbers();
  for (size_t i = 0; i < n; ++i) expected[i] = expected[i] * 2 + (i < n / 2 ? 4 : 0);
  EXPECT_EQ(read(memory), expected);
}

// Part of a range that a launch may write is not written: it keeps what it had, wherever that was.
TEST_F(MovedContent, whatIsNotWrittenInBetween) {
  cl_kernel kernel =
      made("kernel void odd(global int* a) { int i = get_global_id(0); if (a[i] % 2) a[i] = -1; }", "odd");
  cl_mem memory = bufferOf(numbers());
  for (int i = 0; i < 2; ++i) run(kernel, n, memory);
  std::vector<cl_int> expected = numbers();
  for (size_t i = 1; i < n; i += 2) expected[i] = -1;
  EXPECT_EQ(read(memory), expected);
}

TEST_F(MovedContent, idsAndSizesAreThoseOfTheWhole) {
  cl_kernel kernel = made(R"(
    kernel void ids(global int* a) {
      size_t i = get_global_id(0) - get_global_offset(0);
      a[i] = get_group_id(0) * 1000000 + get_local_id(0) * 10000 + get_num_groups(0) * 10 + get_global_size(0) / 4096 +
             (get_global_offset(0) == 32 ? 0 : 5);
    })",
                          "ids");
  cl_mem memory = buffer(n * sizeof(cl_int));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  const size_t offset = 32, local = 16;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &n, &local, 0, nullptr, nullptr));
  std::vector<cl_int> expected(n);
  for (size_t i = 0; i < n; ++i) expected[i] = cl_int(i / 16 * 1000000 + i % 16 * 10000 + 256 * 10 + 1);
  EXPECT_EQ(read(memory), expected);
}

TEST_F(MovedContent, rectanglesAndCopies) {
  cl_kernel kernel = made("kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }", "twice");
  cl_mem memory = bufferOf(numbers()), other = bufferOf(std::vector<cl_int>(n, 7));
  run(kernel, n, memory);
  run(kernel, n, other);
  EXPECT_SUCCESS(clEnqueueCopyBuffer(queue, memory, other, 400, 800, 12000, 0, nullptr, nullptr));
  const size_t from[3] = {0, 0, 0}, to[3] = {64, 2, 0}, region[3] = {128, 10, 1};
  EXPECT_SUCCESS(clEnqueueCopyBufferRect(queue, memory, other, from, to, region, 256, 0, 512, 0, 0, nullptr, nullptr));
  std::vector<cl_int> expected(n, 14);
  for (size_t i = 0; i < 3000; ++i) expected[200 + i] = cl_int(2 * (100 + i));
  for (size_t row = 0; row < 10; ++row)
    for (size_t x = 0; x < 32; ++x) expected[(row + 2) * 128 + 16 + x] = cl_int(2 * (row * 64 + x));
  EXPECT_EQ(read(other), expected);
}

/// Operations that come after a divided launch on many ways: it is remembered once for each part.
TEST_F(MovedContent, operationsWithManyWaysToAnEarlierOne) {
  cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_kernel slow = made(R"(
    kernel void slow(global int* to, int times) {
      int i = get_global_id(0);
      uint value = i;
      for (int time = 0; time < times; ++time) value = value * 1664525 + 1013904223;
      to[i] = value;
    })",
                        "slow");
  cl_mem to = buffer(n * sizeof(cl_int)), filled[2] = {buffer(64), buffer(64)};
  const cl_int times = 100'000;
  const size_t global = n, local = 16;
  EXPECT_SUCCESS(clSetKernelArg(slow, 0, sizeof to, &to));
  EXPECT_SUCCESS(clSetKernelArg(slow, 1, sizeof times, &times));
  cl_event before[2] = {};
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(unordered, slow, 1, nullptr, &global, &local, 0, nullptr, &before[0]));
  EXPECT_SUCCESS(clRetainEvent(before[1] = before[0]));
  keep(before[0]), keep(before[1]);
  for (cl_int level = 0; level < 64; ++level) {
    cl_event after[2] = {};
    for (int i = 0; i < 2; ++i) {
      EXPECT_SUCCESS(
          clEnqueueFillBuffer(unordered, filled[i], &level, sizeof level, 0, sizeof level, 2, before, &after[i]));
    }
    for (int i = 0; i < 2; ++i) before[i] = keep(after[i]);
    ASSERT_SUCCESS(clFlush(unordered));
  }
  ASSERT_SUCCESS(clFinish(unordered));
  for (cl_mem each : filled) EXPECT_EQ(OpenCL::read<cl_int>(each, 1)[0], 63);
}

/// Kept by the callback too, which may still be at its end when the test goes on.
using Status = std::shared_ptr<std::atomic<cl_int>>;

void CL_CALLBACK takeStatus(cl_event, cl_int status, void* data) {
  const std::unique_ptr<Status> own(static_cast<Status*>(data));
  (*own)->store(status);
  (*own)->notify_all();
}

// The last command is given to its part when the one before it has come to run: after the only flush.
TEST_F(MovedContent, flushedCommandsRunWithoutAThreadThatWaits) {
  const cl_int one = 1;
  std::vector<cl_int> values(n);
  for (int round = 0; round < 20; ++round) {
    cl_mem first = buffer(n * sizeof one), last = buffer(n * sizeof one);
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueFillBuffer(queue, first, &one, sizeof one, 0, n * sizeof one, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue, first, CL_FALSE, 0, n * sizeof one, values.data(), 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueFillBuffer(queue, last, &one, sizeof one, 0, n * sizeof one, 0, nullptr, &event));
    keep(event);
    // Waiting for a command and asking for its status flush too, later than this.
    const auto status = std::make_shared<std::atomic<cl_int>>(CL_QUEUED);
    ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, takeStatus, new Status(status)));
    status->wait(CL_QUEUED);
    EXPECT_EQ(status->load(), CL_COMPLETE);
    EXPECT_EQ(values, std::vector<cl_int>(n, one));
  }
}

}  // namespace
}  // namespace clarity::test
