// SPDX-License-Identifier: Apache-2.0
// This file copies lines and planes between global and local memory (cl_khr_extended_async_copies), against the same
// copies on the host, and one copy behind another (cl_khr_async_work_group_copy_fence).
#include "device_test.h"

#include <cstdint>
#include <cstring>
#include <ostream>
#include <vector>

namespace {

const char source[] = R"CL(
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
#ifndef cl_khr_extended_async_copies
#error cl_khr_extended_async_copies
#endif
#ifdef BYTES
#define ELEMENT BYTES
#else
#define ELEMENT bytes
#endif
size_t group() { return (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0); }
void fill(__local uchar* near, __global uchar* seen, ulong room) {
  for (ulong i = get_local_linear_id(); i < room; i += get_local_size(0) * get_local_size(1) * get_local_size(2))
    if (seen) seen[i] = near[i];
    else near[i] = 0xee;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
// Each group has `room` bytes of `in`, of `seen`, which tells what came to local memory, and of `out`.
#define ARGUMENTS \
  __global const uchar *in, __global uchar *seen, __global uchar *out, __local uchar *near, ulong room, ulong bytes, \
      ulong elements, ulong lines, \
      ulong planes, ulong farOffset, ulong farLine, ulong farPlane, ulong nearOffset, ulong nearLine, ulong nearPlane
#define BEGIN                         \
  const ulong at = group() * room;    \
  fill(near, 0, room);
__kernel void lines_(ARGUMENTS) {
  BEGIN
  event_t event = async_work_group_copy_2D2D(near, nearOffset, in + at, farOffset, ELEMENT, elements, lines, farLine,
      nearLine, 0);
  wait_group_events(1, &event);
  fill(near, seen + at, room);
  event = async_work_group_copy_2D2D(out + at, farOffset, near, nearOffset, ELEMENT, elements, lines, nearLine,
      farLine, event);
  wait_group_events(1, &event);
}
__kernel void planes_(ARGUMENTS) {
  BEGIN
  event_t event = async_work_group_copy_3D3D(near, nearOffset, in + at, farOffset, ELEMENT, elements, lines, planes,
      farLine, farPlane, nearLine, nearPlane, 0);
  wait_group_events(1, &event);
  fill(near, seen + at, room);
  event = async_work_group_copy_3D3D(out + at, farOffset, near, nearOffset, ELEMENT, elements, lines, planes,
      nearLine, nearPlane, farLine, farPlane, event);
  wait_group_events(1, &event);
}
)CL";

/// The box that is copied: lengths, and offsets and distances in global (far) and local (near) memory, in elements.
struct Box {
  cl_ulong bytes, elements, lines, planes, farOffset, farLine, farPlane, nearOffset, nearLine, nearPlane;
};

std::ostream& operator<<(std::ostream& out, const Box& box) {
  return out << box.elements << 'x' << box.lines << 'x' << box.planes << " elements of " << box.bytes << " bytes";
}

const Box boxes[] = {
    {1, 10, 7, 3, 0, 10, 70, 0, 10, 70},     // nothing between lines and planes
    {2, 33, 3, 2, 5, 40, 130, 1, 35, 106},   // something between them
    {3, 10, 7, 2, 1, 23, 170, 2, 11, 80},    // odd sizes
    {3, 70, 2, 1, 0, 71, 142, 0, 80, 160},   // lines longer than the work-group
    {4, 16, 16, 1, 3, 17, 300, 0, 16, 256},  // a tile
    {4, 1, 40, 1, 0, 9, 360, 0, 1, 40},      // a column
    {6, 9, 5, 2, 0, 9, 45, 7, 12, 61},      {8, 11, 6, 2, 2, 13, 80, 1, 11, 66}, {12, 5, 4, 3, 1, 6, 24, 0, 5, 20},
    {12, 40, 3, 1, 0, 41, 123, 3, 40, 120}, {16, 9, 5, 2, 1, 10, 51, 0, 9, 45},  {40, 3, 4, 2, 0, 3, 13, 1, 4, 16},
    {4, 0, 5, 2, 0, 5, 25, 0, 5, 25},  // nothing at all
    {4, 5, 0, 2, 0, 5, 25, 0, 5, 25},       {4, 5, 5, 0, 0, 5, 25, 0, 5, 25},
};

struct Range {
  std::vector<std::size_t> global, local;
  std::size_t groups;
};
// The first three have work-groups of one size, the others of several.
const Range ranges[] = {
    {{128}, {64}, 2}, {{32, 8}, {16, 4}, 4}, {{1}, {1}, 1}, {{100}, {64}, 2}, {{10, 4, 3}, {10, 2, 2}, 4}};

class AsyncCopies : public DeviceTest {
protected:
  static constexpr std::size_t room = 4096;
  using Bytes = std::vector<cl_uchar>;

