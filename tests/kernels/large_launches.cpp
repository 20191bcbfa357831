// SPDX-License-Identifier: Apache-2.0
// This file launches more work-items than the last cache holds words: what they write goes past it, in rows, columns
// and parts of lines, and must be there all the same.
#include "device_test.h"

#include <cstdint>
#include <vector>

namespace {

const char source[] = R"CL(
__kernel void reversed(__global const uint* in, __global uint* out) {
  const uint w = get_global_size(0), i = get_global_id(1) * w + get_global_id(0);
  out[w * get_global_size(1) - 1 - i] = in[i];
}
__kernel void transposed(__global const uint* in, __global uint* out) {
  const uint x = get_global_id(0), y = get_global_id(1);
  out[x * get_global_size(1) + y] = in[y * get_global_size(0) + x];
}
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void tiles(__global const uint* in, __global uint* out) {
  __local uint t[16][17];
  const uint x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * 16, top = get_group_id(1) * 16;
  t[y][x] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + y) * get_global_size(1) + top + x] = t[x][y];
}
__kernel void shorts(__global const uint* in, __global ushort* out) {
  const uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = (ushort)(in[i] >> 8);
}
)CL";

class LargeLaunches : public DeviceTest {
protected:
  /// Heights that tiles do not fill, too, and memory of the application's that begins in the middle of a line.
  void run(const char* name, bool whole, bool aligned) {
    cl_ulong cache = 0;
    clGetDeviceInfo(device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, nullptr);
    const std::size_t wanted = cache ? cache / 4 + cache / 16 : 1 << 22;
    if (wanted > std::size_t{1} << 27) GTEST_SKIP() << "the cache holds " << cache << " bytes";
    width_ = 2048;
    height_ = wanted / width_ / 16 * 16 + (whole ? 16 : 19);
    const std::size_t items = width_ * height_, bytes = items * sizeof(cl_uint);
    std::vector<cl_uint> in(items), own(aligned ? 0 : items + 16), made(items);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_uint>(i * 2654435761u);
    cl_mem input = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes, in.data(), nullptr);
    cl_int status = CL_SUCCESS;
    cl_uint* middle = own.data();
    while (!aligned && reinterpret_cast<std::uintptr_t>(middle) % 64 != 20) ++middle;
    cl_mem output = clCreateBuffer(context_, aligned ? CL_MEM_READ_WRITE : CL_MEM_USE_HOST_PTR, bytes, middle, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program_, name, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    clSetKernelArg(kernel, 0, sizeof input, &input);
    clSetKernelArg(kernel, 1, sizeof output, &output);
    const std::size_t global[] = {width_, height_};
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(
        clEnqueueReadBuffer(queue_, output, CL_TRUE, 0, items * sizeof(cl_uint), made.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    check(name, in, made);
    clReleaseKernel(kernel);
    clReleaseMemObject(output);
    clReleaseMemObject(input);
  }

  void check(const std::string& name, const std::vector<cl_uint>& in, const std::vector<cl_uint>& made) {
    const auto* shorts = reinterpret_cast<const cl_ushort*>(made.data());
    for (std::size_t y = 0; y < height_; ++y)
      for (std::size_t x = 0; x < width_; ++x) {
        const std::size_t i = y * width_ + x;
        const cl_uint found = name == "reversed" ? made[width_ * height_ - 1 - i]
                              : name == "shorts" ? shorts[i]
                                                 : made[x * height_ + y];
        const cl_uint expected = name == "shorts" ? static_cast<cl_ushort>(in[i] >> 8) : in[i];
        ASSERT_EQ(found, expected) << "column " << x << ", row " << y << " of " << width_ << 'x' << height_;
      }
  }

  void SetUp() override {
    DeviceTest::SetUp();
    build(source, "");
  }

  std::size_t width_ = 0, height_ = 0;
};

TEST_F(LargeLaunches, reversed) { run("reversed", true, true); }
TEST_F(LargeLaunches, reversedOddRows) { run("reversed", false, true); }
TEST_F(LargeLaunches, transposed) { run("transposed", true, true); }
TEST_F(LargeLaunches, transposedOddRows) { run("transposed", false, true); }
TEST_F(LargeLaunches, transposedInTheMiddleOfLines) { run("transposed", true, false); }
TEST_F(LargeLaunches, tiles) { run("tiles", true, true); }
TEST_F(LargeLaunches, tilesInTheMiddleOfLines) { run("tiles", true, false); }
TEST_F(LargeLaunches, shorts) { run("shorts", false, true); }

}  // namespace
