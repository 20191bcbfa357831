// SPDX-License-Identifier: Apache-2.0
// This file tests that kernels enqueue kernels (OpenCL C 3.0, section 6.15.18): what runs, in which order, how often.
#include "device_enqueue.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace clarity::test {
namespace {

TEST_F(DeviceEnqueue, everyWorkItemEnqueuesWhatItHasCaptured) {
  const std::string source = R"(
    kernel void k(global int* out, queue_t queue) {
      int i = get_global_id(0);
      int4 four = (int4)(i, i + 1, i + 2, i + 3);
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
        int j = get_global_id(0);
        out[4 * i + j] = j == 0 ? four.x : j == 1 ? four.y : j == 2 ? four.z : four.w;
      });
    })";
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable",
                              "-cl-std=CL3.0 -cl-clarity-packet-width=1"}) {
    SCOPED_TRACE(options);
    const std::vector<cl_int> out = run(build(source.c_str(), options), "k", 100, 400);
    for (cl_int i = 0; i < 400; ++i) ASSERT_EQ(out[size_t(i)], i / 4 + i % 4) << "element " << i;
  }
}

TEST_F(DeviceEnqueue, rangesOfEveryDimension) {
  const std::vector<cl_int> out = run(R"(
    int place(void) { return get_global_id(0) + 4 * get_global_id(1) + 16 * get_global_id(2); }
    kernel void k(global int* out) {
      queue_t queue = get_default_queue();
      size_t offset[3] = {1, 2, 1}, size[3] = {3, 2, 3}, group[3] = {3, 1, 1};
      int error = enqueue_kernel(queue, 0, ndrange_1D(2), ^{ atomic_inc(out + place()); });
      error |= enqueue_kernel(queue, 0, ndrange_1D(4, 2), ^{ atomic_add(out + place(), get_local_size(0)); });
      error |= enqueue_kernel(queue, 0, ndrange_1D(1, 3, 2), ^{ atomic_add(out + place(), 10); });
      error |= enqueue_kernel(queue, 0, ndrange_2D(size), ^{ atomic_add(out + place(), 100); });
      error |= enqueue_kernel(queue, 0, ndrange_2D(size, group), ^{ atomic_add(out + place(), get_local_size(0)); });
      error |= enqueue_kernel(queue, 0, ndrange_3D(offset, size, group), ^{ atomic_add(out + place(), 1000); });
      error |= enqueue_kernel(queue, 0, ndrange_3D(size), ^{ atomic_add(out + place(), 10000); });
      if (error) out[63] = error;
    })",
                                      "k", 1);
  std::vector<cl_int> expected(64, 0);
  for (size_t x = 0; x < 4; ++x)
    for (size_t y = 0; y < 4; ++y)
      for (size_t z = 0; z < 4; ++z) {
        cl_int& at = expected[x + 4 * y + 16 * z];
        if (y == 0 && z == 0) at += (x < 2 ? 1 : 0) + 2 + (x >= 1 ? 10 : 0);
        if (x < 3 && y < 2 && z == 0) at += 103;
        if (x >= 1 && y >= 2 && z >= 1) at += 1000;
        if (x < 3 && y < 2 && z < 3) at += 10000;
      }
  EXPECT_EQ(out, expected);
}

TEST_F(DeviceEnqueue, pointersToLocalMemory) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out, queue_t queue) {
      uint n = 16;
      enqueue_kernel(queue, 0, ndrange_1D(32, n), ^(local void* first, local void* second) {
        local int* a = first;
        local short* b = second;
        size_t i = get_local_id(0);
        a[i] = get_global_id(0);
        b[i] = 100 * i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = a[15 - i] + b[15 - i];
      }, n * 4, n * 2);
    })",
                                      "k", 1);
  for (cl_int i = 0; i < 32; ++i) EXPECT_EQ(out[size_t(i)], i / 16 * 16 + 15 - i % 16 + 100 * (15 - i % 16));
}

// A child begins when its parent has ended: it sees all that the parent has written.
TEST_F(DeviceEnqueue, childrenSeeWhatTheirParentsWrote) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out) {
      if (get_global_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          int sum = 0;
          for (int i = 1; i < 1001; ++i) sum += out[i];
          out[0] = sum;
        });
      out[1 + get_global_id(0)] = 3;
    })",
                                      "k", 1000, 1001);
  EXPECT_EQ(out[0], 3000);
}

TEST_F(DeviceEnqueue, treesOfKernels) {
  const std::vector<cl_int> out = run(R"(
    void tree(global int* out, int depth) {
      if (depth == 0) { atomic_inc(out); return; }
      for (int i = 0; i < 2; ++i)
        if (enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ tree(out, depth - 1); })) atomic_inc(out + 1);
    }
    kernel void k(global int* out) { tree(out, 12); })",
                                      "k", 1);
  EXPECT_EQ(out[0], 4096);
  EXPECT_EQ(out[1], 0);
}

