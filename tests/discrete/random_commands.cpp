// SPDX-License-Identifier: Apache-2.0
// This file runs long random sequences of commands on three devices, ordered by events alone, and compares every value
// that is read with a reference on the host.
#include "several_devices.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>

namespace clarity::test {
namespace {

constexpr const char* mixAndStep = R"(
  kernel void mix(global const uint* from, global uint* to, uint fromAt, uint toAt) {
    size_t i = get_global_id(0);
    to[toAt + i] = to[toAt + i] * 3u + from[fromAt + i];
  }
  kernel void step(global uint* values, uint at) {
    size_t i = get_global_id(0);
    values[at + i] = values[at + i] * 5u + (uint)i;
  }
)";

/// A range of elements of one of the buffers.
struct Range {
  size_t buffer, begin, count;
  size_t end() const { return begin + count; }
};

struct RandomCommands : SeveralDevices {
  static constexpr size_t buffers = 3, elements = 640, bytes = elements * sizeof(cl_uint);

  /// An earlier command: what later ones that touch the same elements wait for.
  struct Use {
    cl_event event;
    Range part;
    bool writes;
  };
  /// A read whose values are compared when all is over.
  struct Reading {
    std::vector<cl_uint> values, wanted;
  };

  std::mt19937 random;
  std::array<std::vector<cl_uint>, buffers> truth;
  std::array<cl_mem, buffers> memory{};
  cl_program program = nullptr;
  std::vector<Use> uses;
  std::deque<Reading> readings;
  std::deque<std::vector<cl_uint>> sources;  ///< sources of writes that have not ended

  size_t below(size_t n) { return random() % n; }
  Range anyPart() {
    const size_t begin = below(elements);
    return {below(buffers), begin, 1 + below(elements - begin)};
  }
  /// Another part of the same length that does not overlap.
  Range otherPart(const Range& part) {
    for (;;) {
      const Range other{below(buffers), below(elements - part.count + 1), part.count};
      if (other.buffer != part.buffer || other.end() <= part.begin || part.end() <= other.begin) return other;
      if (part.count * 2 > elements) return {(part.buffer + 1) % buffers, part.begin, part.count};
    }
  }

  std::vector<cl_event> conflicts(const std::vector<std::pair<Range, bool>>& wanted) const {
    std::vector<cl_event> events;
    for (const Use& use : uses)
      for (const auto& [part, writes] : wanted)
        if (use.part.buffer == part.buffer && use.part.begin < part.end() && part.begin < use.part.end() &&
            (writes || use.writes))
          if (std::ranges::find(events, use.event) == events.end()) events.push_back(use.event);
    return events;
  }
  /// Enqueues with the events that these parts have to wait for, and remembers the new event.
  template <class Enqueue>
  void command(const std::vector<std::pair<Range, bool>>& parts, const Enqueue& enqueue) {
    const std::vector<cl_event> after = conflicts(parts);
    cl_event event = nullptr;
    cl_command_queue on = below(2) ? outOfOrderQueues[below(3)] : queues[below(3)];
    ASSERT_SUCCESS(enqueue(on, cl_uint(after.size()), after.empty() ? nullptr : after.data(), &event));
    keep(event);
    for (const auto& [part, writes] : parts) uses.push_back({event, part, writes});
    // Half of the commands are flushed at once, so that some run while others are enqueued.
    if (below(2)) ASSERT_SUCCESS(clFlush(on));
  }
  cl_uint* of(const Range& part) { return truth[part.buffer].data() + part.begin; }

