// SPDX-License-Identifier: Apache-2.0
// This file tests that content is where a command uses it, whatever device has written it, and that it is moved only
// when that is needed.
#include "several_devices.h"

#include <atomic>
#include <numeric>

namespace clarity::test {
namespace {

constexpr const char* kernels = R"(
  kernel void add(global int* values, int amount) { values[get_global_id(0)] += amount; }
  kernel void copy(global const int* from, global int* to) { to[get_global_id(0)] = from[get_global_id(0)]; }
)";

struct Migration : SeveralDevices {
  static constexpr size_t n = 1000;

  static std::vector<cl_int> numbers(cl_int from = 0) {
    std::vector<cl_int> values(n);
    std::iota(values.begin(), values.end(), from);
    return values;
  }
  cl_kernel add(cl_mem memory, cl_int amount) {
    if (!program_) program_ = buildForAll(kernels);
    cl_kernel made = kernel(program_, "add");
    setArgs(made, memory, amount);
    return made;
  }
  cl_kernel copy(cl_mem from, cl_mem to) {
    if (!program_) program_ = buildForAll(kernels);
    cl_kernel made = kernel(program_, "copy");
    setArgs(made, from, to);
    return made;
  }

private:
  cl_program program_ = nullptr;
};

TEST_F(Migration, underKernelsOfAllDevices) {
  cl_mem memory = bufferOf(numbers());
  cl_int sum = 0;
  for (const size_t device : {first, second, cpu, second, first, first, cpu, cpu, second}) {
    const cl_int amount = 1 << sum % 7;
    clFinish(queues[device]);
    cl_event done = run(device, add(memory, amount), n);
    ASSERT_SUCCESS(clWaitForEvents(1, &done));
    sum += amount;
  }
  for (const size_t device : {cpu, first, second}) EXPECT_EQ(readOn<cl_int>(device, memory, n), numbers(sum)) << device;
}

// No thread waits between the commands: each follows the one before it on another device.
TEST_F(Migration, inAChainOfEvents) {
  cl_mem memory = bufferOf(numbers());
  cl_event before = userEvent();
  const cl_event start = before;
  cl_int sum = 0;
  for (int i = 0; i < 30; ++i) {
    before = run(size_t(i * 7 / 3 % 3), add(memory, i), n, {before});
    sum += i;
  }
  for (cl_command_queue each : queues) ASSERT_SUCCESS(clFlush(each));
  ASSERT_SUCCESS(clSetUserEventStatus(start, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &before));
  EXPECT_EQ(readOn<cl_int>(second, memory, n), numbers(sum));
}

TEST_F(Migration, readOnlyArgumentsStayValidWhereTheyAre) {
  cl_mem from = bufferOf(numbers()), onFirst = buffer(n * sizeof(cl_int)), onSecond = buffer(n * sizeof(cl_int));
  for (int i = 0; i < 3; ++i) {
    run(first, copy(from, onFirst), n);
    run(second, copy(from, onSecond), n);
    for (const size_t each : {first, second}) ASSERT_SUCCESS(clFinish(queues[each]));
    if (i == 0) continue;
    // Once it is there, nothing is moved any more.
    const ClarityDiscreteCounts before = counts();
    run(first, copy(from, onFirst), n);
    run(second, copy(from, onSecond), n);
    for (const size_t each : {first, second}) ASSERT_SUCCESS(clFinish(queues[each]));
    EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost);
    EXPECT_EQ(counts().bytesToHost, before.bytesToHost);
  }
  EXPECT_EQ(readOn<cl_int>(first, onFirst, n), numbers());
  EXPECT_EQ(readOn<cl_int>(cpu, onSecond, n), numbers());
}

TEST_F(Migration, kernelsThatFollowEachOtherOnOneDeviceMoveNothing) {
  cl_mem memory = bufferOf(numbers());
  run(first, add(memory, 1), n);
  ASSERT_SUCCESS(clFinish(queues[first]));
  const ClarityDiscreteCounts before = counts();
  for (int i = 0; i < 10; ++i) run(first, add(memory, 1), n);
  ASSERT_SUCCESS(clFinish(queues[first]));
  EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost);
  EXPECT_EQ(counts().bytesToHost, before.bytesToHost);
  EXPECT_EQ(readOn<cl_int>(first, memory, n), numbers(11));
}

// A buffer that was only written on the host is read there, whichever queue reads it.
TEST_F(Migration, readsUseThePlaceWhereTheContentIs) {
  cl_mem memory = bufferOf(numbers());
  const ClarityDiscreteCounts before = counts();
  EXPECT_EQ(readOn<cl_int>(first, memory, n), numbers());
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers());
  EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost);
  EXPECT_EQ(counts().bytesToHost, before.bytesToHost);
}

