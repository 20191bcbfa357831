// SPDX-License-Identifier: Apache-2.0
// This file is a program for many devices of other nodes: what commands cost rank 0, how long content takes to reach
// all, and steps in which neighbours exchange their edges. On modelled nodes (network.h) the times are those of rank
// 0's clock, over a network or between ranks of one machine ("shared"); on real ones ("real") those of the wall and of
// the process's processors.
#include "control.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

const char* const source = R"(
  kernel void work(global const float* all, global float* own) { own[get_global_id(0)] += all[0]; }
  kernel void nothing(global float* own) {}
)";

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(1);
}

/// Ranks of one machine, as Open MPI's ping-pong has it.
constexpr ClarityClusterModel sharedMemory{.latency = 350,
                                           .hop = 0,
                                           .bandwidth = 3.2,
                                           .oversubscription = 1,
                                           .ranksBelow = 1 << 20,
                                           .frame = 100,
                                           .kernel = 300};

/// Seconds.
struct Moment {
  double wall = 0, processor = 0;
};

class Clock {
public:
  explicit Clock(bool isModel) {
    if (!isModel) return;
    void* const driver = dlopen(std::getenv("CLARITY_MODEL_DRIVER"), RTLD_LAZY | RTLD_NOLOAD);
    counts_ = driver ? reinterpret_cast<decltype(counts_)>(dlsym(driver, "clarityClusterCounts")) : nullptr;
    model_ = driver ? reinterpret_cast<decltype(model_)>(dlsym(driver, "clarityClusterModel")) : nullptr;
    if (!counts_ || !model_) check(-1, "CLARITY_MODEL_DRIVER is not the driver with modelled nodes");
  }
  Moment now() const {
    if (counts_) {
      const ClarityClusterCounts counts = this->counts();
      return {1e-9 * double(counts.clock), 1e-9 * double(counts.computed)};
    }
    timespec processor{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
    return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            double(processor.tv_sec) + 1e-9 * double(processor.tv_nsec)};
  }
  ClarityClusterCounts counts() const {
    ClarityClusterCounts counts{};
    if (counts_) counts_(&counts);
    return counts;
  }
  void set(const ClarityClusterModel& model) const {
    if (model_) model_(&model);
  }
  bool isModel() const { return counts_ != nullptr; }

private:
  decltype(&clarityClusterCounts) counts_ = nullptr;
  decltype(&clarityClusterModel) model_ = nullptr;
};

struct Devices {
  cl_context context = nullptr;
  std::vector<cl_device_id> ids;
  std::vector<cl_command_queue> queues;
  cl_program program = nullptr;

  Devices() {
    cl_platform_id platform = nullptr;
    cl_uint count = 0;
    cl_int code = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
    std::vector<cl_device_id> all(count);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr), "clGetDeviceIDs");
    for (cl_device_id each : all) {
      char name[512] = "";
      clGetDeviceInfo(each, CL_DEVICE_NAME, sizeof name, name, nullptr);
      if (std::strstr(name, ", rank ")) ids.push_back(each);
    }
    const auto tell = [](const char* text, const void*, size_t, void*) { std::fprintf(stderr, "%s\n", text); };
    context = clCreateContext(nullptr, cl_uint(ids.size()), ids.data(), tell, nullptr, &code);
    check(code, "clCreateContext");
    for (cl_device_id each : ids) {
      queues.push_back(clCreateCommandQueueWithProperties(context, each, nullptr, &code));
      check(code, "clCreateCommandQueueWithProperties");
    }
    program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &code);
    check(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), "clBuildProgram");
  }
  size_t size() const { return ids.size(); }
  cl_mem buffer(size_t bytes, void* content = nullptr) const {
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateBuffer(context, content ? CL_MEM_COPY_HOST_PTR : 0, bytes, content, &code);
    check(code, "clCreateBuffer");
    return made;
  }
  cl_kernel kernel(const char* name, std::vector<cl_mem> arguments) const {
    cl_int code = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    for (cl_uint i = 0; i < arguments.size(); ++i) check(clSetKernelArg(made, i, sizeof(cl_mem), &arguments[i]), "arg");
    return made;
  }
  void launch(size_t on, cl_kernel kernel, std::vector<cl_event> after = {}, cl_event* event = nullptr) const {
    constexpr size_t global = 1;
    check(clEnqueueNDRangeKernel(queues[on], kernel, 1, nullptr, &global, nullptr, cl_uint(after.size()),
                                 after.empty() ? nullptr : after.data(), event),
          "clEnqueueNDRangeKernel");
  }
  void flush() const {
    for (cl_command_queue each : queues) check(clFlush(each), "clFlush");
  }
  void finish() const {
    for (cl_command_queue each : queues) check(clFinish(each), "clFinish");
  }
};

/// The best of several times, per command.
struct Best {
  Moment least{1e9, 1e9};
  void add(const Moment& before, const Moment& after, double commands) {
    least.wall = std::min(least.wall, (after.wall - before.wall) / commands);
    least.processor = std::min(least.processor, (after.processor - before.processor) / commands);
  }
};

