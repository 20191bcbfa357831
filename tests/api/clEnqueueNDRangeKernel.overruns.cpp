// SPDX-License-Identifier: Apache-2.0
// This file tests accesses outside of every kind of memory that a kernel has, near and far, upwards and downwards: they
// reach memory of the device or end the command with a sentence, and nothing of the process is damaged.
#include "enqueue_checks.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

namespace clarity::test {
namespace {

const char* const kOverrunSource = R"(
kernel void global_store(global float* data, long by) { data[(long)get_global_id(0) + by] = 1; }
kernel void global_load(global float* data, long by) {
  data[get_global_id(0)] = data[(long)get_global_id(0) + by];
}
kernel void vectors_store(global float4* data, long by) { data[(long)get_global_id(0) + by] = 1; }
kernel void vectors_load(global float4* data, long by) {
  data[get_global_id(0)] = data[(long)get_global_id(0) + by];
}
kernel void constant_load(global float* data, long by, constant float* table) {
  data[get_global_id(0)] = table[(long)(get_global_id(0) & 63) + by];
}
kernel void array_store(global float* data, long by) {
  local float tile[64];
  tile[get_local_id(0)] = get_global_id(0);
  tile[(long)get_local_id(0) + by] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[63 - get_local_id(0)];
}
kernel void array_load(global float* data, long by) {
  local float tile[64];
  tile[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[(long)get_local_id(0) + by];
}
kernel void argument_store(global float* data, long by, local float* tile) {
  tile[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[(long)get_local_id(0) + by] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[63 - get_local_id(0)];
}
kernel void argument_load(global float* data, long by, local float* tile) {
  tile[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[(long)get_local_id(0) + by];
}
kernel void kept_store(global float* data, long by) {
  float kept[32];
  for (int i = 0; i < 32; ++i) kept[i] = data[get_global_id(0)] + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  kept[by] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = kept[get_local_id(0) & 31];
}
kernel void kept_load(global float* data, long by) {
  float kept[32];
  for (int i = 0; i < 32; ++i) kept[i] = data[get_global_id(0)] + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = kept[by] + kept[get_local_id(0) & 31];
}
global float variable[64];
kernel void variable_store(global float* data, long by) {
  variable[(long)(get_global_id(0) & 63) + by] = 1;
  data[get_global_id(0)] = variable[get_global_id(0) & 63];
}
kernel void variable_load(global float* data, long by) {
  data[get_global_id(0)] = variable[(long)(get_global_id(0) & 63) + by];
}
kernel void reduction_store(global int* data, long by) { atomic_add(&data[(long)(get_global_id(0) & 15) + by], 1); }
kernel void good(global int* data) { data[get_global_id(0)] = get_global_id(0) + 1; }
)";

/// A kernel that accesses its memory at an index that is too high or low by an argument, and what it is launched with.
struct Overrun {
  const char* kernel;
  size_t bytes;         ///< bytes of the buffer `data`
  size_t items;         ///< all of them within the buffer
  const char* meant;    ///< the text that the report must name
  size_t element = 4;   ///< bytes
  size_t reach = 4096;  ///< bytes: what is further outside, upwards, must be reported
  size_t parent = 0;    ///< bytes of the buffer that `data` is a part of
};

const std::vector<Overrun> kOverruns{
    {"global_store", 64, 16, "argument 0 'data'"},
    {"global_load", 64, 16, "argument 0 'data'"},
    {"global_store", 100'000, 25'000, "argument 0 'data'"},
    {"global_load", 4 << 20, 1 << 20, "argument 0 'data'"},
    {"global_store", 4 << 20, 1 << 20, "argument 0 'data'"},
    {"global_store", 4096, 1024, "argument 0 'data'", 4, 8192, 8192},
    {"vectors_store", 64, 4, "argument 0 'data'", 16},
    {"vectors_load", 1 << 20, 1 << 16, "argument 0 'data'", 16},
    {"constant_load", 4096, 1024, "argument 2 'table'"},
    {"array_store", 4096, 1024, "local array 'tile'"},
    {"array_load", 4096, 1024, "local array 'tile'"},
    {"array_store", 1 << 20, 1 << 18, "local array 'tile'"},
    {"argument_store", 4096, 1024, "local argument 2 'tile'"},
    {"argument_load", 1 << 20, 1 << 18, "local argument 2 'tile'"},
    {"kept_store", 4096, 1024, "the private memory that work-items keep across a barrier", 4, 1 << 20},
    {"kept_load", 4096, 1024, "the private memory that work-items keep across a barrier", 4, 1 << 20},
    {"variable_store", 4096, 1024, "program-scope variable 'variable'"},
    {"variable_load", 4096, 1024, "program-scope variable 'variable'"},
    {"reduction_store", 64, 16, "argument 0 'data'"},
    {"reduction_store", 64, 1 << 20, "argument 0 'data'"},
};

/// Memory of the process that nothing of OpenCL may change, and the heap's own records.
class Heap {
public:
  Heap() {
    for (size_t i = 0; i < 2000; ++i) {
      blocks_.push_back(make(i));
      if (i % 3 == 0) blocks_[i / 2].reset();  // free places between those that are used
    }
  }
  /// Everything is as it was, and more can be allocated and freed.
  void expectIntact() const {
    size_t changed = 0;
    for (size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i]) changed += *blocks_[i] != std::vector<unsigned char>(sizeOf(i), static_cast<unsigned char>(i));
    EXPECT_EQ(changed, 0U) << "memory of the process was overwritten";
    std::vector<std::unique_ptr<std::vector<unsigned char>>> more;
    for (size_t i = 0; i < 2000; ++i) more.push_back(make(i + 1));
  }

private:
  static size_t sizeOf(size_t i) { return 1 + i * 37 % 700 + (i % 100 == 0 ? 50'000 : 0); }
  static std::unique_ptr<std::vector<unsigned char>> make(size_t i) {
    return std::make_unique<std::vector<unsigned char>>(sizeOf(i), static_cast<unsigned char>(i));
  }
  std::vector<std::unique_ptr<std::vector<unsigned char>>> blocks_;
};

struct NDRangeKernelOverruns : OpenCL {
  Heap heap;
  cl_program program = nullptr;

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE) != CL_DEVICE_TYPE_CPU)
      GTEST_SKIP() << "only the CPU device keeps its memory apart from the host's";
    program = build(kOverrunSource, "-cl-std=CL3.0");
  }

  cl_mem dataOf(const Overrun& it) {
    if (it.parent == 0) return bufferOf(std::vector<cl_int>(it.bytes / 4, 0));
    const cl_buffer_region region{0, it.bytes};
    cl_mem parent = bufferOf(std::vector<cl_int>(it.parent / 4, 0));
    return created([&](cl_int* error) {
      return clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, error);
    });
  }

