// SPDX-License-Identifier: Apache-2.0
// This file tests arrays whose elements are as far apart as an argument says, as those of libraries for linear algebra
// and images are: side by side, apart, back to front, all in one place.
#include "device_test.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

const char source[] = R"CL(
typedef struct { long length[2]; long stride[2]; long offset; } Shape;
kernel void scaled(global int* out, int outAt, int outStep, global const int* in, int inAt, int inStep,
                   int size) {
  for (int i = get_global_id(0); i < size; i += get_global_size(0))
    out[i * outStep + outAt] += 3 * in[i * inStep + inAt];
}
kernel void once(global int* out, ulong outAt, ulong outStep, global const int* in, ulong inAt, ulong inStep,
                 int size) {
  size_t i = get_global_id(0);
  if (i < size) out[i * outStep + outAt] = in[i * inStep + inAt] - (int)i;
}
kernel void window(global int* out, Shape to, global const int* in, Shape from) {
  int x = get_global_id(0), y = get_global_id(1), sum = 0;
  if (x >= to.length[0] || y >= to.length[1]) return;
  for (int k = -1; k <= 1; ++k)
    if (x + k >= 0 && x + k < from.length[0])
      sum += in[(x + k) * from.stride[0] + y * from.stride[1] + from.offset];
  out[x * to.stride[0] + y * to.stride[1] + to.offset] = sum;
}
kernel void staged(global int* out, Shape to, global const int* in, Shape from, local int* tile) {
  int x = get_global_id(0), y = get_global_id(1), me = get_local_id(0);
  tile[me] = x < from.length[0] ? in[x * (int)from.stride[0] + y * (int)from.stride[1] + (int)from.offset] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < to.length[0]) out[x * (int)to.stride[0] + y * (int)to.stride[1] + (int)to.offset] = tile[me] + tile[me ^ 1];
}
kernel void moved(global int* out, global const int* in, int width, int length, int step) {
  int x = get_global_id(0), y = get_global_id(1), middle = x * step + length / 2;
  uint sum = 0;
  int first = middle >= width ? middle + 1 - width : 0;
  int last = x * step - length / 2 < 0 ? middle + 1 : length;
  for (int k = first; k < last; ++k) sum = 3 * sum + (k + 1) * (uint)in[middle - k + y * width];
  out[x + y * get_global_size(0)] = sum;
}
kernel void inner(global int* out, global const int* in, int width, int length, int step) {
  int x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (int j = 0; j < length; ++j)
    for (int k = 0; k < length; ++k) sum = 3 * sum + (k + 1) * (uint)in[(y * step + j) * width + x * step + k];
  out[x + y * get_global_size(0)] = sum;
}
)CL";

struct Shape {
  cl_long length[2], stride[2], offset;
  std::size_t at(cl_long x, cl_long y) const {
    return static_cast<std::size_t>(x * stride[0] + y * stride[1] + offset);
  }
};

constexpr std::size_t room = 8000;

class StridesOfLaunch : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    build(source, "");
    for (std::size_t i = 0; i < room; ++i) in_.push_back(static_cast<cl_int>(i * 7 % 1001));
  }

  /// The buffer after a launch with it and the input.
  template <class... Args>
  std::vector<cl_int> after(const char* kernel, std::vector<std::size_t> global, std::vector<std::size_t> local,
                            const Args&... args) {
    std::vector<cl_int> out(room, 5);
    cl_mem to = bufferOf(out), from = bufferOf(in_);
    launchWith(kernel, std::move(global), std::move(local), to, from, args...);
    take(to, out);
    clReleaseMemObject(from);
    return out;
  }

  std::vector<cl_int> in_;

private:
  template <class To, class From, class... Rest>
  void launchWith(const char* kernel, std::vector<std::size_t> global, std::vector<std::size_t> local, cl_mem to,
                  cl_mem from, const To& toPlace, const From& fromPlace, const Rest&... rest) {
    std::apply(
        [&](const auto&... first) {
          std::apply(
              [&](const auto&... second) { launch(kernel, global, local, to, first..., from, second..., rest...); },
              fromPlace);
        },
        toPlace);
  }
};

/// Side by side, apart, back to front.
struct Steps {
  cl_int at, step;
};
const Steps steps[] = {{0, 1}, {5, 1}, {3, 2}, {0, 7}, {999, -1}, {3000, -3}};