/// Launches to all devices in turn, flushed each by itself or not.
void launches(const Devices& devices, const Clock& clock, bool flushesEach) {
  std::vector<cl_kernel> kernels;
  for (size_t i = 0; i < devices.size(); ++i) kernels.push_back(devices.kernel("nothing", {devices.buffer(64)}));
  const size_t each = std::max<size_t>(4, 4000 / devices.size());
  Best best;
  for (int round = 0; round < 6; ++round) {
    const Moment before = clock.now();
    for (size_t n = 0; n < each; ++n)
      for (size_t i = 0; i < devices.size(); ++i) {
        devices.launch(i, kernels[i]);
        if (flushesEach) check(clFlush(devices.queues[i]), "clFlush");
      }
    devices.flush();
    devices.finish();
    if (round > 0) best.add(before, clock.now(), double(each * devices.size()));
  }
  std::printf("%s, us a command: %.2f by the clock, %.2f of rank 0's processor\n",
              flushesEach ? "launches, each flushed" : "launches", 1e6 * best.least.wall, 1e6 * best.least.processor);
}

/// One launch for each device and the wait for all: the shortest step that keeps all nodes in step.
void rounds(const Devices& devices, const Clock& clock) {
  std::vector<cl_kernel> kernels;
  for (size_t i = 0; i < devices.size(); ++i) kernels.push_back(devices.kernel("nothing", {devices.buffer(64)}));
  Best best;
  for (int round = 0; round < 30; ++round) {
    const Moment before = clock.now();
    for (size_t i = 0; i < devices.size(); ++i) devices.launch(i, kernels[i]);
    devices.flush();
    devices.finish();
    if (round > 1) best.add(before, clock.now(), 1);
  }
  std::printf("one launch on each and the wait for all: %.1f us\n", 1e6 * best.least.wall);
}

/// A buffer that the host has and all devices read.
void broadcast(const Devices& devices, const Clock& clock, size_t bytes) {
  std::vector<char> content(bytes, 1);
  Best best;
  unsigned long long fromHost = 0;
  for (int round = 0; round < 3; ++round) {
    cl_mem all = devices.buffer(bytes, content.data());
    std::vector<cl_kernel> kernels;
    for (size_t i = 0; i < devices.size(); ++i) kernels.push_back(devices.kernel("work", {all, devices.buffer(64)}));
    const Moment before = clock.now();
    const auto sent = clock.counts().fromHost;
    for (size_t i = 0; i < devices.size(); ++i) devices.launch(i, kernels[i]);
    devices.flush();
    devices.finish();
    if (round > 0) best.add(before, clock.now(), 1);
    fromHost = clock.counts().fromHost - sent;
    clReleaseMemObject(all);
  }
  std::printf("%zu MiB to all: %.1f ms, %.2f GB/s for each", bytes >> 20, 1e3 * best.least.wall,
              1e-9 * double(bytes) / best.least.wall);
  if (clock.isModel()) std::printf(", %llu MiB of it from rank 0", fromHost >> 20);
  std::printf("\n");
}

/// Steps of a stencil: each device computes, then gets an edge of both neighbours.
void steps(const Devices& devices, const Clock& clock, size_t edge) {
  const size_t n = devices.size();
  std::vector<cl_mem> own, left, right;
  std::vector<cl_kernel> kernels;
  for (size_t i = 0; i < n; ++i) {
    own.push_back(devices.buffer(4 * edge));
    left.push_back(devices.buffer(edge));
    right.push_back(devices.buffer(edge));
    kernels.push_back(devices.kernel("nothing", {own[i]}));
  }
  constexpr int count = 20;
  Best best;
  for (int round = 0; round < 3; ++round) {
    const Moment before = clock.now();
    std::vector<cl_event> computed(n), exchanged(n);
    for (int step = 0; step < count; ++step) {
      for (size_t i = 0; i < n; ++i) {
        std::vector<cl_event> after;
        if (step > 0) after = {exchanged[(i + n - 1) % n], exchanged[(i + 1) % n]};
        cl_event event = nullptr;
        devices.launch(i, kernels[i], after, &event);
        if (computed[i]) clReleaseEvent(computed[i]);
        computed[i] = event;
      }
      devices.flush();
      for (size_t i = 0; i < n; ++i) {
        const cl_event fromLeft[] = {computed[(i + n - 1) % n]}, fromRight[] = {computed[(i + 1) % n]};
        check(clEnqueueCopyBuffer(devices.queues[i], own[(i + n - 1) % n], left[i], 0, 0, edge, 1, fromLeft, nullptr),
              "clEnqueueCopyBuffer");
        cl_event event = nullptr;
        check(clEnqueueCopyBuffer(devices.queues[i], own[(i + 1) % n], right[i], edge, 0, edge, 1, fromRight, &event),
              "clEnqueueCopyBuffer");
        if (exchanged[i]) clReleaseEvent(exchanged[i]);
        exchanged[i] = event;
      }
      devices.flush();
    }
    devices.finish();
    if (round > 0) best.add(before, clock.now(), count);
    for (size_t i = 0; i < n; ++i) clReleaseEvent(computed[i]), clReleaseEvent(exchanged[i]);
  }
  std::printf("steps that exchange %zu KiB with both neighbours: %.1f us each\n", edge >> 10, 1e6 * best.least.wall);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view way = count > 1 ? words[1] : "network";
  Devices devices;
  const Clock clock(way != "real");
  if (way == "shared") clock.set(sharedMemory);
  std::printf("nodes %zu\n", devices.size());
  launches(devices, clock, false);
  launches(devices, clock, true);
  rounds(devices, clock);
  steps(devices, clock, size_t{64} << 10);
  broadcast(devices, clock, size_t{64} << 20);
  // Ranks that are left without a word would end the job improperly.
  if (way == "real") return 0;
  std::fflush(stdout);
  std::_Exit(0);
}