// The next one is enqueued by each: neither a stack nor a queue grows.
TEST_F(DeviceEnqueue, longChainsOfKernels) {
  onDevice = createOnDevice(kOnDevice, 1024);
  ASSERT_SUCCESS(clSetDefaultDeviceCommandQueue(context, device, onDevice));
  const std::vector<cl_int> out = run(R"(
    void step(global int* out, int left) {
      ++*out;
      if (left > 0 && enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ step(out, left - 1); })) out[1] = left;
    }
    kernel void k(global int* out) { step(out, 20000); })",
                                      "k", 1);
  EXPECT_EQ(out[0], 20001);
  EXPECT_EQ(out[1], 0);
}

// The example of every text about it: a sort that knows only when it runs how much there is to do.
TEST_F(DeviceEnqueue, quicksort) {
  cl_program program = build(R"(
    void sort(global int* data, int first, int last) {
      int pivot = data[(first + last) / 2], i = first, j = last;
      while (i <= j) {
        while (data[i] < pivot) ++i;
        while (data[j] > pivot) --j;
        if (i <= j) { int t = data[i]; data[i++] = data[j]; data[j--] = t; }
      }
      queue_t queue = get_default_queue();
      if (first < j) enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ sort(data, first, j); });
      if (i < last) enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ sort(data, i, last); });
    }
    kernel void k(global int* data) { sort(data, 0, 4999); })",
                             "-cl-std=CL3.0");
  std::vector<cl_int> data(5000);
  std::mt19937 random(7);
  for (cl_int& each : data) each = cl_int(random() % 10000);
  cl_mem buffer = bufferOf(data);
  enqueue(program, "k", 1, buffer);
  std::ranges::sort(data);
  EXPECT_EQ(read<cl_int>(buffer, data.size()), data);
}

TEST_F(DeviceEnqueue, eventsOrderKernels) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out, queue_t queue) {
      clk_event_t ended[8], both[2], all;
      for (int i = 0; i < 8; ++i)
        enqueue_kernel(queue, 0, ndrange_1D(1), i > 0, i > 0 ? &ended[i - 1] : 0, &ended[i],
                       ^{ out[i] = (i > 0 ? out[i - 1] : 0) + i; });
      enqueue_marker(queue, 2, &ended[6], &all);
      enqueue_kernel(queue, 0, ndrange_1D(8), 1, &all, 0, ^{ out[8 + get_global_id(0)] = out[get_global_id(0)]; });
      for (int i = 0; i < 8; ++i) release_event(ended[i]);
      release_event(all);
    })",
                                      "k", 1);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(out[8 + i], cl_int(i * (i + 1) / 2));
}

// An event of a kernel is complete when all is that the kernel has enqueued.
TEST_F(DeviceEnqueue, eventsAreCompleteWithTheChildren) {
  const std::vector<cl_int> out = run(R"(
    void down(global int* out, int depth) {
      if (depth == 0) out[0] = 5;
      else enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ down(out, depth - 1); });
    }
    kernel void k(global int* out, queue_t queue) {
      clk_event_t event;
      enqueue_kernel(queue, 0, ndrange_1D(1), 0, 0, &event, ^{ down(out, 10); });
      enqueue_kernel(queue, 0, ndrange_1D(1), 1, &event, 0, ^{ out[1] = out[0]; });
      release_event(event);
    })",
                                      "k", 1);
  EXPECT_EQ(out[1], 5);
}

TEST_F(DeviceEnqueue, userEventsHoldKernelsBack) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out, queue_t queue) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(queue, 0, ndrange_1D(1), 1, &gate, 0, ^{ out[1] = out[0] + 1; });
      enqueue_kernel(queue, 0, ndrange_1D(1), ^{
        out[0] = 7;
        set_user_event_status(gate, CL_COMPLETE);
        release_event(gate);
      });
    })",
                                      "k", 1);
  EXPECT_EQ(out[0], 7);
  EXPECT_EQ(out[1], 8);
}

TEST_F(DeviceEnqueue, eventsAreValidAsLongAsThereAreReferences) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out) {
      clk_event_t event = create_user_event(), none = CLK_NULL_EVENT, other;
      out[0] = is_valid_event(event);
      out[1] = is_valid_event(none);
      retain_event(event);
      release_event(event);
      out[2] = is_valid_event(event);
      set_user_event_status(event, CL_COMPLETE);
      out[3] = is_valid_event(event);
      release_event(event);
      out[4] = is_valid_event(event);
    })",
                                      "k", 1);
  EXPECT_EQ(std::vector<cl_int>(out.begin(), out.begin() + 5), (std::vector<cl_int>{1, 0, 1, 1, 0}));
}

// Each waits for the one before it: what ends the first ends all, without a call in a call.
TEST_F(DeviceEnqueue, longChainsOfMarkers) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out, queue_t queue) {
      clk_event_t first = create_user_event(), last = first;
      for (int i = 0; i < 30000; ++i) {
        clk_event_t next;
        if (enqueue_marker(queue, 1, &last, &next)) { out[1] = i; return; }
        if (i > 0) release_event(last);
        last = next;
      }
      enqueue_kernel(queue, 0, ndrange_1D(4), 1, &last, 0, ^{ atomic_inc(out); });
      release_event(last);
      set_user_event_status(first, CL_COMPLETE);
      release_event(first);
    })",
                                      "k", 1);
  EXPECT_EQ(out[0], 4);
  EXPECT_EQ(out[1], 0);
}