TEST_F(Migration, writesAndFillsReplaceContentWithoutMovingIt) {
  cl_mem memory = bufferOf(numbers());
  run(second, add(memory, 5), n);
  ASSERT_SUCCESS(clFinish(queues[second]));
  const ClarityDiscreteCounts before = counts();
  writeOn(first, memory, numbers(100));
  const cl_int seven = 7;
  ASSERT_SUCCESS(
      clEnqueueFillBuffer(queues[first], memory, &seven, sizeof seven, 0, 10 * sizeof seven, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  if (isDiscrete()) EXPECT_EQ(counts().bytesFromHost - before.bytesFromHost, n * sizeof(cl_int)) << "the write alone";
  EXPECT_EQ(counts().bytesToHost, before.bytesToHost);
  std::vector<cl_int> wanted = numbers(100);
  std::fill_n(wanted.begin(), 10, 7);
  EXPECT_EQ(readOn<cl_int>(second, memory, n), wanted);
}

TEST_F(Migration, copiesBetweenPlaces) {
  cl_mem a = bufferOf(numbers()), b = bufferOf(numbers(5000)), c = buffer(n * sizeof(cl_int));
  run(first, add(a, 1), n);
  run(second, add(b, 2), n);
  for (const size_t each : {first, second}) ASSERT_SUCCESS(clFinish(queues[each]));
  constexpr size_t half = n / 2 * sizeof(cl_int);
  // The first half from the first device, the second from the second one, by the CPU's queue and a device's.
  ASSERT_SUCCESS(clEnqueueCopyBuffer(queues[cpu], a, c, 0, 0, half, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[cpu]));
  ASSERT_SUCCESS(clEnqueueCopyBuffer(queues[first], b, c, half, half, half, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  std::vector<cl_int> wanted = numbers(1);
  for (size_t i = n / 2; i < n; ++i) wanted[i] = cl_int(5002 + i);
  EXPECT_EQ(readOn<cl_int>(second, c, n), wanted);
}

TEST_F(Migration, rectanglesKeepWhatIsBetweenTheirRows) {
  constexpr size_t width = 40, height = 25;
  cl_mem from = bufferOf(numbers()), to = bufferOf(numbers(10000));
  run(first, add(from, 1), n);
  run(second, add(to, 1), n);
  for (const size_t each : {first, second}) ASSERT_SUCCESS(clFinish(queues[each]));
  const size_t at[3] = {10 * sizeof(cl_int), 5, 0}, size[3] = {20 * sizeof(cl_int), 10, 1};
  ASSERT_SUCCESS(clEnqueueCopyBufferRect(queues[first], from, to, at, at, size, width * sizeof(cl_int), 0,
                                         width * sizeof(cl_int), 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  std::vector<cl_int> wanted = numbers(10001);
  for (size_t y = 5; y < 15; ++y)
    for (size_t x = 10; x < 30; ++x) wanted[y * width + x] = cl_int(y * width + x + 1);
  static_assert(width * height == n);
  EXPECT_EQ(readOn<cl_int>(cpu, to, n), wanted);
}

TEST_F(Migration, mapsSeeWhatDevicesWroteAndDevicesWhatTheHostWrote) {
  cl_mem memory = bufferOf(numbers());
  run(first, add(memory, 3), n);
  ASSERT_SUCCESS(clFinish(queues[first]));
  cl_int error = CL_SUCCESS;
  const auto map = [&](size_t device, cl_map_flags flags, size_t offset, size_t count) {
    void* const mapped = clEnqueueMapBuffer(queues[device], memory, CL_TRUE, flags, offset * sizeof(cl_int),
                                            count * sizeof(cl_int), 0, nullptr, nullptr, &error);
    EXPECT_SUCCESS(error);
    return static_cast<cl_int*>(mapped);
  };
  const auto unmap = [&](size_t device, void* mapped) {
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(queues[device], memory, mapped, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queues[device]));
  };
  std::vector<cl_int> wanted = numbers(3);
  cl_int* mapped = map(first, CL_MAP_READ, 0, n);
  EXPECT_EQ(std::vector<cl_int>(mapped, mapped + n), wanted);
  unmap(first, mapped);

  // The host writes a part of what it has mapped; the rest stays.
  mapped = map(second, CL_MAP_WRITE, 100, 50);
  for (int i = 0; i < 10; ++i) mapped[i] = wanted[size_t(100 + i)] = -i;
  unmap(second, mapped);
  run(second, add(memory, 1), n);
  ASSERT_SUCCESS(clFinish(queues[second]));
  for (cl_int& each : wanted) ++each;
  EXPECT_EQ(readOn<cl_int>(first, memory, n), wanted);

  mapped = map(cpu, CL_MAP_WRITE_INVALIDATE_REGION, 0, 200);
  for (size_t i = 0; i < 200; ++i) mapped[i] = wanted[i] = cl_int(3 * i);
  unmap(cpu, mapped);
  EXPECT_EQ(readOn<cl_int>(second, memory, n), wanted);
}

TEST_F(Migration, mappingToOverwriteFetchesNothing) {
  cl_mem memory = bufferOf(numbers());
  run(first, add(memory, 3), n);
  ASSERT_SUCCESS(clFinish(queues[first]));
  const ClarityDiscreteCounts before = counts();
  cl_int error = CL_SUCCESS;
  void* const mapped = clEnqueueMapBuffer(queues[first], memory, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                          n * sizeof(cl_int), 0, nullptr, nullptr, &error);
  ASSERT_SUCCESS(error);
  EXPECT_EQ(counts().bytesToHost, before.bytesToHost);
  std::fill_n(static_cast<cl_int*>(mapped), n, 9);
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queues[first], memory, mapped, 0, nullptr, nullptr));
  run(first, add(memory, 1), n);
  EXPECT_EQ(readOn<cl_int>(first, memory, n), std::vector<cl_int>(n, 10));
}

TEST_F(Migration, hostMemoryOfTheApplicationHasTheContentWhenItIsMapped) {
  std::vector<cl_int> own = numbers();
  cl_mem memory = buffer(n * sizeof(cl_int), CL_MEM_USE_HOST_PTR, own.data());
  run(first, add(memory, 1), n);
  run(first, add(memory, 1), n);
  cl_int error = CL_SUCCESS;
  void* const mapped = clEnqueueMapBuffer(queues[first], memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                          n * sizeof(cl_int), 0, nullptr, nullptr, &error);
  ASSERT_SUCCESS(error);
  EXPECT_EQ(mapped, own.data());
  EXPECT_EQ(own, numbers(2));
  own[0] = 77;
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queues[first], memory, mapped, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  std::vector<cl_int> wanted = numbers(2);
  wanted[0] = 77;
  EXPECT_EQ(readOn<cl_int>(second, memory, n), wanted);
}

TEST_F(Migration, migrateMemObjectsMovesContentAhead) {
  cl_mem memory = bufferOf(numbers());
  ASSERT_SUCCESS(clEnqueueMigrateMemObjects(queues[first], 1, &memory, 0, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  ClarityDiscreteCounts before = counts();
  run(first, add(memory, 1), n);
  ASSERT_SUCCESS(clFinish(queues[first]));
  EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost);

  ASSERT_SUCCESS(
      clEnqueueMigrateMemObjects(queues[first], 1, &memory, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  before = counts();
  EXPECT_EQ(readOn<cl_int>(cpu, memory, n), numbers(1));
  EXPECT_EQ(counts().bytesToHost, before.bytesToHost);

  before = counts();
  const cl_mem_migration_flags undefined = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  ASSERT_SUCCESS(clEnqueueMigrateMemObjects(queues[second], 1, &memory, undefined, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[second]));
  EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost);
  run(second, add(memory, 1), n);
  ASSERT_SUCCESS(clFinish(queues[second]));
  EXPECT_EQ(counts().bytesFromHost, before.bytesFromHost) << "there is no content to fetch";
}

TEST_F(Migration, subBuffersOnSeveralDevicesAtOnce) {
  constexpr size_t part = 1024, parts = 6;  // a multiple of every device's alignment
  std::vector<cl_int> values(part * parts);
  std::iota(values.begin(), values.end(), 0);
  cl_mem whole = bufferOf(values);
  std::vector<cl_mem> pieces;
  for (size_t i = 0; i < parts; ++i)
    pieces.push_back(subBuffer(whole, i * part * sizeof(cl_int), part * sizeof(cl_int)));
  // Neighbours are on different devices, which all work at the same time, with no events between them.
  for (int round = 0; round < 4; ++round)
    for (size_t i = 0; i < parts; ++i) run(i % 3, add(pieces[i], cl_int(i + 1)), part);
  for (cl_command_queue each : queues) ASSERT_SUCCESS(clFinish(each));
  for (size_t i = 0; i < values.size(); ++i) values[i] += 4 * cl_int(i / part + 1);
  for (const size_t device : {cpu, first, second}) EXPECT_EQ(readOn<cl_int>(device, whole, values.size()), values);
  // And the whole, written on one device, through its parts on the others.
  run(first, add(whole, 1), values.size());
  ASSERT_SUCCESS(clFinish(queues[first]));
  for (size_t i = 0; i < values.size(); ++i) ++values[i];
  const auto begin = values.begin() + part;
  EXPECT_EQ(readOn<cl_int>(second, pieces[1], part), std::vector<cl_int>(begin, begin + part));
}

// One part of what is read is written by the kernel just before, on the device, the other is on the host alone.
TEST_F(Migration, readsThatGatherContentComeAfterTheKernel) {
  constexpr size_t part = 1024;
  for (int round = 0; round < 20; ++round) {
    std::vector<cl_int> values(2 * part);
    std::iota(values.begin(), values.end(), 0);
    cl_mem whole = bufferOf(values), half = subBuffer(whole, 0, part * sizeof(cl_int));
    run(first, add(half, 1), part);
    run(first, add(half, 2), part);
    const std::vector<cl_int> result = readOn<cl_int>(first, whole, 2 * part);
    for (size_t i = 0; i < part; ++i) values[i] += 3;
    ASSERT_EQ(result, values) << "round " << round;
  }
}

// Several commands need the same content at the same time; each device fetches it once.
TEST_F(Migration, readersShareTransfers) {
  cl_mem from = bufferOf(numbers());
  run(second, add(from, 1), n);
  ASSERT_SUCCESS(clFinish(queues[second]));
  const ClarityDiscreteCounts before = counts();
  cl_event go = userEvent();
  std::vector<cl_mem> targets;
  std::vector<cl_event> done;
  for (int i = 0; i < 8; ++i) {
    targets.push_back(buffer(n * sizeof(cl_int)));
    cl_kernel each = copy(from, targets.back());
    cl_event event = nullptr;
    const size_t global = n;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(outOfOrderQueues[first], each, 1, nullptr, &global, nullptr, 1, &go, &event));
    done.push_back(keep(event));
  }
  ASSERT_SUCCESS(clSetUserEventStatus(go, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(cl_uint(done.size()), done.data()));
  if (isDiscrete()) {
    EXPECT_EQ(counts().bytesToHost - before.bytesToHost, n * sizeof(cl_int));
    EXPECT_EQ(counts().bytesFromHost - before.bytesFromHost, n * sizeof(cl_int));
  }
  for (cl_mem each : targets) EXPECT_EQ(readOn<cl_int>(cpu, each, n), numbers(1));
}

TEST_F(Migration, callbacksComeAfterTheContent) {
  cl_mem memory = bufferOf(numbers());
  std::vector<cl_int> seen(n);
  run(first, add(memory, 1), n);
  ASSERT_SUCCESS(clFlush(queues[first]));
  cl_event read = nullptr, kernelEnd = run(second, add(memory, 1), n, {run(first, add(memory, 1), n)});
  ASSERT_SUCCESS(
      clEnqueueReadBuffer(queues[cpu], memory, CL_FALSE, 0, n * sizeof(cl_int), seen.data(), 1, &kernelEnd, &read));
  keep(read);
  std::atomic<cl_int> last{-1};
  struct Place {
    const std::vector<cl_int>* seen;
    std::atomic<cl_int>* last;
  } place{&seen, &last};
  ASSERT_SUCCESS(clSetEventCallback(
      read, CL_COMPLETE,
      [](cl_event, cl_int, void* data) {
        const auto* const it = static_cast<Place*>(data);
        std::atomic<cl_int>* const found = it->last;  // the test may end once it has its value
        found->store(it->seen->back());
        found->notify_all();
      },
      &place));
  for (cl_command_queue each : queues) ASSERT_SUCCESS(clFlush(each));
  last.wait(-1);
  EXPECT_EQ(last, numbers(3).back());
}

TEST_F(Migration, timesOfCommandsAreInOrder) {
  cl_mem memory = bufferOf(numbers());
  for (const size_t device : {first, cpu, second}) {
    cl_event event = run(device, add(memory, 1), n);
    ASSERT_SUCCESS(clFinish(queues[device]));
    std::array<cl_ulong, 4> times{};
    for (size_t i = 0; i < 4; ++i)
      ASSERT_SUCCESS(clGetEventProfilingInfo(event, cl_profiling_info(CL_PROFILING_COMMAND_QUEUED + i), sizeof times[i],
                                             &times[i], nullptr));
    EXPECT_GT(times[0], 0U);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()))
        << times[0] << ' ' << times[1] << ' ' << times[2] << ' ' << times[3];
  }
}

}  // namespace
}  // namespace clarity::test
