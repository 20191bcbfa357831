// SPDX-License-Identifier: Apache-2.0
// This file tests the built-in convolutions.
#include "built_in_test.h"

#include <algorithm>
#include <array>

namespace {

struct Along {
  cl_ulong size = 1, window = 1, stride = 1, pad = 0, dilation = 1;
  cl_ulong out() const { return (size + 2 * pad - dilation * (window - 1) - 1) / stride + 1; }
};

struct BuiltInConvolutions : BuiltInTest {
  template <class T>
  static double real(T value) {
    return static_cast<double>(static_cast<ArithmeticOf<T>>(value));
  }

  /// Dimensions z, y, x; the kernel has the last `count` of them.
  template <class T>
  void convolve(int count, cl_ulong batches, cl_ulong channels, cl_ulong filters, const std::array<Along, 3>& d) {
    const cl_ulong size = d[0].size * d[1].size * d[2].size, window = d[0].window * d[1].window * d[2].window;
    const cl_ulong out = d[0].out() * d[1].out() * d[2].out();
    const std::vector<T> values = numbers<T>(batches * channels * size, 20),
                         weights = numbers<T>(filters * channels * window, 20);
    const std::vector<T> shift = numbers<T>(filters, 20);
    cl_mem x = bufferWith(values), w = bufferWith(weights), bias = bufferWith(shift);
    cl_mem y = bufferWith(std::vector<T>(batches * filters * out));
    const cl_uint activation = 1;
    const auto& [z, v, u] = d;
    if (count == 1)
      run(named<T>("clarity.conv1d"), batches, channels, filters, u.size, u.window, u.stride, u.pad, u.dilation, x, w,
          bias, activation, y);
    else if (count == 2)
      run(named<T>("clarity.conv2d"), batches, channels, filters, v.size, v.window, v.stride, v.pad, v.dilation, u.size,
          u.window, u.stride, u.pad, u.dilation, x, w, bias, activation, y);
    else
      run(named<T>("clarity.conv3d"), batches, channels, filters, z.size, z.window, z.stride, z.pad, z.dilation, v.size,
          v.window, v.stride, v.pad, v.dilation, u.size, u.window, u.stride, u.pad, u.dilation, x, w, bias, activation,
          y);
    const std::vector<T> result = read<T>(y, batches * filters * out);
    std::size_t place = 0;
    for (cl_ulong b = 0; b < batches; ++b)
      for (cl_ulong f = 0; f < filters; ++f)
        for (cl_ulong o = 0; o < out; ++o, ++place) {
          const std::array<cl_ulong, 3> at{o / (d[1].out() * d[2].out()), o / d[2].out() % d[1].out(), o % d[2].out()};
          double sum = 0, magnitudes = 0;
          for (cl_ulong c = 0; c < channels; ++c)
            for (cl_ulong k = 0; k < window; ++k) {
              const std::array<cl_ulong, 3> in{k / (d[1].window * d[2].window), k / d[2].window % d[1].window,
                                               k % d[2].window};
              std::array<cl_ulong, 3> from{};
              bool isInside = true;
              for (int e = 0; e < 3; ++e) {
                from[e] = at[e] * d[e].stride + in[e] * d[e].dilation - d[e].pad;
                isInside = isInside && from[e] < d[e].size;
              }
              if (!isInside) continue;
              const double product =
                  real(weights[(f * channels + c) * window + k]) *
                  real(values[(b * channels + c) * size + (from[0] * d[1].size + from[1]) * d[2].size + from[2]]);
              sum += product, magnitudes += std::abs(product);
            }
          const double expected = std::max(sum + real(shift[f]), 0.0);
          ASSERT_NEAR(real(result[place]), expected,
                      epsilonOf<ArithmeticOf<T>> * static_cast<double>(channels * window) * (magnitudes + 2) +
                          epsilonOf<T> * expected)
              << "batch " << b << ", filter " << f << ", output " << o;
        }
  }
};

TEST_F(BuiltInConvolutions, allDimensions) {
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    convolve<T>(1, 1, 1, 1, {Along{}, Along{}, Along{.size = 1}});
    convolve<T>(1, 2, 3, 5, {Along{}, Along{}, Along{.size = 101, .window = 7, .stride = 2, .pad = 3, .dilation = 2}});
    convolve<T>(2, 2, 3, 70,
                {Along{}, Along{.size = 13, .window = 3, .pad = 1}, Along{.size = 17, .window = 3, .pad = 1}});
    convolve<T>(
        2, 1, 9, 2,
        {Along{}, Along{.size = 9, .window = 1, .stride = 3}, Along{.size = 11, .window = 5, .stride = 2, .pad = 4}});
    convolve<T>(3, 1, 2, 3,
                {Along{.size = 5, .window = 2, .pad = 1}, Along{.size = 6, .window = 3},
                 Along{.size = 7, .window = 3, .stride = 2, .pad = 1}});
  });
}

/// Windows of more memory than are packed at a time: parts of an image, and some of the images.
TEST_F(BuiltInConvolutions, parts) {
  const Along large{.size = 104, .window = 5}, small{.size = 54, .window = 5};
  convolve<float>(2, 1, 16, 2, {Along{}, large, large});
  convolve<float>(2, 3, 16, 1, {Along{}, small, small});
}

}  // namespace