  /// The status of the command: an error, or that it is complete because it hit memory of the device.
  cl_int run(cl_command_queue on, const Overrun& it, cl_long by) {
    cl_kernel stray = kernel(program, it.kernel);
    cl_mem data = dataOf(it);
    EXPECT_SUCCESS(clSetKernelArg(stray, 0, sizeof data, &data));
    EXPECT_SUCCESS(clSetKernelArg(stray, 1, sizeof by, &by));
    const std::string_view name = it.kernel;
    if (name == "constant_load") {
      cl_mem table = bufferOf(std::vector<cl_float>(64, 1));
      EXPECT_SUCCESS(clSetKernelArg(stray, 2, sizeof table, &table));
    }
    if (name.starts_with("argument")) EXPECT_SUCCESS(clSetKernelArg(stray, 2, 64 * sizeof(cl_float), nullptr));
    const bool inGroups = !name.starts_with("global") && !name.starts_with("vectors");
    const size_t global = it.items;
    const size_t local = std::min<size_t>(64, global);
    cl_event event = nullptr;
    EXPECT_SUCCESS(
        clEnqueueNDRangeKernel(on, stray, 1, nullptr, &global, inGroups ? &local : nullptr, 0, nullptr, &event));
    if (event == nullptr) return CL_INVALID_EVENT;
    keep(event);
    clWaitForEvents(1, &event);
    const cl_int status = statusOf(event);
    EXPECT_LE(status, CL_COMPLETE) << "the wait ended before the command";
    const cl_int error = clFinish(on);
    EXPECT_TRUE(error == CL_SUCCESS || error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << errorName(error);
    return status;
  }

  void expectStillWorking(cl_command_queue on) {
    constexpr size_t kCount = 1000;
    cl_kernel good = kernel(program, "good");
    cl_mem fresh = bufferOf(std::vector<cl_int>(kCount, 0));
    ASSERT_SUCCESS(clSetKernelArg(good, 0, sizeof fresh, &fresh));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(on, good, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
    std::vector<cl_int> got(kCount);
    ASSERT_SUCCESS(
        clEnqueueReadBuffer(on, fresh, CL_TRUE, 0, kCount * sizeof(cl_int), got.data(), 0, nullptr, nullptr));
    for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], static_cast<cl_int>(i + 1));
  }

