// SPDX-License-Identifier: Apache-2.0
// This file tests work-groups that wait for each other: as many as there are compute units make progress at the same
// time, and those with smaller numbers begin first. A group that does not end fails by the test's time limit.
#include "group_launches.h"

#include <numeric>

namespace {

const char* const optionSets[] = {"", "-cl-clarity-packet-width=1", "-cl-opt-disable"};

class GroupProgress : public groups::Launches {
protected:
  void SetUp() override {
    Launches::SetUp();
    if (!onProcessor()) GTEST_SKIP() << "a GPU runs work-groups as it does";
    clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units_, &units_, nullptr);
  }

  /// `test(global uint *state, global uint *out)` with a state of zeros; the result for each work-item.
  std::vector<cl_uint> results(std::size_t groups, std::size_t size, std::size_t words) {
    std::vector<cl_uint> out(groups * size, 77);
    cl_mem state = bufferOf(std::vector<cl_uint>(words, 0)), output = bufferOf(out);
    launch("test", {groups * size}, {size}, state, output);
    take(output, out);
    clReleaseMemObject(state);
    return out;
  }

  /// All groups, as many as there are compute units, see what the others have done before each of the meetings.
  void expectMeetings(const std::string& source) {
    for (const char* options : optionSets) {
      if (!changeCode(options)) continue;
      build(source, options);
      for (const std::size_t size : {1u, 100u}) {
        if (HasFailure()) return;
        SCOPED_TRACE("groups of " + std::to_string(size) + ", options '" + options + "'");
        EXPECT_EQ(results(units_, size, 2 + units_ * size), std::vector<cl_uint>(units_ * size, 4));
      }
    }
  }

  cl_uint units_ = 0;
};

/// Each work-item counts in how many of four rounds it sees what one of another group has written.
const char* const rounds = R"(
kernel void test(volatile global uint *state, global uint *out) {
  volatile global uint *values = state + 2;
  uint right = 0;
  for (uint i = 0; i < 4; ++i) {
    values[get_global_id(0)] = i * 1000 + get_global_id(0);
    meet(state, (2 * i + 1) * get_num_groups(0));
    const uint other = (get_global_id(0) + get_local_size(0)) % get_global_size(0);
    right += values[other] == i * 1000 + other;
    meet(state, (2 * i + 2) * get_num_groups(0));
  }
  out[get_global_id(0)] = right;
})";

TEST_F(GroupProgress, meetByAtomicFunctions) {
  expectMeetings(std::string(R"(
void meet(volatile global uint *state, uint goal) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_inc(state);
    while (atomic_add(state, 0) < goal) ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
})") + rounds);
}

TEST_F(GroupProgress, meetByAtomicTypes) {
  expectMeetings(std::string(R"(
void meet(volatile global uint *state, uint goal) {
  volatile global atomic_uint *count = (volatile global atomic_uint *)state;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
    while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < goal) ;
  }
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
})") + rounds);
}

/// As OpenDwarfs' swat does, and with a meeting of the work-group in each turn.
TEST_F(GroupProgress, meetByVolatileMemory) {
  expectMeetings(std::string(R"(
void meet(volatile global uint *mutex, uint goal) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  const int tid = get_local_id(0) * get_local_size(1) + get_local_id(1);
  if (tid == 0) {
    atom_add(mutex, 1);
    while (*mutex < goal) {}
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
})") + rounds);
  expectMeetings(R"(
void meetIn(volatile global uint *state, uint goal, local uint *seen) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_inc(state);
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) *seen = atomic_or(state, 0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  } while (*seen < goal);
}
#define meet(state, goal) meetIn(state, goal, &seen)
)" + std::string(rounds).insert(std::string(rounds).find("  uint right"), "  local uint seen;\n"));
}

/// The second to come opens the first one's gate.
TEST_F(GroupProgress, waitForALaterGroup) {
  if (units_ < 2) GTEST_SKIP() << "one compute unit";
  for (const char* options : optionSets) {
    if (!changeCode(options)) continue;
    build(R"(
kernel void test(global uint *state, global uint *out) {
  global uint *mine = state + get_group_id(0), *next = mine + 1;
  if (get_local_id(0) == 0) {
    if (get_group_id(0) + 1 < get_num_groups(0))
      while (atomic_cmpxchg(next, 1, 1) != 1) ;
    atomic_xchg(mine, 1);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
})",
          options);
    EXPECT_EQ(results(units_, 16, units_), std::vector<cl_uint>(units_ * 16, 1)) << options;
  }
}

