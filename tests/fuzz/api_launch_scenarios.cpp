// SPDX-License-Identifier: Apache-2.0
// This file is the scenarios of launches: work that devices divide and content that moves between them, kernels that
// enqueue others, objects that callbacks release while commands use them.
#include "api_scenario.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace clarity::fuzz {
namespace {

cl_program built(Scenario& it, cl_context context, const char* source) {
  cl_program const program = it.keep(clCreateProgramWithSource(context, 1, &source, nullptr, nullptr), clReleaseProgram,
                                     "clCreateProgramWithSource");
  it.must(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
  return program;
}

cl_kernel kernelOf(Scenario& it, cl_program program, const char* name) {
  return it.keep(clCreateKernel(program, name, nullptr), clReleaseKernel, "clCreateKernel");
}

/// Buffers and what they must have, and commands on them, each behind the one before, on any device of the context.
class Buffers {
public:
  /// `first`: what all commands wait for; null: nothing.
  Buffers(Scenario& it, cl_event first) : it_(it), last_(first) {
    std::array<cl_device_id, 16> devices{};
    std::size_t bytes = 0;
    it.must(clGetContextInfo(it.stage.context, CL_CONTEXT_DEVICES, sizeof devices, devices.data(), &bytes),
            "clGetContextInfo");
    for (std::size_t i = 0; i < bytes / sizeof(cl_device_id); ++i) {
      cl_queue_properties flags = it.chance(50) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
      if (it.chance(30)) flags |= CL_QUEUE_PROFILING_ENABLE;
      const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
      queues_.push_back(it.keep(clCreateCommandQueueWithProperties(it.stage.context, devices[i], properties, nullptr),
                                clReleaseCommandQueue, "clCreateCommandQueueWithProperties"));
    }
    const cl_program program = built(it, it.stage.context, R"(
      kernel void add(global int* to, global const int* from, int n) {
        to[get_global_id(0)] = from[get_global_id(0)] + n;
      }
      kernel void turn(global int* to, global const int* from, int n) {
        to[get_global_id(0)] = from[(get_global_id(0) + n) % get_global_size(0)];
      })");
    add_ = kernelOf(it, program, "add");
    turn_ = kernelOf(it, program, "turn");
    for (cl_mem& each : memory_) each = it.buffer(count * sizeof(cl_int));
    for (std::size_t i = 0; i < memory_.size(); ++i) fill(i, 0, count);
  }

  void step() {
    Random& random = it_.stage.random;
    const auto to = static_cast<std::size_t>(random.below(std::ssize(memory_)));
    const std::size_t from = (to + 1) % memory_.size();
    const auto begin = static_cast<std::size_t>(random.below(count));
    const std::size_t size = 1 + static_cast<std::size_t>(random.below(static_cast<std::int64_t>(count - begin)));
    switch (random.below(6)) {
      case 0: return fill(to, begin, size);
      case 1: return copy(to, from, begin, size);
      case 2: return write(to, begin, size);
      case 3: return compare(to, begin, size);
      case 4: return launch(add_, to, from);
      default: return launch(turn_, to, from);
    }
  }
  void compareAll() {
    for (std::size_t i = 0; i < memory_.size(); ++i) compare(i, 0, count);
  }
  bool mustNotWait = false;
  void flush() {
    for (cl_command_queue const each : queues_) it_.must(clFlush(each), "clFlush");
  }

private:
  static constexpr std::size_t count = 40'000;
  using Content = std::vector<cl_int>;

  cl_command_queue anyQueue() { return it_.stage.random.pick(queues_); }
  cl_uint waits() const { return last_ ? 1 : 0; }
  const cl_event* waitList() const { return last_ ? &last_ : nullptr; }
  void enqueued(cl_int code, cl_event event, const char* function) {
    it_.must(code, function);
    if (code == CL_SUCCESS) last_ = it_.event(event);
  }
  void fill(std::size_t to, std::size_t begin, std::size_t size) {
    const cl_int value = it_.stage.random.below(1000);
    cl_event event = nullptr;
    enqueued(clEnqueueFillBuffer(anyQueue(), memory_[to], &value, sizeof value, begin * sizeof value,
                                 size * sizeof value, waits(), waitList(), &event),
             event, "clEnqueueFillBuffer");
    std::fill_n(content_[to].begin() + static_cast<std::ptrdiff_t>(begin), size, value);
  }
  void copy(std::size_t to, std::size_t from, std::size_t begin, std::size_t size) {
    cl_event event = nullptr;
    enqueued(clEnqueueCopyBuffer(anyQueue(), memory_[from], memory_[to], 0, begin * sizeof(cl_int),
                                 size * sizeof(cl_int), waits(), waitList(), &event),
             event, "clEnqueueCopyBuffer");
    std::copy_n(content_[from].begin(), size, content_[to].begin() + static_cast<std::ptrdiff_t>(begin));
  }
  void write(std::size_t to, std::size_t begin, std::size_t size) {
    static const Content numbers = [] {
      Content values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<cl_int>(i * 7);
      return values;
    }();
    cl_event event = nullptr;
    enqueued(clEnqueueWriteBuffer(anyQueue(), memory_[to], CL_FALSE, begin * sizeof(cl_int), size * sizeof(cl_int),
                                  numbers.data(), waits(), waitList(), &event),
             event, "clEnqueueWriteBuffer");
    std::copy_n(numbers.begin(), size, content_[to].begin() + static_cast<std::ptrdiff_t>(begin));
  }
  void compare(std::size_t of, std::size_t begin, std::size_t size) {
    Content read(size);
    if (mustNotWait) return;
    it_.must(clEnqueueReadBuffer(anyQueue(), memory_[of], CL_TRUE, begin * sizeof(cl_int), size * sizeof(cl_int),
                                 read.data(), waits(), waitList(), nullptr),
             "clEnqueueReadBuffer");
    for (std::size_t i = 0; i < size; ++i)
      if (read[i] != content_[of][begin + i])
        return it_.expect(false, "a buffer has " + std::to_string(read[i]) + " at " + std::to_string(begin + i) +
                                     ", not " + std::to_string(content_[of][begin + i]));
  }
  void launch(cl_kernel kernel, std::size_t to, std::size_t from) {
    const cl_int n = it_.stage.random.below(count);
    it_.must(clSetKernelArg(kernel, 0, sizeof(cl_mem), &memory_[to]), "clSetKernelArg");
    it_.must(clSetKernelArg(kernel, 1, sizeof(cl_mem), &memory_[from]), "clSetKernelArg");
    it_.must(clSetKernelArg(kernel, 2, sizeof n, &n), "clSetKernelArg");
    cl_event event = nullptr;
    enqueued(clEnqueueNDRangeKernel(anyQueue(), kernel, 1, nullptr, &count, nullptr, waits(), waitList(), &event),
             event, "clEnqueueNDRangeKernel");
    for (std::size_t i = 0; i < count; ++i) {
      content_[to][i] = kernel == add_
                            ? static_cast<cl_int>(static_cast<unsigned>(content_[from][i]) + static_cast<unsigned>(n))
                            : content_[from][(i + static_cast<std::size_t>(n)) % count];
    }
  }

  Scenario& it_;
  std::vector<cl_command_queue> queues_;
  cl_kernel add_ = nullptr, turn_ = nullptr;
  std::array<cl_mem, 3> memory_{};
  std::array<Content, 3> content_{Content(count), Content(count), Content(count)};
  cl_event last_;
};

}  // namespace

void divideLaunches(const Stage& stage) {
  Scenario it(stage);
  cl_event const user = it.userEvent();
  const bool waits = it.chance(50);
  Buffers buffers(it, waits ? user : nullptr);
  buffers.mustNotWait = waits;
  for (int i = stage.random.between(1, 12); i > 0; --i) buffers.step();
  if (it.chance(50)) buffers.flush();
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  buffers.mustNotWait = false;
  for (int i = stage.random.between(1, 6); i > 0; --i) buffers.step();
  // Otherwise all that the commands use is released while they run.
  if (it.chance(70)) buffers.compareAll();
}

void enqueueChildren(const Stage& stage) {
  Scenario it(stage);
  if (!it.ofDevice<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)) return;
  struct Case {
    const char* name;
    bool fails;
    cl_int sum;
  };
  constexpr std::array<Case, 7> cases = {{{"tree", false, 31},
                                          {"chain", false, 40},
                                          {"events", false, 64},
                                          {"wrongChild", true, 0},
                                          {"wrongParent", true, 0},
                                          {"wrongGrandchild", true, 0},
                                          {"neverSet", true, 0}}};
  const Case& chosen = stage.random.pick(cases);
  cl_program const program = built(it, stage.context, R"(
    void grow(global int* out, queue_t queue, int depth) {
      atomic_inc(out);
      if (depth == 0) return;
      for (int i = 0; i < 2; ++i)
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ grow(out, queue, depth - 1); });
    }
    kernel void tree(global int* out, queue_t queue) { grow(out, queue, 4); }
    void next(global int* out, queue_t queue, int left) {
      atomic_inc(out);
      if (left > 1) enqueue_kernel(queue, 0, ndrange_1D(1), ^{ next(out, queue, left - 1); });
    }
    kernel void chain(global int* out, queue_t queue) { next(out, queue, 40); }
    kernel void events(global int* out, queue_t queue) {
      clk_event_t gate = create_user_event(), ended[4], all;
      for (int i = 0; i < 4; ++i)
        enqueue_kernel(queue, 0, ndrange_1D(8), 1, &gate, &ended[i], ^{ atomic_inc(out); });
      enqueue_marker(queue, 4, ended, &all);
      enqueue_kernel(queue, 0, ndrange_1D(32), 1, &all, 0, ^{ atomic_inc(out); });
      set_user_event_status(gate, CL_COMPLETE);
      for (int i = 0; i < 4; ++i) release_event(ended[i]);
      release_event(gate);
      release_event(all);
    }
    void wrong(global int* out) { out[((long)1 << 45) + get_global_id(0)] = 1; }
    kernel void wrongChild(global int* out, queue_t queue) {
      for (int i = 0; i < 5; ++i)
        enqueue_kernel(queue, 0, ndrange_1D(100), ^{ if (i == 3) wrong(out); });
    }
    kernel void wrongParent(global int* out, queue_t queue) {
      for (int i = 0; i < 5; ++i) enqueue_kernel(queue, 0, ndrange_1D(100), ^{ atomic_inc(out); });
      wrong(out);
    }
    kernel void wrongGrandchild(global int* out, queue_t queue) {
      enqueue_kernel(queue, 0, ndrange_1D(1), ^{
        enqueue_kernel(queue, 0, ndrange_1D(50), ^{ wrong(out); });
        enqueue_kernel(queue, 0, ndrange_1D(50), ^{ atomic_inc(out); });
      });
    }
    kernel void neverSet(global int* out, queue_t queue) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(queue, 0, ndrange_1D(1), 1, &gate, 0, ^{ out[1] = 1; });
    })");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue const onDevice =
      it.keep(clCreateCommandQueueWithProperties(stage.context, stage.device, properties, nullptr),
              clReleaseCommandQueue, "clCreateCommandQueueWithProperties");
  cl_command_queue const queue = it.queue(it.chance(50) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  cl_mem const out = it.buffer(64);
  cl_kernel const kernel = kernelOf(it, program, chosen.name);
  const cl_int zero = 0;
  it.must(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  it.must(clSetKernelArg(kernel, 1, sizeof onDevice, &onDevice), "clSetKernelArg");
  cl_event filled = nullptr, ran = nullptr;
  it.must(clEnqueueFillBuffer(queue, out, &zero, sizeof zero, 0, 64, 0, nullptr, &filled), "clEnqueueFillBuffer");
  it.event(filled);
  const std::size_t one = 1;
  it.must(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 1, &filled, &ran), "clEnqueueNDRangeKernel");
  it.must(clFlush(queue), "clFlush");
  if (!ran) return;
  if (it.chance(40)) it.releaseAll();
  const cl_int waited = clWaitForEvents(1, &ran);
  it.expect(chosen.fails ? waited < 0 : waited == CL_SUCCESS,
            std::string("kernel ") + chosen.name + " ended with " + std::to_string(waited));
  it.must(clReleaseEvent(ran), "clReleaseEvent");
}

