// SPDX-License-Identifier: Apache-2.0
// This file launches ranges that are no multiple of their work-groups, and small work-groups, with so many work-items
// that a GPU forms blocks of its own: each work-item must run once, and see its own work-group.
#include "device_test.h"

#include <array>
#include <string>
#include <vector>

namespace {

const char source[] = R"CL(
#define AT(d) (get_global_id(d) - get_global_offset(d))
kernel void line(global uint* out) { out[AT(0)] += get_global_id(0) * 3 + 1; }
kernel void plane(global uint* out) {
  const uint x = get_global_id(0), y = get_global_id(1);
  uint own[4] = {1, 2, 3, 4};
  own[x % 4] += y;
  if ((x + y) % 7 == 3) return;
  out[AT(1) * get_global_size(0) + AT(0)] += own[y % 4] * 10 + x;
}
kernel void space(global uint* out) {
  out[(AT(2) * get_global_size(1) + AT(1)) * get_global_size(0) + AT(0)] +=
      get_global_id(0) * 3 + get_global_id(1) * 5 + get_global_id(2) * 7 + 1;
}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void required(global uint* out) {
  out[AT(0)] += get_global_id(0) * 3 + 1;
}
kernel void groups(global uint* out) {
  out[AT(0)] += get_group_id(0) * 10000 + get_local_size(0) * 10 + get_num_groups(0) % 10;
}
kernel void sizes(global uint* out) { out[AT(0)] += get_enqueued_local_size(0) * 1000 + get_local_size(0); }
)CL";

using Sizes = std::array<std::size_t, 3>;

struct UnevenRanges : DeviceTest {
  void SetUp() override {
    DeviceTest::SetUp();
    build(source, "-cl-std=CL3.0");
  }

  /// `expected(x, y, z)` has the ids of a work-item, with their offset.
  template <class Expected>
  void run(const char* name, const Sizes& global, const Sizes& local, const Sizes& offset, const Expected& expected) {
    SCOPED_TRACE(testing::Message() << name << " " << testing::PrintToString(global) << " in groups of "
                                    << testing::PrintToString(local));
    const std::size_t items = global[0] * global[1] * global[2], behind = 64;
    cl_mem out = bufferOf(std::vector<cl_uint>(items + behind));
    cl_kernel kernel = clCreateKernel(program_, name, nullptr);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 3, offset.data(), global.data(), local.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    std::vector<cl_uint> made(items + behind);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, made.size() * sizeof(cl_uint), made.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseMemObject(out);
    std::size_t i = 0;
    for (std::size_t z = 0; z < global[2]; ++z)
      for (std::size_t y = 0; y < global[1]; ++y)
        for (std::size_t x = 0; x < global[0]; ++x, ++i)
          ASSERT_EQ(made[i], static_cast<cl_uint>(expected(x + offset[0], y + offset[1], z + offset[2])))
              << x << ", " << y << ", " << z;
    for (; i < made.size(); ++i) ASSERT_EQ(made[i], 0U) << "behind the last work-item";
  }
};

constexpr Sizes none{0, 0, 0};

TEST_F(UnevenRanges, ofOneDimension) {
  const auto expected = [](std::size_t x, std::size_t, std::size_t) { return x * 3 + 1; };
  for (const std::size_t local : {1, 3, 20, 250, 256}) run("line", {300'001, 1, 1}, {local, 1, 1}, {7, 0, 0}, expected);
  run("line", {300'032, 1, 1}, {4, 1, 1}, none, expected);
  run("line", {200, 1, 1}, {256, 1, 1}, none, expected);
  for (const std::size_t items : {300'001, 300'032}) run("required", {items, 1, 1}, {16, 1, 1}, none, expected);
}

TEST_F(UnevenRanges, ofTwoDimensions) {
  const auto expected = [](std::size_t x, std::size_t y, std::size_t) {
    return (x + y) % 7 == 3 ? 0 : (y % 4 + 1 + (x % 4 == y % 4 ? y : 0)) * 10 + x;
  };
  run("plane", {1001, 303, 1}, {64, 4, 1}, {3, 1, 0}, expected);
  run("plane", {1000, 301, 1}, {4, 4, 1}, none, expected);
  run("plane", {3, 100'001, 1}, {2, 2, 1}, {5, 6, 0}, expected);
  run("plane", {100'001, 3, 1}, {1, 3, 1}, none, expected);
}

TEST_F(UnevenRanges, ofThreeDimensions) {
  const auto expected = [](std::size_t x, std::size_t y, std::size_t z) { return x * 3 + y * 5 + z * 7 + 1; };
  run("space", {101, 67, 45}, {4, 4, 4}, {1, 2, 3}, expected);
  run("space", {64, 64, 66}, {4, 2, 2}, none, expected);
}

TEST_F(UnevenRanges, groupsThatAreObserved) {
  constexpr std::size_t items = 300'001, local = 250, count = (items + local - 1) / local;
  const auto sizeAt = [](std::size_t x) { return x / local + 1 == count ? items % local : local; };
  run("groups", {items, 1, 1}, {local, 1, 1}, none,
      [&](std::size_t x, std::size_t, std::size_t) { return x / local * 10000 + sizeAt(x) * 10 + count % 10; });
  run("sizes", {items, 1, 1}, {local, 1, 1}, none,
      [&](std::size_t x, std::size_t, std::size_t) { return local * 1000 + sizeAt(x); });
}

}  // namespace