  void expectHarmless(cl_command_queue on, const Overrun& it, cl_long by) {
    SCOPED_TRACE(std::string(it.kernel) + ", " + std::to_string(it.bytes) + " bytes, by " + std::to_string(by));
    {
      const std::lock_guard lock(notifiedLock);
      notified.clear();
    }
    // Memory that is some megabytes away may be other memory of the device, or between that and the next: which one
    // lies there depends on all that the process has allocated.
    const bool mayBeOthers = std::abs(by) == 1 << 20;
    const cl_int status = run(on, it, by);
    heap.expectIntact();
    expectStillWorking(on);
    if (status != CL_COMPLETE) {
      EXPECT_CL(CL_INVALID_OPERATION, status);
      EXPECT_TRUE(wasNotified("kernel '" + std::string(it.kernel) + "'")) << allNotified();
      if (!mayBeOthers) EXPECT_TRUE(wasNotified(it.meant)) << allNotified();
      if (by != 0 && std::abs(by) <= 2000)
        EXPECT_TRUE(wasNotified(by > 0 ? " its end" : " before its beginning")) << allNotified();
    }
    const auto distance = by * static_cast<cl_long>(it.element);
    const bool reported = distance > static_cast<cl_long>(it.reach) && !mayBeOthers;
    if (reported) EXPECT_NE(status, CL_COMPLETE) << "not noticed";
  }

  cl_command_queue queueOfSubDevice() {
    const cl_device_partition_property how[]{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id part = nullptr;
    cl_uint count = 0;
    std::vector<cl_device_id> parts(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES));
    if (parts.empty()) return nullptr;
    if (clCreateSubDevices(device, how, static_cast<cl_uint>(parts.size()), parts.data(), &count) != CL_SUCCESS)
      return nullptr;
    part = parts.front();
    for (cl_uint i = 0; i < count; ++i) keep(parts[i]);
    context = created([&](cl_int* error) { return clCreateContext(nullptr, 1, &part, notifyThis, this, error); });
    program = nullptr;
    const char* text = kOverrunSource;
    program = created([&](cl_int* error) { return clCreateProgramWithSource(context, 1, &text, nullptr, error); });
    EXPECT_SUCCESS(clBuildProgram(program, 1, &part, "-cl-std=CL3.0", nullptr, nullptr));
    return created([&](cl_int* error) { return clCreateCommandQueueWithProperties(context, part, nullptr, error); });
  }

