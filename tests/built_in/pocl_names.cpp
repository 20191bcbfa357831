// SPDX-License-Identifier: Apache-2.0
// This file tests the kernels with PoCL's names.
#include "built_in_test.h"

namespace {

struct BuiltInPoclNames : BuiltInTest {
  template <class... Buffers>
  void over(const char* name, std::size_t items, std::size_t local, const Buffers&... buffers) {
    cl_kernel kernel = kernelOf(name);
    cl_uint index = 0;
    for (cl_mem each : {buffers...}) EXPECT_EQ(clSetKernelArg(kernel, index++, sizeof each, &each), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, local ? &local : nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
};

TEST_F(BuiltInPoclNames, elements) {
  const std::size_t n = 1000;
  const std::vector<cl_int> a = numbers<cl_int>(n), b = numbers<cl_int>(n);
  const std::vector<cl_char> c = numbers<cl_char>(n), d = numbers<cl_char>(n);
  const std::vector<float> e = numbers<float>(n);
  cl_mem x = bufferWith(a), y = bufferWith(b), z = bufferWith(a);
  over("pocl.add.i32", n, 0, x, y, z);
  const std::vector<cl_int> sums = read<cl_int>(z, n);
  over("pocl.mul.i32", n, 50, x, y, z);
  const std::vector<cl_int> products = read<cl_int>(z, n);
  cl_mem bytes = bufferWith(c), numbers = bufferWith(e);
  over("pocl.add.i8", n, 0, bytes, bufferWith(d), bytes);
  const std::vector<cl_char> small = read<cl_char>(bytes, n);
  over("pocl.abs.f32", n, 0, numbers, numbers);
  const std::vector<float> magnitudes = read<float>(numbers, n);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sums[i], a[i] + b[i]);
    ASSERT_EQ(products[i], a[i] * b[i]);
    ASSERT_EQ(small[i], static_cast<cl_char>(c[i] + d[i]));
    ASSERT_EQ(magnitudes[i], std::abs(e[i]));
  }
}

}  // namespace
