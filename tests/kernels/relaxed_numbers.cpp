// SPDX-License-Identifier: Apache-2.0
// This file builds with -cl-fast-relaxed-math, and with functions that may be inexact, where infinities and zeros are
// what programs expect on the way: sigmoids far from 0, maxima that begin at -INFINITY, divisions by 0.
#include "device_test.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

struct Form {
  const char* text;  ///< an expression of x and y
  std::function<double(double x, double y)> exact;
};

constexpr double infinity = std::numeric_limits<double>::infinity();

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
/// As the functions of float: an exponential beyond its range is infinite, and below it is zero.
double rounded(double x) { return std::abs(x) > 3.4028235e38 ? std::copysign(infinity, x) : x; }

/// The two may be multiplied first, and a subnormal product is zero there (OpenCL 3.0, section 5.8.6.3:
/// -cl-unsafe-math-optimizations includes -cl-denorms-are-zero): nothing is asked of it.
double reciprocalOfRoots(double x, double y) {
  const double product = x * y;
  return product > 0 && product < 1.17549435e-38 ? NAN : 1 / std::sqrt(product);
}

const Form forms[] = {
    {"1.0f / (1.0f + exp(-x))", [](double x, double) { return sigmoid(x); }},
    {"x / (1.0f + exp(-x))", [](double x, double) { return x == -infinity ? NAN : x * sigmoid(x); }},
    {"x * (1.0f / (1.0f + native_exp(-x)))", [](double x, double) { return x == -infinity ? NAN : x * sigmoid(x); }},
    {"1.0f / (1.0f + exp2(-x))", [](double x, double) { return 1 / (1 + std::exp2(-x)); }},
    {"1.0f - 2.0f / (exp(2.0f * x) + 1.0f)", [](double x, double) { return std::tanh(x); }},
    {"tanh(x)", [](double x, double) { return std::tanh(x); }},
    {"0.5f * y * (1.0f + tanh(x))", [](double x, double y) { return 0.5 * y * (1 + std::tanh(x)); }},
    {"1.0f / x", [](double x, double) { return 1 / x; }},
    {"y / x", [](double x, double y) { return y / x; }},
    {"native_recip(x)", [](double x, double) { return 1 / x; }},
    {"half_recip(x)", [](double x, double) { return 1 / x; }},
    {"native_divide(y, x)", [](double x, double y) { return y / x; }},
    {"half_divide(y, x)", [](double x, double y) { return y / x; }},
    {"sqrt(fabs(x))", [](double x, double) { return std::sqrt(std::abs(x)); }},
    {"native_sqrt(fabs(x))", [](double x, double) { return std::sqrt(std::abs(x)); }},
    {"rsqrt(fabs(x))", [](double x, double) { return 1 / std::sqrt(std::abs(x)); }},
    {"native_rsqrt(fabs(x))", [](double x, double) { return 1 / std::sqrt(std::abs(x)); }},
    {"half_rsqrt(fabs(x))", [](double x, double) { return 1 / std::sqrt(std::abs(x)); }},
    {"1.0f / sqrt(fabs(x))", [](double x, double) { return 1 / std::sqrt(std::abs(x)); }},
    {"y / sqrt(fabs(x))", [](double x, double y) { return y / std::sqrt(std::abs(x)); }},
    // Roots that are factors of divisors.
    {"1.0f / hypot(x, x)", [](double x, double) { return 1 / std::hypot(x, x); }},
    {"y / (fabs(x) * sqrt(fabs(x)))", [](double x, double y) { return y * std::pow(std::abs(x), -1.5); }},
    {"y / (sqrt(fabs(x)) * 3.0f)", [](double x, double y) { return y / (std::sqrt(std::abs(x)) * 3); }},
    {"1.0f / (y * sqrt(x > 0.0f ? x : 0.0f))", [](double x, double y) { return 1 / (y * std::sqrt(x > 0 ? x : 0.0)); }},
    {"(float)(1.0 / ((double)sqrt(fabs(x)) * 3.0))", [](double x, double) { return 1 / (std::sqrt(std::abs(x)) * 3); }},
    {"1.0f / (sqrt(y) * sqrt(fabs(x)))", [](double x, double y) { return reciprocalOfRoots(std::abs(x), y); }},
    {"exp(x)", [](double x, double) { return rounded(std::exp(x)); }},
    {"native_exp(x)", [](double x, double) { return rounded(std::exp(x)); }},
    {"half_exp(x)", [](double x, double) { return rounded(std::exp(x)); }},
    {"exp2(x)", [](double x, double) { return rounded(std::exp2(x)); }},
    {"exp10(x)", [](double x, double) { return rounded(std::pow(10, x)); }},
    {"log(fabs(x))", [](double x, double) { return std::log(std::abs(x)); }},
    {"native_log(fabs(x))", [](double x, double) { return std::log(std::abs(x)); }},
    {"half_log2(fabs(x))", [](double x, double) { return std::log2(std::abs(x)); }},
    {"log10(fabs(x))", [](double x, double) { return std::log10(std::abs(x)); }},
    {"pow(fabs(x), y)", [](double x, double y) { return rounded(std::pow(std::abs(x), y)); }},
    {"powr(fabs(x), y)", [](double x, double y) { return rounded(std::pow(std::abs(x), y)); }},
    {"native_powr(fabs(x), y)", [](double x, double y) { return rounded(std::pow(std::abs(x), y)); }},
    {"cosh(x)", [](double x, double) { return rounded(std::cosh(x)); }},
    {"sinh(x)", [](double x, double) { return rounded(std::sinh(x)); }},
    {"atan(x)", [](double x, double) { return std::atan(x); }},
    {"fmax(x, -INFINITY)", [](double x, double) { return x; }},
    {"fmin(x, INFINITY)", [](double x, double) { return x; }},
    {"exp(-INFINITY - fmin(x, 1.0f)) + y", [](double x, double y) { return x == -infinity ? NAN : y; }},
    {"x < INFINITY ? y : 2.0f", [](double x, double y) { return x < infinity ? y : 2; }},
};

