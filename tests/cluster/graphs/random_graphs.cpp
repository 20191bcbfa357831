// SPDX-License-Identifier: Apache-2.0
// This file runs random graphs of commands, ordered by events alone, on the devices of other nodes and once more on the
// host's: what is read, what buffers hold in the end, and how each command has ended are the same.
#include "fixture.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

constexpr const char* kernels = R"(
  kernel void mix(global const uint* from, global uint* to, uint fromAt, uint toAt) {
    size_t i = get_global_id(0);
    to[toAt + i] = to[toAt + i] * 3u + from[fromAt + i];
  }
  kernel void step(global uint* values, uint at) {
    size_t i = get_global_id(0);
    values[at + i] = values[at + i] * 5u + (uint)i;
  }
)";

/// Content inside messages, content in one piece and in several, and content that goes along a tree.
constexpr std::array<size_t, 5> sizes{512, 2'000, 3'000, 300'000, 1'100'000};
constexpr size_t width = 32;  ///< the width of buffers as rectangles

struct Part {
  size_t buffer = 0, begin = 0, count = 0;
  size_t end() const { return begin + count; }
  bool overlaps(const Part& other) const {
    return buffer == other.buffer && begin < other.end() && other.begin < end();
  }
};

struct Command {
  enum Kind { Write, Read, Copy, Fill, Rows, Mix, Step, Marker, Barrier, Migrate, kinds } kind = Write;
  size_t queue = 0;
  Part from{}, to{};  ///< `to` is written
  cl_uint value = 0;
  std::vector<size_t> after{};  ///< indices of commands
  bool isGated = false;         ///< and after the user event
  bool isFlushed = false;

  bool reads() const { return kind == Read || kind == Copy || kind == Rows || kind == Mix || kind == Migrate; }
  bool writes() const { return kind != Read && kind != Marker && kind != Barrier && kind != Migrate; }
};

struct Graph {
  std::vector<Command> commands;
  cl_int gate = CL_COMPLETE;  ///< the status that the user event gets, after so many commands
  size_t gateAfter = 0;
};

/// The result of a graph.
struct Outcome {
  std::vector<std::vector<cl_uint>> readings, buffers;
  std::vector<cl_int> statuses;
};

class Generator {
public:
  Generator(unsigned seed, size_t queues) : random_(seed), queues_(queues) {}

  Graph graph(size_t count) {
    Graph made;
    made.gateAfter = below(count);
    if (below(4) == 0) made.gate = -7;
    for (size_t i = 0; i < count; ++i) made.commands.push_back(command(made.commands));
    return made;
  }

private:
  size_t below(size_t n) { return random_() % n; }
  Part anyPart() {
    const size_t buffer = below(sizes.size()), begin = below(sizes[buffer]);
    return {buffer, begin, 1 + below(sizes[buffer] - begin)};
  }
  /// A part of the same length in another buffer; the first one becomes shorter where that one is.
  Part elsewhere(Part& part) {
    const size_t buffer = (part.buffer + 1 + below(sizes.size() - 1)) % sizes.size();
    part.count = std::min(part.count, sizes[buffer]);
    return {buffer, below(sizes[buffer] - part.count + 1), part.count};
  }

  Command command(const std::vector<Command>& earlier) {
    Command made;
    // Whole buffers are read by several devices most of the time.
    made.kind = static_cast<Command::Kind>(below(3) == 0 ? Command::Mix : below(Command::kinds));
    made.queue = below(queues_);
    made.value = cl_uint(random_());
    made.from = anyPart();
    made.to = elsewhere(made.from);
    if (made.kind >= Command::Rows) wholeBuffers(made);
    made.isGated = below(12) == 0;
    made.isFlushed = below(2) == 0;
    for (size_t i = 0; i < earlier.size(); ++i) {
      const Command& other = earlier[i];
      const bool conflict = (made.writes() && other.writes() && made.to.overlaps(other.to)) ||
                            (made.writes() && other.reads() && made.to.overlaps(other.from)) ||
                            (made.reads() && other.writes() && made.from.overlaps(other.to));
      if (conflict || below(40) == 0) made.after.push_back(i);
    }
    return made;
  }
  /// The driver takes such commands to access all of their buffers.
  void wholeBuffers(Command& made) {
    made.from = {made.from.buffer, 0, sizes[made.from.buffer]};
    made.to = {made.to.buffer, 0, sizes[made.to.buffer]};
  }

  std::mt19937 random_;
  size_t queues_;
};

/// Devices with two command-queues each, of which one is out of order.
class Machine {
public:
  Machine(OpenCL& test, const std::vector<cl_device_id>& devices) : test_(test) {
    context_ = test.created([&](cl_int* error) {
      return clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, error);
    });
    for (cl_device_id each : devices)
      for (const cl_queue_properties order : {cl_queue_properties{0}, cl_queue_properties{outOfOrder}}) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, order, 0};
        queues_.push_back(test.created(
            [&](cl_int* error) { return clCreateCommandQueueWithProperties(context_, each, list, error); }));
      }
    const char* text = kernels;
    program_ =
        test.created([&](cl_int* error) { return clCreateProgramWithSource(context_, 1, &text, nullptr, error); });
    EXPECT_SUCCESS(clBuildProgram(program_, 0, nullptr, nullptr, nullptr, nullptr));
  }

  /// Queue numbers of the graph go around the queues that there are.
  Outcome run(const Graph& graph) {
    outcome_ = {};
    outcome_.readings.resize(graph.commands.size());
    contents_.clear();
    contents_.resize(graph.commands.size());
    events_.clear();
    memory_.clear();
    for (size_t i = 0; i < sizes.size(); ++i) memory_.push_back(bufferOf(valuesFrom(cl_uint(i), sizes[i])));
    gate_ = test_.created([&](cl_int* error) { return clCreateUserEvent(context_, error); });
    for (size_t i = 0; i < graph.commands.size(); ++i) {
      enqueue(graph.commands[i], i);
      if (i == graph.gateAfter) EXPECT_SUCCESS(clSetUserEventStatus(gate_, graph.gate));
    }
    for (cl_command_queue each : queues_) EXPECT_SUCCESS(clFlush(each));
    for (cl_command_queue each : queues_) (void)clFinish(each);
    for (cl_event each : events_)
      outcome_.statuses.push_back(infoOf<cl_int>(clGetEventInfo, each, CL_EVENT_COMMAND_EXECUTION_STATUS));
    for (size_t i = 0; i < sizes.size(); ++i) {
      auto& values = outcome_.buffers.emplace_back(sizes[i]);
      EXPECT_SUCCESS(clEnqueueReadBuffer(queues_[i % queues_.size()], memory_[i], CL_TRUE, 0, 4 * sizes[i],
                                         values.data(), 0, nullptr, nullptr));
    }
    return std::move(outcome_);
  }