  static void CL_CALLBACK notifyThis(const char* text, const void*, size_t, void* fixture) {
    auto& self = *static_cast<NDRangeKernelOverruns*>(fixture);
    const std::lock_guard lock(self.notifiedLock);
    self.notified.emplace_back(text);
  }
};

// Distances in elements. 2^31 - 1 elements of 16 bytes are 32 GiB.
constexpr cl_long kFar = (cl_long{1} << 31) - 1;

TEST_F(NDRangeKernelOverruns, upwards) {
  for (const Overrun& each : kOverruns)
    for (const cl_long by : {cl_long{1}, cl_long{1000}, cl_long{2000}, cl_long{1} << 20, kFar})
      expectHarmless(queue, each, by);
}

TEST_F(NDRangeKernelOverruns, downwards) {
  for (const Overrun& each : kOverruns)
    for (const cl_long by : {cl_long{-1}, cl_long{-1000}, -(cl_long{1} << 20), -kFar}) expectHarmless(queue, each, by);
}

// The commonest mistake: a range that is larger than the buffers.
TEST_F(NDRangeKernelOverruns, aRangeLargerThanTheBuffer) {
  for (const size_t items : {size_t{1000}, size_t{20'000}, size_t{1} << 20, size_t{1} << 24})
    for (const char* each : {"global_store", "global_load"}) {
      SCOPED_TRACE(std::string(each) + " " + std::to_string(items));
      expectHarmless(queue, {each, 64, items, "argument 0 'data'"}, 0);
    }
}

TEST_F(NDRangeKernelOverruns, onASubDevice) {
  cl_command_queue on = queueOfSubDevice();
  if (on == nullptr) GTEST_SKIP() << "the device cannot be divided";
  for (const Overrun& each : kOverruns)
    for (const cl_long by : {cl_long{2000}, cl_long{-1000}}) expectHarmless(on, each, by);
}

// Buffers are in use by other threads meanwhile.
TEST_F(NDRangeKernelOverruns, fromEightThreadsAtOnce) {
  constexpr int kThreads = 8;
  std::vector<cl_command_queue> queues;
  for (int t = 0; t < kThreads; ++t) queues.push_back(anotherQueue());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 40; ++i) {
        const bool strays = i % 2 == 0;
        const size_t count = strays ? 16 : 1000;
        const size_t global = strays ? 5000 : count;
        const cl_long by = 0;
        cl_int error = CL_SUCCESS;
        cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, count * 4, nullptr, &error);
        cl_kernel which =
            clCreateKernel(program, strays ? i % 4 == 0 ? "global_store" : "array_store" : "good", &error);
        clSetKernelArg(which, 0, sizeof data, &data);
        if (strays) clSetKernelArg(which, 1, sizeof by, &by);
        const size_t local = 8;
        cl_event event = nullptr;
        wrong +=
            clEnqueueNDRangeKernel(queues[t], which, 1, nullptr, &global, &local, 0, nullptr, &event) != CL_SUCCESS;
        clWaitForEvents(1, &event);
        cl_int status = CL_SUCCESS;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        wrong += strays != (status < 0);
        if (!strays) {
          std::vector<cl_int> got(count);
          clEnqueueReadBuffer(queues[t], data, CL_TRUE, 0, count * 4, got.data(), 0, nullptr, nullptr);
          for (size_t k = 0; k < count; ++k) wrong += got[k] != static_cast<cl_int>(k + 1);
        }
        clFinish(queues[t]);
        clReleaseEvent(event);
        clReleaseKernel(which);
        clReleaseMemObject(data);
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
  heap.expectIntact();
  expectStillWorking(queue);
}

// Buffers of all sizes come and go; each keeps its content.
TEST_F(NDRangeKernelOverruns, buffersFromSixteenThreads) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      std::minstd_rand random(t + 1);
      cl_command_queue mine = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
      struct Made {
        cl_mem memory;
        size_t bytes;
        cl_uint mark;
      };
      std::vector<Made> all;
      const auto check = [&](const Made& each) {
        std::vector<cl_uint> got(each.bytes / 4);
        wrong += clEnqueueReadBuffer(mine, each.memory, CL_TRUE, 0, each.bytes, got.data(), 0, nullptr, nullptr) != 0;
        wrong += static_cast<size_t>(std::ranges::count(got, each.mark)) != got.size();
        wrong += clReleaseMemObject(each.memory) != CL_SUCCESS;
      };
      for (cl_uint i = 0; i < 600; ++i) {
        const size_t bytes = (i % 60 == 0 ? 3 << 20 : i % 6 == 0 ? 40'000 : 4) + random() % 1000 / 4 * 4;
        const cl_uint mark = t * 1000 + i;
        cl_int error = CL_SUCCESS;
        cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
        wrong += error != CL_SUCCESS;
        wrong += clEnqueueFillBuffer(mine, memory, &mark, sizeof mark, 0, bytes, 0, nullptr, nullptr) != CL_SUCCESS;
        all.push_back({memory, bytes, mark});
        if (all.size() < 30) continue;
        const size_t which = random() % all.size();
        check(all[which]);
        all[which] = all.back();
        all.pop_back();
      }
      for (const Made& each : all) check(each);
      clReleaseCommandQueue(mine);
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
}

// A child has the parent's addresses and none of its threads; one that uses nothing of OpenCL lives as usual.
TEST_F(NDRangeKernelOverruns, aForkedChildIsNotHurt) {
  for (const size_t bytes : {size_t{64}, size_t{100'000}, size_t{16} << 20}) buffer(bytes);
  expectStillWorking(queue);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::vector<char> some(1 << 20, 1);
    _exit(std::ranges::count(some, 1) == 1 << 20 ? 0 : 1);
  }
  expectStillWorking(queue);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// More memory than the process may have: an error of the call, and everything goes on when there is memory again.
TEST_F(NDRangeKernelOverruns, exhaustedMemoryIsAnError) {
  std::size_t pages = 0, skipped = 0, data = 0;
  std::ifstream("/proc/self/statm") >> pages >> skipped >> skipped >> skipped >> skipped >> data;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = data * 4096 + (rlim_t{256} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
  std::vector<cl_mem> made;
  cl_int error = CL_SUCCESS;
  while (made.size() < 100 && error == CL_SUCCESS) {
    made.push_back(clCreateBuffer(context, CL_MEM_READ_WRITE, 16 << 20, nullptr, &error));
    if (error != CL_SUCCESS) made.pop_back();
  }
  EXPECT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
  // A compile that makes the code generator ready (compiler/host/warm_up.h) may end meanwhile and give back its reserve
  // of 32 MiB and its heap: room for up to four more.
  EXPECT_LE(made.size(), 16U + 4U);
  EXPECT_TRUE(wasNotified("no memory for a buffer of 16777216 bytes")) << allNotified();
  for (cl_mem each : made) EXPECT_SUCCESS(clReleaseMemObject(each));
  expectStillWorking(queue);
}

}  // namespace
}  // namespace clarity::test