  void write() {
    const Range part = anyPart();
    std::vector<cl_uint>& values = sources.emplace_back(part.count);
    std::ranges::generate(values, std::ref(random));
    command({{part, true}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      return clEnqueueWriteBuffer(on, memory[part.buffer], CL_FALSE, part.begin * 4, part.count * 4, values.data(), n,
                                  after, event);
    });
    std::ranges::copy(values, of(part));
  }
  void read() {
    const Range part = anyPart();
    Reading& reading = readings.emplace_back();
    reading.values.resize(part.count);
    reading.wanted.assign(of(part), of(part) + part.count);
    command({{part, false}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      return clEnqueueReadBuffer(on, memory[part.buffer], CL_FALSE, part.begin * 4, part.count * 4,
                                 reading.values.data(), n, after, event);
    });
  }
  void copy() {
    const Range from = anyPart(), to = otherPart(from);
    command({{from, false}, {to, true}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      return clEnqueueCopyBuffer(on, memory[from.buffer], memory[to.buffer], from.begin * 4, to.begin * 4,
                                 from.count * 4, n, after, event);
    });
    std::copy_n(of(from), from.count, of(to));
  }
  void fill() {
    const Range part = anyPart();
    const cl_uint pattern = random();
    command({{part, true}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      return clEnqueueFillBuffer(on, memory[part.buffer], &pattern, sizeof pattern, part.begin * 4, part.count * 4, n,
                                 after, event);
    });
    std::fill_n(of(part), part.count, pattern);
  }
  /// Rectangles of whole buffers as rows of 32 elements.
  void copyRectangle() {
    constexpr size_t width = 32, height = elements / width;
    const size_t columns = 1 + below(width), rows = 1 + below(height);
    const size_t x = below(width - columns + 1), y = below(height - rows + 1);
    const size_t from = below(buffers), to = (from + 1) % buffers;
    const size_t origin[3] = {x * 4, y, 0}, region[3] = {columns * 4, rows, 1};
    command({{{from, 0, elements}, false}, {{to, 0, elements}, true}},
            [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
              return clEnqueueCopyBufferRect(on, memory[from], memory[to], origin, origin, region, width * 4, 0,
                                             width * 4, 0, n, after, event);
            });
    for (size_t row = y; row < y + rows; ++row)
      std::copy_n(truth[from].data() + row * width + x, columns, truth[to].data() + row * width + x);
  }
  cl_kernel withArgs(const char* name, std::initializer_list<std::pair<size_t, const void*>> args) {
    cl_kernel made = kernel(program, name);
    cl_uint index = 0;
    for (const auto& [size, value] : args) EXPECT_SUCCESS(clSetKernelArg(made, index++, size, value));
    return made;
  }
  /// The kernels name whole buffers, so they wait for all that others do with them.
  void mixKernel() {
    const Range from = anyPart();
    Range to = otherPart(from);
    to.buffer = (from.buffer + 1) % buffers;
    const cl_uint fromAt = cl_uint(from.begin), toAt = cl_uint(to.begin);
    cl_kernel made = withArgs("mix", {{sizeof(cl_mem), &memory[from.buffer]},
                                      {sizeof(cl_mem), &memory[to.buffer]},
                                      {sizeof fromAt, &fromAt},
                                      {sizeof toAt, &toAt}});
    command({{{from.buffer, 0, elements}, false}, {{to.buffer, 0, elements}, true}},
            [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
              return clEnqueueNDRangeKernel(on, made, 1, nullptr, &from.count, nullptr, n, after, event);
            });
    for (size_t i = 0; i < from.count; ++i) of(to)[i] = of(to)[i] * 3 + of(from)[i];
  }
  /// A kernel on a sub-buffer: neighbours of the sub-buffer may be in use elsewhere at the same time.
  void stepKernel() {
    constexpr size_t unit = 64, units = elements / unit;  // aligned for every device
    const size_t begin = below(units), count = 1 + below(units - begin);
    const Range part{below(buffers), begin * unit, count * unit};
    cl_mem sub = subBuffer(memory[part.buffer], part.begin * 4, part.count * 4);
    const cl_uint at = 0;
    cl_kernel made = withArgs("step", {{sizeof sub, &sub}, {sizeof at, &at}});
    command({{part, true}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      return clEnqueueNDRangeKernel(on, made, 1, nullptr, &part.count, nullptr, n, after, event);
    });
    for (size_t i = 0; i < part.count; ++i) of(part)[i] = of(part)[i] * 5 + cl_uint(i);
  }
  void migrate() {
    const size_t which = below(buffers);
    const cl_mem_migration_flags flags = below(2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0;
    command({{{which, 0, elements}, false}},
            [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
              return clEnqueueMigrateMemObjects(on, 1, &memory[which], flags, n, after, event);
            });
  }
  /// Maps, checks or changes what is mapped, and unmaps.
  void map() {
    const Range part = anyPart();
    const cl_map_flags kinds[] = {CL_MAP_READ, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE,
                                  CL_MAP_WRITE_INVALIDATE_REGION};
    const cl_map_flags flags = kinds[below(std::size(kinds))];
    const bool writes = flags != CL_MAP_READ;
    cl_uint* mapped = nullptr;
    command({{part, writes}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      cl_int error = CL_SUCCESS;
      for (cl_command_queue each : queues) clFlush(each);
      for (cl_command_queue each : outOfOrderQueues) clFlush(each);
      mapped = static_cast<cl_uint*>(clEnqueueMapBuffer(on, memory[part.buffer], CL_TRUE, flags, part.begin * 4,
                                                        part.count * 4, n, after, event, &error));
      return error;
    });
    ASSERT_NE(mapped, nullptr);
    if (flags != CL_MAP_WRITE_INVALIDATE_REGION) {
      ASSERT_TRUE(std::equal(mapped, mapped + part.count, of(part)));
      // A part of what is mapped for writing stays as it is.
      if (writes)
        for (size_t i = 0; i < part.count; i += 3) mapped[i] = of(part)[i] = cl_uint(random());
    } else {
      for (size_t i = 0; i < part.count; ++i) mapped[i] = of(part)[i] = cl_uint(random());
    }
    command({{part, writes}}, [&](cl_command_queue on, cl_uint n, const cl_event* after, cl_event* event) {
      return clEnqueueUnmapMemObject(on, memory[part.buffer], mapped, n, after, event);
    });
  }

  void runCommands(unsigned seed, int count) {
    random.seed(seed);
    if (!program) program = buildForAll(mixAndStep);
    uses.clear();
    for (size_t i = 0; i < buffers; ++i) {
      truth[i].resize(elements);
      std::ranges::generate(truth[i], std::ref(random));
      memory[i] = bufferOf(truth[i]);
    }
    using Step = void (RandomCommands::*)();
    const Step steps[] = {&RandomCommands::write,      &RandomCommands::read,         &RandomCommands::copy,
                          &RandomCommands::fill,       &RandomCommands::mixKernel,    &RandomCommands::mixKernel,
                          &RandomCommands::map,        &RandomCommands::migrate,      &RandomCommands::stepKernel,
                          &RandomCommands::stepKernel, &RandomCommands::copyRectangle};
    for (int i = 0; i < count && !HasFatalFailure(); ++i) (this->*steps[below(std::size(steps))])();
    for (cl_command_queue each : queues) ASSERT_SUCCESS(clFlush(each));
    for (cl_command_queue each : outOfOrderQueues) ASSERT_SUCCESS(clFlush(each));
    for (cl_command_queue each : queues) ASSERT_SUCCESS(clFinish(each));
    for (cl_command_queue each : outOfOrderQueues) ASSERT_SUCCESS(clFinish(each));
    for (size_t i = 0; i < readings.size(); ++i) ASSERT_EQ(readings[i].values, readings[i].wanted) << "read " << i;
    for (size_t i = 0; i < buffers; ++i)
      EXPECT_EQ(readOn<cl_uint>(below(3), memory[i], elements), truth[i]) << "buffer " << i;
    readings.clear();
    sources.clear();
  }
};

TEST_F(RandomCommands, valuesAreThoseOfTheReference) {
  for (unsigned seed = 1; seed <= 25 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    runCommands(seed, 60);
  }
}

// A buffer whose memory is the application's, stepped by all devices in turn.
TEST_F(RandomCommands, memoryOfTheApplication) {
  random.seed(99);
  program = buildForAll(mixAndStep);
  constexpr size_t n = elements;
  std::vector<cl_uint> own(n, 1), expected(n, 1);
  cl_mem shared = buffer(bytes, CL_MEM_USE_HOST_PTR, own.data());
  for (int round = 0; round < 20; ++round) {
    const cl_uint at = 0;
    cl_kernel made = withArgs("step", {{sizeof shared, &shared}, {sizeof at, &at}});
    cl_event event = run(below(3), made, n);
    ASSERT_SUCCESS(clWaitForEvents(1, &event));
    for (size_t i = 0; i < n; ++i) expected[i] = expected[i] * 5 + cl_uint(i);
  }
  cl_int error = CL_SUCCESS;
  void* const mapped =
      clEnqueueMapBuffer(queues[first], shared, CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &error);
  ASSERT_SUCCESS(error);
  EXPECT_EQ(own, expected);
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queues[first], shared, mapped, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
}

}  // namespace
}  // namespace clarity::test