private:
  static constexpr cl_command_queue_properties outOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

  static std::vector<cl_uint> valuesFrom(cl_uint seed, size_t count) {
    std::vector<cl_uint> values(count);
    for (cl_uint& each : values) each = seed = seed * 1'664'525u + 1'013'904'223u;
    return values;
  }
  cl_mem bufferOf(std::vector<cl_uint> values) {
    return test_.created([&](cl_int* error) {
      return clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, 4 * values.size(), values.data(), error);
    });
  }
  cl_kernel kernel(const char* name, std::initializer_list<std::pair<size_t, const void*>> args) {
    cl_kernel made = test_.created([&](cl_int* error) { return clCreateKernel(program_, name, error); });
    cl_uint index = 0;
    for (const auto& [size, value] : args) EXPECT_SUCCESS(clSetKernelArg(made, index++, size, value));
    return made;
  }

  void enqueue(const Command& it, size_t index) {
    std::vector<cl_event> after;
    for (const size_t each : it.after) after.push_back(events_[each]);
    if (it.isGated) after.push_back(gate_);
    const auto count = cl_uint(after.size());
    const cl_event* const list = after.empty() ? nullptr : after.data();
    const cl_command_queue queue = queues_[it.queue % queues_.size()];
    cl_event event = nullptr;
    EXPECT_SUCCESS(it.kind >= Command::Mix ? enqueueOther(it, queue, count, list, &event)
                                           : enqueueTransfer(it, index, queue, count, list, &event));
    events_.push_back(test_.keep(event));
    if (it.isFlushed) EXPECT_SUCCESS(clFlush(queue));
  }

  cl_int enqueueTransfer(const Command& it, size_t index, cl_command_queue queue, cl_uint count, const cl_event* list,
                         cl_event* event) {
    const Part &from = it.from, &to = it.to;
    switch (it.kind) {
      case Command::Write:
        contents_[index] = valuesFrom(it.value, to.count);
        return clEnqueueWriteBuffer(queue, memory_[to.buffer], CL_FALSE, 4 * to.begin, 4 * to.count,
                                    contents_[index].data(), count, list, event);
      case Command::Read:
        outcome_.readings[index].resize(from.count);
        return clEnqueueReadBuffer(queue, memory_[from.buffer], CL_FALSE, 4 * from.begin, 4 * from.count,
                                   outcome_.readings[index].data(), count, list, event);
      case Command::Copy:
        return clEnqueueCopyBuffer(queue, memory_[from.buffer], memory_[to.buffer], 4 * from.begin, 4 * to.begin,
                                   4 * from.count, count, list, event);
      case Command::Fill:
        return clEnqueueFillBuffer(queue, memory_[to.buffer], &it.value, 4, 4 * to.begin, 4 * to.count, count, list,
                                   event);
      default: break;
    }
    const size_t rows = std::min(sizes[from.buffer], sizes[to.buffer]) / width;
    const size_t first = it.value % rows, column = it.value % (width - 3);
    const size_t origin[3] = {4 * column, first, 0}, region[3] = {12, rows - first, 1};
    return clEnqueueCopyBufferRect(queue, memory_[from.buffer], memory_[to.buffer], origin, origin, region, 4 * width,
                                   0, 4 * width, 0, count, list, event);
  }

  cl_int enqueueOther(const Command& it, cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
    const Part &from = it.from, &to = it.to;
    cl_mem const source = memory_[from.buffer], target = memory_[to.buffer];
    switch (it.kind) {
      case Command::Mix: {
        const size_t shorter = std::min(from.count, to.count);
        const cl_uint at = cl_uint(it.value % shorter), zero = 0;
        const size_t global = shorter - at;
        cl_kernel mix =
            kernel("mix", {{sizeof source, &source}, {sizeof target, &target}, {sizeof at, &at}, {sizeof zero, &zero}});
        return clEnqueueNDRangeKernel(queue, mix, 1, nullptr, &global, nullptr, count, list, event);
      }
      case Command::Step: {
        const cl_uint at = cl_uint(it.value % to.count);
        const size_t global = to.count - at;
        cl_kernel step = kernel("step", {{sizeof target, &target}, {sizeof at, &at}});
        return clEnqueueNDRangeKernel(queue, step, 1, nullptr, &global, nullptr, count, list, event);
      }
      case Command::Marker: return clEnqueueMarkerWithWaitList(queue, count, list, event);
      case Command::Barrier: return clEnqueueBarrierWithWaitList(queue, count, list, event);
      default: break;
    }
    const cl_mem_migration_flags flags = it.value % 3 == 0 ? CL_MIGRATE_MEM_OBJECT_HOST : 0;
    return clEnqueueMigrateMemObjects(queue, 1, &source, flags, count, list, event);
  }

  OpenCL& test_;
  cl_context context_ = nullptr;
  cl_program program_ = nullptr;
  std::vector<cl_command_queue> queues_;
  std::vector<cl_mem> memory_;
  std::vector<cl_event> events_;
  std::vector<std::vector<cl_uint>> contents_;  ///< contents of writes that have not ended
  cl_event gate_ = nullptr;
  Outcome outcome_;
};