namespace {

/// Objects that a launch uses and its callbacks release.
struct Uses {
  cl_kernel kernel;
  cl_program program;
  cl_mem memory;
  cl_command_queue queue;
  cl_context context;
  std::atomic<int> next{0};
  Calls calls;
};

void CL_CALLBACK releaseUses(cl_event event, cl_int, void* data) {
  auto* const uses = static_cast<Uses*>(data);
  switch (uses->next.fetch_add(1)) {
    case 0:
      clReleaseKernel(uses->kernel);
      clReleaseProgram(uses->program);
      break;
    case 1: clReleaseMemObject(uses->memory); break;
    default:
      clReleaseCommandQueue(uses->queue);
      clReleaseContext(uses->context);
      clReleaseEvent(event);
      break;
  }
  uses->calls.come();
}

}  // namespace

void releaseWhileItRuns(const Stage& stage) {
  Uses uses{};
  Scenario it(stage);
  const auto silent = [](const char*, const void*, std::size_t, void*) {};
  uses.context = clCreateContext(nullptr, 1, &stage.device, silent, nullptr, nullptr);
  const char* text = "kernel void one(global int* a, int n) { a[get_global_id(0)] = n; }";
  uses.program = clCreateProgramWithSource(uses.context, 1, &text, nullptr, nullptr);
  it.must(clBuildProgram(uses.program, 0, nullptr, nullptr, nullptr, nullptr), "clBuildProgram");
  uses.kernel = clCreateKernel(uses.program, "one", nullptr);
  uses.queue = clCreateCommandQueueWithProperties(uses.context, stage.device, nullptr, nullptr);
  const std::size_t count = it.chance(50) ? 50'000 : 64;
  uses.memory = clCreateBuffer(uses.context, 0, count * sizeof(cl_int), nullptr, nullptr);
  const cl_int value = 3;
  it.must(clSetKernelArg(uses.kernel, 0, sizeof uses.memory, &uses.memory), "clSetKernelArg");
  it.must(clSetKernelArg(uses.kernel, 1, sizeof value, &value), "clSetKernelArg");
  cl_event event = nullptr;
  cl_event const user = clCreateUserEvent(uses.context, nullptr);
  const bool waits = it.chance(60);
  it.must(clEnqueueNDRangeKernel(uses.queue, uses.kernel, 1, nullptr, &count, nullptr, waits ? 1 : 0,
                                 waits ? &user : nullptr, &event),
          "clEnqueueNDRangeKernel");
  if (!event) return;
  for (const cl_int status : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    it.must(clSetEventCallback(event, status, releaseUses, &uses), "clSetEventCallback");
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  it.must(clReleaseEvent(user), "clReleaseEvent");
  uses.calls.waitFor(3);
}

}  // namespace clarity::fuzz