  /// Copies the box of every group between places of other offsets and distances.
  static void copy(Bytes& to, const Bytes& from, std::size_t groups, const Box& box, bool toNear) {
    for (std::size_t g = 0; g < groups; ++g)
      for (cl_ulong p = 0; p < box.planes; ++p)
        for (cl_ulong l = 0; l < box.lines; ++l) {
          const cl_ulong farAt = g * room + (box.farOffset + p * box.farPlane + l * box.farLine) * box.bytes;
          const cl_ulong nearAt = g * room + (box.nearOffset + p * box.nearPlane + l * box.nearLine) * box.bytes;
          std::memcpy(&to[toNear ? nearAt : farAt], &from[toNear ? farAt : nearAt], box.elements * box.bytes);
        }
  }

  /// Runs one kernel on one box and compares what came to local memory and back.
  void check(const char* kernel, Box box, const Range& range) {
    Bytes in(range.groups * room), seen(in.size(), 0x55), out(in.size(), 0x55);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_uchar>((i * 2654435761u) >> 13);
    cl_mem input = bufferOf(in), between = bufferOf(seen), output = bufferOf(out);
    launch(kernel, range.global, range.local, input, between, output, LocalBytes{room}, cl_ulong{room}, box.bytes,
           box.elements, box.lines, box.planes, box.farOffset, box.farLine, box.farPlane, box.nearOffset, box.nearLine,
           box.nearPlane);
    Bytes expectedSeen(in.size(), 0xee), expectedOut(in.size(), 0x55);
    if (std::strcmp(kernel, "planes_") != 0) box.planes = 1;
    copy(expectedSeen, in, range.groups, box, true);
    copy(expectedOut, expectedSeen, range.groups, box, false);
    take(between, seen);
    take(output, out);
    clReleaseMemObject(input);
    EXPECT_TRUE(seen == expectedSeen) << kernel << " to local memory: " << box << ", work-groups of " << range.local[0];
    EXPECT_TRUE(out == expectedOut) << kernel << " to global memory: " << box << ", work-groups of " << range.local[0];
  }

  /// All boxes, whose element's size the compiler does not know.
  void checkAll(const char* kernel, const char* options) {
    if (!changeCode(options)) return;
    build(source, options);
    for (const Range& range : ranges)
      for (const Box& box : boxes) check(kernel, box, range);
  }