TEST_F(DeviceEnqueue, timesOfAKernel) {
  cl_program program = build(R"(
    void spin(global ulong* out) { for (int i = 0; i < 100000; ++i) atomic_inc((volatile global uint*)(out + 8)); }
    kernel void k(global ulong* out, queue_t queue) {
      clk_event_t event;
      enqueue_kernel(queue, 0, ndrange_1D(1), 0, 0, &event,
                     ^{ enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ spin(out); }); });
      capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, out);
      release_event(event);
    })",
                             "-cl-std=CL3.0");
  cl_mem out = bufferOf(std::vector<cl_ulong>(16, 0));
  cl_event event = enqueue(program, "k", 1, out);
  const std::vector<cl_ulong> times = read<cl_ulong>(out, 16);
  EXPECT_GT(times[0], 0U);
  EXPECT_GT(times[1], times[0]) << "complete before its child has ended";
  // The command of the host has ended before it is complete.
  EXPECT_LT(infoOf<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END),
            infoOf<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_COMPLETE));
}

TEST_F(DeviceEnqueue, factsOfABlock) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out) {
      void (^block)(void) = ^{ out[60] = sub_group_reduce_add(1); };
      void (^withLocal)(local void*) = ^(local void* p) { out[61] = *(local int*)p; };
      out[0] = get_kernel_work_group_size(block);
      out[1] = get_kernel_work_group_size(withLocal);
      out[2] = get_kernel_preferred_work_group_size_multiple(block);
      out[3] = get_kernel_preferred_work_group_size_multiple(withLocal);
      out[4] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(64, 64), block);
      out[5] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(64, 64), block);
      out[6] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(2, 1), block);
    })",
                                      "k", 1);
  const auto most = cl_int(infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  EXPECT_EQ(out[0], most);
  EXPECT_EQ(out[1], most);
  EXPECT_GT(out[2], 0);
  EXPECT_GT(out[3], 0);
  EXPECT_EQ(out[4] * out[5], 64);
  EXPECT_EQ(out[6], 1);
}

TEST_F(DeviceEnqueue, blocksThatAreOnlyCalled) {
  const std::vector<cl_int> out = run(R"(
    kernel void k(global int* out) {
      int n = 3;
      int (^times)(int) = ^(int x) { return x * n + (int)get_global_id(0); };
      out[get_global_id(0)] = times(5);
    })",
                                      "k", 64);
  for (cl_int i = 0; i < 64; ++i) EXPECT_EQ(out[size_t(i)], 15 + i);
}

// Blocks are no kernels of the application.
TEST_F(DeviceEnqueue, blocksAreNotListed) {
  cl_program program = build(R"(
    kernel void k(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ *out = 1; }); })",
                             "-cl-std=CL3.0");
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 1U);
  EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES), "k");
  for (const char* name : {"k.block", "__k_block_invoke_kernel", "__k_block_invoke"})
    expectFails(CL_INVALID_KERNEL_NAME, [&](cl_int* e) { return clCreateKernel(program, name, e); });
}

// A binary, and objects that are linked, know their blocks; helpers of one name in two objects do not meet.
TEST_F(DeviceEnqueue, compiledAndLinked) {
  const auto compiled = [&](const char* text) {
    cl_program made = source(text);
    EXPECT_SUCCESS(clCompileProgram(made, 0, nullptr, "-cl-std=CL3.0", 0, nullptr, nullptr, nullptr, nullptr));
    return made;
  };
  const cl_program parts[] = {compiled(R"(
    static void helper(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 1; }); }
    void second(global int* out);
    kernel void k(global int* out) { helper(out); second(out); })"),
                              compiled(R"(
    static void helper(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[1] = 2; }); }
    void second(global int* out) { helper(out); })")};
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 2, parts, nullptr, nullptr, e); });
  const auto check = [&](cl_program program) {
    const std::vector<cl_int> out = run(program, "k", 1);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 2);
  };
  check(linked);
  const auto size = infoOf<size_t>(clGetProgramInfo, linked, CL_PROGRAM_BINARY_SIZES);
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  ASSERT_SUCCESS(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  cl_program again = fromBinary(binary);
  ASSERT_SUCCESS(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr));
  check(again);
}

// A sub-device has command-queues of its own.
TEST_F(DeviceEnqueue, subDevices) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 1, &part, nullptr));
  keep(part);
  const Own own = createOwn(part, nullptr,
                            "kernel void k(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(8), "
                            "^{ out[get_global_id(0)] = 4; }); }",
                            32);
  const size_t one = 1;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(own.host, own.parent, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  std::vector<cl_int> result(8);
  ASSERT_SUCCESS(clEnqueueReadBuffer(own.host, own.out, CL_TRUE, 0, 32, result.data(), 0, nullptr, nullptr));
  EXPECT_EQ(result, std::vector<cl_int>(8, 4));
}

}  // namespace
}  // namespace clarity::test