/// A lock that many groups want, of one work-item and of several.
TEST_F(GroupProgress, lockEachOtherOut) {
  for (const char* options : optionSets)
    for (const std::size_t size : {1u, 64u}) {
      build(R"(
kernel void test(volatile global uint *state, global uint *out) {
  if (get_local_id(0) == 0)
    for (int i = 0; i < 20; ++i) {
      while (atomic_cmpxchg(state, 0, 1) != 0) ;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      state[1] += 1;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(state, 0);
    }
  out[get_global_id(0)] = 1;
}
kernel void count(global const uint *state, global uint *out) { *out = state[1]; })",
            options);
      const std::size_t groups = 8 * units_;
      std::vector<cl_uint> out(groups * size, 77), counted(1);
      cl_mem state = bufferOf(std::vector<cl_uint>(2, 0)), output = bufferOf(out), count = bufferOf(counted);
      launch("test", {groups * size}, {size}, state, output);
      launch("count", {1}, {1}, state, count);
      take(output, out);
      take(count, counted);
      clReleaseMemObject(state);
      EXPECT_EQ(out, std::vector<cl_uint>(groups * size, 1));
      EXPECT_EQ(counted[0], 20 * groups) << "groups of " << size << ", options '" << options << "'";
    }
}

/// A scan in one pass: a group waits for what those before it have published, which began earlier.
TEST_F(GroupProgress, lookBack) {
  for (const char* options : optionSets)
    for (const std::size_t size : {1u, 64u}) {
      build(R"(
kernel void test(global uint *state, global uint *out) {
  volatile global atomic_uint *published = (volatile global atomic_uint *)state;
  local uint before;
  const uint group = get_group_id(0), sum = get_local_size(0);
  if (get_local_id(0) == 0) {
    if (group == 0) {
      atomic_store_explicit(published, sum << 2 | 2, memory_order_release, memory_scope_device);
      before = 0;
    } else {
      atomic_store_explicit(published + group, sum << 2 | 1, memory_order_release, memory_scope_device);
      uint found = 0;
      int at = group - 1;
      while (true) {
        const uint seen = atomic_load_explicit(published + at, memory_order_acquire, memory_scope_device);
        if (seen == 0) continue;
        found += seen >> 2;
        if (seen & 2) break;
        --at;
      }
      atomic_store_explicit(published + group, (found + sum) << 2 | 2, memory_order_release, memory_scope_device);
      before = found;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before + get_local_id(0);
})",
            options);
      const std::size_t groups = 9 * units_ + 5;
      std::vector<cl_uint> expected(groups * size);
      std::iota(expected.begin(), expected.end(), 0u);
      EXPECT_EQ(results(groups, size, groups), expected) << "groups of " << size << ", options '" << options << "'";
    }
}

/// Launches in two command-queues, each of as many groups as there are compute units, and one of a sub-device.
TEST_F(GroupProgress, severalLaunchesAtOnce) {
  build(std::string(R"(
void meet(volatile global uint *state, uint goal) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_inc(state);
    while (atomic_add(state, 0) < goal) ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
})") + rounds,
        "");
  const std::size_t size = 32, items = units_ * size;
  std::vector<cl_command_queue> queues;
  std::vector<cl_mem> states, outputs;
  for (int i = 0; i < 3; ++i) {
    queues.push_back(clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr));
    states.push_back(bufferOf(std::vector<cl_uint>(2 + items, 0)));
    outputs.push_back(bufferOf(std::vector<cl_uint>(items, 77)));
    cl_kernel kernel = clCreateKernel(program_, "test", nullptr);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &states.back());
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &outputs.back());
    EXPECT_EQ(clEnqueueNDRangeKernel(queues.back(), kernel, 1, nullptr, &items, &size, 0, nullptr, nullptr),
              CL_SUCCESS);
    clFlush(queues.back());
    clReleaseKernel(kernel);
  }
  for (int i = 0; i < 3; ++i) {
    std::vector<cl_uint> out(items);
    clFinish(queues[i]);
    take(outputs[i], out);
    EXPECT_EQ(out, std::vector<cl_uint>(items, 4));
    clReleaseMemObject(states[i]);
    clReleaseCommandQueue(queues[i]);
  }
}

TEST_F(GroupProgress, ofASubDevice) {
  if (units_ < 4) GTEST_SKIP() << "fewer than four compute units";
  const cl_device_partition_property half[] = {CL_DEVICE_PARTITION_EQUALLY, units_ / 2, 0};
  cl_device_id root = device_, parts[2] = {};
  ASSERT_EQ(clCreateSubDevices(root, half, 2, parts, nullptr), CL_SUCCESS);
  cl_context whole = context_;
  cl_command_queue queue = queue_;
  device_ = parts[0];
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  units_ /= 2;
  expectMeetings(std::string(R"(
void meet(volatile global uint *state, uint goal) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_inc(state);
    while (atomic_add(state, 0) < goal) ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
})") + rounds);
  clReleaseProgram(program_);
  program_ = nullptr;
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
  context_ = whole;
  queue_ = queue;
  for (cl_device_id part : parts) clReleaseDevice(part);
  device_ = root;
}

}  // namespace