struct RandomGraphs : OpenCL {
  /// The devices of other nodes, and that of the host.
  std::vector<cl_device_id> others, own;

  void SetUp() override {
    OpenCL::SetUp();
    cl_uint count = 0;
    ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
    std::vector<cl_device_id> all(count);
    ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr));
    for (cl_device_id each : all) {
      const bool isOther = infoStringOf(clGetDeviceInfo, each, CL_DEVICE_NAME).find(", rank ") != std::string::npos;
      (isOther ? others : own).push_back(each);
    }
    ASSERT_GE(others.size(), 2u);
    ASSERT_GE(own.size(), 1u);
    own.resize(1);
  }
};

TEST_F(RandomGraphs, endAsOnOneDeviceOfTheHost) {
  Machine cluster(*this, others), host(*this, own);
  for (unsigned seed = 1; seed <= 8 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = Generator(seed, 2 * others.size()).graph(90);
    const Outcome there = cluster.run(graph), here = host.run(graph);
    EXPECT_EQ(there.statuses, here.statuses);
    for (size_t i = 0; i < graph.commands.size(); ++i)
      EXPECT_TRUE(there.readings[i] == here.readings[i]) << "read of command " << i;
    for (size_t i = 0; i < sizes.size(); ++i) EXPECT_TRUE(there.buffers[i] == here.buffers[i]) << "buffer " << i;
  }
}

}  // namespace
}  // namespace clarity::test