  /// The boxes of elements of `bytes` bytes, which the compiler knows.
  void checkKnown(const char* kernel, cl_ulong bytes, const char* options) {
    if (!changeCode(options)) return;
    build(source, "-DBYTES=" + std::to_string(bytes) + options);
    for (const Box& box : boxes)
      if (box.bytes == bytes) {
        check(kernel, box, ranges[1]);
        check(kernel, box, ranges[3]);
      }
  }
};

constexpr const char* ways[] = {" -cl-std=CL3.0", " -cl-std=CL3.0 -cl-clarity-packet-width=1",
                                " -cl-std=CL3.0 -cl-clarity-packet-width=16"};

TEST_F(AsyncCopies, Lines) {
  for (const char* options : ways) checkAll("lines_", options);
}

TEST_F(AsyncCopies, LinesOfKnownElements) {
  for (const char* options : ways)
    for (const cl_ulong bytes : {3, 12}) checkKnown("lines_", bytes, options);
}

TEST_F(AsyncCopies, Planes) {
  checkAll("planes_", ways[0]);
  for (const char* options : ways) checkKnown("planes_", 12, options);
}

// The second copy reads what other work-items of the first one have written: each 37 elements further.
TEST_F(AsyncCopies, Fence) {
  constexpr std::size_t items = 64, groups = 3;
  const std::string text = R"CL(
#pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : enable
#ifndef cl_khr_async_work_group_copy_fence
#error cl_khr_async_work_group_copy_fence
#endif
kernel void fenced(global uint* between, global uint* out, local uint* near) {
  size_t l = get_local_id(0), n = get_local_size(0);
  between += 2 * n * get_group_id(0);
  near[l] = 1000 + get_global_id(0);
  near[n + l] = 2000 + get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t event = async_work_group_copy(between, near, 2 * n, 0);
  async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy(near, between + 37, n, event);
  wait_group_events(1, &event);
  out[get_global_id(0)] = near[l];
}
)CL";
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(text, options);
    std::vector<cl_uint> between(2 * items * groups), out(items * groups);
    cl_mem first = bufferOf(between), second = bufferOf(out);
    launch("fenced", {items * groups}, {items}, first, second, LocalBytes{2 * items * sizeof(cl_uint)});
    take(second, out);
    clReleaseMemObject(first);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t group = i / items, from = i % items + 37;
      EXPECT_EQ(out[i], (from < items ? 1000 + from : 2000 + from - items) + group * items) << options;
    }
  }
}

// Lists of initialisers make null events, of all elements, of the first ones or of those that are named.
TEST_F(AsyncCopies, ArraysOfEvents) {
  const std::string text = R"CL(
kernel void both(global const int* in, global int* out) {
  local int near[16];
  event_t e[2] = EVENTS;
  e[0] = async_work_group_copy(near, in, 8, e[0]);
  e[1] = async_work_group_copy(near + 8, in + 8, 8, e[1]);
  wait_group_events(2, e);
  out[get_local_id(0)] = near[15 - get_local_id(0)];
}
kernel void rows(global const int* in, global int* out) {
  local int near[16];
  event_t e[2][1] = {{0}, {0}};
  e[1][0] = async_work_group_copy(near, in, 16, e[1][0]);
  event_t all[] = {e[1][0], 0, e[0][0], [5] = 0};
  wait_group_events(1, all);
  out[get_local_id(0)] = near[15 - get_local_id(0)];
}
)CL";
  for (const char* events : {"{0,0}", "{0}", "{}", "{(1-1),0u}", "{[1]=0}", "{[(0)...1]=0}", "{[1]=0,[0]=0}"})
    for (const char* language : {" -cl-std=CL1.1", " -cl-std=CL1.2", " -cl-std=CL3.0"})
      for (const char* kernel : {"both", "rows"}) {
        build(text, std::string("-DEVENTS=") + events + language);
        std::vector<cl_int> in(16), out(16);
        for (int i = 0; i < 16; ++i) in[static_cast<std::size_t>(i)] = i;
        cl_mem first = bufferOf(in), second = bufferOf(out);
        launch(kernel, {16}, {16}, first, second);
        take(second, out);
        clReleaseMemObject(first);
        for (int i = 0; i < 16; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 15 - i) << events << language;
      }
}

TEST_F(AsyncCopies, EveryLanguage) {
  for (const char* options :
       {"-cl-std=CLC++2021 -Werror", "-cl-std=CLC++1.0 -Werror", "-cl-std=CL2.0 -Werror", "-cl-std=CL3.0 -Werror"}) {
    build(source, options);
    check("lines_", boxes[2], ranges[1]);
    check("planes_", boxes[8], ranges[1]);
  }
}

}  // namespace