TEST_F(StridesOfLaunch, ofVectors) {
  for (const Steps& to : steps)
    for (const Steps& from : steps)
      for (const cl_int size : {1, 33, 500}) {
        SCOPED_TRACE(std::to_string(to.step) + " " + std::to_string(from.step) + " " + std::to_string(size));
        std::vector<cl_int> sums(room, 5), differences(room, 5);
        for (cl_int i = 0; i < size; ++i) {
          const auto target = static_cast<std::size_t>(i * to.step + to.at);
          const cl_int value = in_[static_cast<std::size_t>(i * from.step + from.at)];
          sums[target] += 3 * value;
          differences[target] = value - i;
        }
        EXPECT_EQ(after("scaled", {96}, {32}, std::tuple(to.at, to.step), std::tuple(from.at, from.step), size), sums);
        const auto wide = [](const Steps& each) {
          return std::tuple(static_cast<cl_ulong>(each.at), static_cast<cl_ulong>(cl_long{each.step}));
        };
        EXPECT_EQ(after("once", {512}, {64}, wide(to), wide(from), size), differences);
      }
}

TEST_F(StridesOfLaunch, ofImages) {
  const cl_long width = 70, height = 20;
  const Shape shapes[] = {{{width, height}, {1, width}, 0},
                          {{width, height}, {1, width + 9}, 11},
                          {{width, height}, {3, 3 * width}, 1},
                          {{width, height}, {height, 1}, 2},
                          {{width, height}, {-1, width}, width - 1}};
  for (const Shape& to : shapes)
    for (const Shape& from : shapes) {
      SCOPED_TRACE(std::to_string(to.stride[0]) + " " + std::to_string(from.stride[0]));
      std::vector<cl_int> sums(room, 5), pairs(room, 5);
      for (cl_long y = 0; y < height; ++y)
        for (cl_long x = 0; x < width; ++x) {
          cl_int& sum = sums[to.at(x, y)] = 0;
          for (cl_long k = -1; k <= 1; ++k)
            if (x + k >= 0 && x + k < width) sum += in_[from.at(x + k, y)];
          const cl_long other = x ^ 1;
          pairs[to.at(x, y)] = in_[from.at(x, y)] + (other < width ? in_[from.at(other, y)] : 0);
        }
      EXPECT_EQ(after("window", {80, 24}, {16, 8}, std::tuple(to), std::tuple(from)), sums);
      EXPECT_EQ(after("staged", {96, 20}, {32, 1}, std::tuple(to), std::tuple(from), LocalBytes{32 * sizeof(cl_int)}),
                pairs);
    }
}

/// Windows that move by a number of elements from work-item to work-item, as in layers of neural networks. Those that
/// stay, or move against the row, are at its beginning for all work-items.
TEST_F(StridesOfLaunch, ofWindows) {
  const cl_int width = 90, height = 20, lengths[] = {1, 4, 9, 70, 200};
  for (const cl_int length : lengths)
    for (const cl_int step : {1, 2, 3, 0, -1, -2}) {
      SCOPED_TRACE(std::to_string(length) + " " + std::to_string(step));
      std::vector<cl_int> clipped(room, 5), whole(room, 5);
      const cl_int columns = step > 0 ? (width - 1) / step + 1 : width, inside = 6;
      for (cl_int y = 0; y < height; ++y)
        for (cl_int x = 0; x < columns; ++x) {
          cl_uint sum = 0;
          for (cl_int k = 0; k < length; ++k) {
            const cl_int at = x * step + length / 2 - k;
            if (at >= 0 && at < width)
              sum = 3 * sum + static_cast<cl_uint>((k + 1) * in_[static_cast<std::size_t>(at + y * width)]);
          }
          clipped[static_cast<std::size_t>(x + y * columns)] = static_cast<cl_int>(sum);
        }
      EXPECT_EQ(after("moved", {static_cast<std::size_t>(columns), static_cast<std::size_t>(height)}, {}, std::tuple(),
                      std::tuple(width, length, step)),
                clipped);
      if (length > 9 || step < 0) continue;
      for (cl_int y = 0; y < inside; ++y)
        for (cl_int x = 0; x < 24; ++x) {
          cl_uint sum = 0;
          for (cl_int j = 0; j < length; ++j)
            for (cl_int k = 0; k < length; ++k)
              sum = 3 * sum + static_cast<cl_uint>(
                                  (k + 1) * in_[static_cast<std::size_t>((y * step + j) * width + x * step + k)]);
          whole[static_cast<std::size_t>(x + y * 24)] = static_cast<cl_int>(sum);
        }
      EXPECT_EQ(after("inner", {24, inside}, {}, std::tuple(), std::tuple(width, length, step)), whole);
    }
}

}  // namespace
