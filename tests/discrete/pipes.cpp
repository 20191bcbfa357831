// SPDX-License-Identifier: Apache-2.0
// This file tests that a pipe's packets follow it from device to device (OpenCL 3.0, section 5.4).
#include "several_devices.h"

#include <algorithm>
#include <numeric>

namespace clarity::test {
namespace {

struct Pipes : SeveralDevices {};

constexpr size_t count = 300;

// Packets that one device has written another one reads and writes on, several times around the ring.
TEST_F(Pipes, packetsFollowTheKernels) {
  cl_mem pipe = created([&](cl_int* e) { return clCreatePipe(context, 0, 4, 2 * count, nullptr, e); });
  cl_program program = buildForAll(R"(
    kernel void put(global const int* in, write_only pipe int p, global int* failed) {
      if (write_pipe(p, &in[get_global_id(0)])) *failed = 1;
    }
    kernel void take(read_only pipe int p, global int* out, global int* failed) {
      if (read_pipe(p, &out[get_global_id(0)])) *failed = 1;
    })",
                                   "-cl-std=CL3.0");
  cl_kernel put = kernel(program, "put"), take = kernel(program, "take");
  std::vector<cl_int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  cl_mem in = bufferOf(numbers), out = buffer(4 * count), failed = bufferOf(std::vector<cl_int>(1));
  setArgs(put, in, pipe, failed);
  setArgs(take, pipe, out, failed);
  for (const auto& [writer, reader] : {std::pair{first, second},
                                       {second, cpu},
                                       {cpu, first},
                                       {first, first},
                                       {second, first},
                                       {first, cpu},
                                       {cpu, cpu}}) {
    cl_event written = run(writer, put, count);
    cl_event read = run(reader, take, count, {written});
    ASSERT_SUCCESS(clWaitForEvents(1, &read));
    std::vector<cl_int> got = readOn<cl_int>(second, out, count);
    std::ranges::sort(got);
    EXPECT_EQ(got, numbers) << "from device " << writer << " to " << reader;
  }
  EXPECT_EQ(readOn<cl_int>(cpu, failed, 1)[0], 0);
}

}  // namespace
}  // namespace clarity::test