const float values[] = {0.0f,   -0.0f, 1.0f,   -1.0f, 0.5f,   3.0f,   -3.0f,   20.0f,   -20.0f,   87.0f,
                        -87.0f, 88.5f, -88.5f, 89.0f, -89.0f, 104.0f, -104.0f, 1000.0f, -1000.0f, 1e10f,
                        -1e10f, 1e30f, -1e30f, 3e38f, -3e38f, 1e-30f, -1e-30f, 2e-38f,  INFINITY, -INFINITY};

class RelaxedNumbers : public DeviceTest, public testing::WithParamInterface<const char*> {};

TEST_P(RelaxedNumbers, KeepInfinitiesAndZeros) {
  std::string source;
  int number = 0;
  for (const Form& form : forms) {
    const std::string name = "form" + std::to_string(number++);
    source += "__kernel void " + name +
              "(__global const float* xs, __global const float* ys, __global float* out) {\n"
              "  const float x = xs[get_global_id(0)], y = ys[get_global_id(0)];\n  out[get_global_id(0)] = " +
              form.text + ";\n}\n";
  }
  build(source, GetParam());
  std::vector<float> xs, ys;
  for (const float x : values)
    for (const float y : {1.0f, 3.0f, 0.5f}) {
      xs.push_back(x);
      ys.push_back(y);
    }
  number = 0;
  for (const Form& form : forms) {
    std::vector<float> made(xs.size());
    cl_mem x = bufferOf(xs), y = bufferOf(ys), output = bufferOf(made);
    launch(("form" + std::to_string(number++)).c_str(), {xs.size()}, {}, x, y, output);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
    take(output, made);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const double right = form.exact(xs[i], ys[i]);
      if (std::isnan(right)) continue;
      const double magnitude = std::abs(right);
      // Numbers close to the ends of the range may round to infinity or to zero.
      if ((magnitude > 1e38 && !std::isinf(right)) || (magnitude < 1e-37 && right != 0)) {
        ASSERT_FALSE(std::isnan(made[i])) << form.text << " of " << xs[i] << ", " << ys[i];
        continue;
      }
      if (std::isinf(right) || right == 0) {
        ASSERT_TRUE(made[i] == right || std::abs(made[i] - right) < 1e-7)
            << form.text << " of " << xs[i] << ", " << ys[i] << " is " << made[i] << ", not " << right;
        continue;
      }
      ASSERT_NEAR(made[i], right, std::max(1e-3 * magnitude, 1e-6)) << form.text << " of " << xs[i] << ", " << ys[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, RelaxedNumbers,
                         testing::Values("-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
                                         "-cl-finite-math-only", "-cl-fast-relaxed-math -cl-clarity-packet-width=1",
                                         "-cl-fast-relaxed-math -cl-opt-disable", ""));

/// The largest of a row that begins with nothing, and the sum of exponentials below it.
class SoftMaxima : public DeviceTest {};

TEST_F(SoftMaxima, BeginAtMinusInfinity) {
  build(R"CL(
__kernel void soft(__global const float* in, __global float* out, int n) {
  const int g = get_global_id(0);
  float most = -INFINITY, sum = 0;
  for (int i = 0; i < n; ++i) {
    const float x = in[g * n + i], next = fmax(most, x);
    sum = sum * exp(most - next) + exp(x - next);
    most = next;
  }
  out[g] = sum;
}
)CL",
        "-cl-fast-relaxed-math");
  constexpr cl_int n = 5;
  std::vector<float> in(32 * n), made(32);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = i % 7 == 3 ? -INFINITY : static_cast<float>(i % 11) - 5;
  cl_mem input = bufferOf(in), output = bufferOf(made);
  launch("soft", {32}, {}, input, output, n);
  clReleaseMemObject(input);
  take(output, made);
  for (std::size_t g = 0; g < made.size(); ++g) {
    double most = -infinity, sum = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::max<double>(most, in[g * n + i]);
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(in[g * n + i] - most);
    if (in[g * n] != -INFINITY) ASSERT_NEAR(made[g], sum, 1e-4) << "row " << g;
  }
}

}  // namespace
