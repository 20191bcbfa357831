// SPDX-License-Identifier: Apache-2.0
// This file computes with half in kernels: every operation against the same in extended precision, conversions in both
// directions, vectors, structures, private and local memory, and what work-items compute together; in packets of
// several widths and alone.
#include "device_test.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

namespace {

using Half = _Float16;
/// Holds every sum of a half and a product of two exactly, if it is not far out of range.
using Extended = long double;

constexpr const char* ways[] = {"",
                                "-cl-clarity-packet-width=1",
                                "-cl-clarity-packet-width=4",
                                "-cl-clarity-packet-width=8",
                                "-cl-clarity-packet-width=16 -cl-clarity-tile=1x2",
                                "-cl-opt-disable"};

Half fromBits(unsigned bits) { return std::bit_cast<Half>(static_cast<std::uint16_t>(bits)); }
unsigned bitsOf(Half value) { return std::bit_cast<std::uint16_t>(value); }
Extended wide(Half value) { return static_cast<Extended>(static_cast<float>(value)); }

/// Rounded once, to nearest even.
Half rounded(Extended value) {
  if (std::isnan(value)) return fromBits(0x7e00);
  if (value == 0 || std::isinf(value)) return static_cast<Half>(static_cast<float>(value));
  const int exponent = std::max(std::ilogb(value), -14) - 10;
  const Extended whole = std::nearbyint(std::ldexp(value, -exponent));
  if (std::fabs(std::ldexp(whole, exponent)) > 65504) return static_cast<Half>(value > 0 ? INFINITY : -INFINITY);
  return static_cast<Half>(std::copysign(static_cast<float>(std::ldexp(whole, exponent)), static_cast<float>(value)));
}

bool same(Half a, Half b) {
  return bitsOf(a) == bitsOf(b) || (std::isnan(static_cast<float>(a)) && std::isnan(static_cast<float>(b)));
}

/// All halves, as often as asked for, in another order each time.
std::vector<Half> allHalves(unsigned times, unsigned seed) {
  std::vector<Half> values;
  std::mt19937 generator(seed);
  for (unsigned i = 0; i < times; ++i) {
    std::vector<Half> once;
    for (unsigned bits = 0; bits < 65536; ++bits) once.push_back(fromBits(bits));
    std::shuffle(once.begin(), once.end(), generator);
    values.insert(values.end(), once.begin(), once.end());
  }
  return values;
}

class HalfNumbers : public DeviceTest {
protected:
  void build(const std::string& source, const std::string& options) {
    DeviceTest::build(source, "-cl-std=CL3.0 " + options);
  }
};

// --- arithmetic ------------------------------------------------------------------------------------------------------

struct Operation {
  const char* expression;
  std::function<Half(Half, Half, Half)> expected;
};

Extended greater(Half x, Half y) {
  return std::isnan(wide(x)) ? wide(y) : std::isnan(wide(y)) ? wide(x) : std::max(wide(x), wide(y));
}

const Operation operations[] = {
    {"x + y", [](Half x, Half y, Half) { return rounded(wide(x) + wide(y)); }},
    {"x - y", [](Half x, Half y, Half) { return rounded(wide(x) - wide(y)); }},
    {"x * y", [](Half x, Half y, Half) { return rounded(wide(x) * wide(y)); }},
    {"x / y", [](Half x, Half y, Half) { return rounded(wide(x) / wide(y)); }},
    {"fma(x, y, z)", [](Half x, Half y, Half z) { return rounded(wide(x) * wide(y) + wide(z)); }},
    {"x * y - z", [](Half x, Half y, Half z) { return rounded(wide(rounded(wide(x) * wide(y))) - wide(z)); }},
    {"sqrt(x)", [](Half x, Half, Half) { return rounded(std::sqrt(wide(x))); }},
    {"fmod(x, y)", [](Half x, Half y, Half) { return rounded(std::fmod(wide(x), wide(y))); }},
    {"rint(x)", [](Half x, Half, Half) { return rounded(std::nearbyint(wide(x))); }},
    {"floor(x)", [](Half x, Half, Half) { return rounded(std::floor(wide(x))); }},
    {"fmax(x, y) + 0", [](Half x, Half y, Half) { return rounded(greater(x, y) + 0); }},
    {"-x", [](Half x, Half, Half) { return fromBits(bitsOf(x) ^ 0x8000); }},
    {"fabs(x)", [](Half x, Half, Half) { return fromBits(bitsOf(x) & 0x7fff); }},
    {"copysign(x, y)", [](Half x, Half y, Half) { return fromBits((bitsOf(x) & 0x7fff) | (bitsOf(y) & 0x8000)); }},
    {"x < y ? x : z", [](Half x, Half y, Half z) { return wide(x) < wide(y) ? x : z; }},
    {"isgreaterequal(x, y) ? z : (half)isnormal(x)",
     [](Half x, Half y, Half z) {
       return wide(x) >= wide(y) ? z : rounded(std::fabs(wide(x)) >= 0x1p-14L && std::fabs(wide(x)) < INFINITY);
     }},
    {"ldexp(x, (int)clamp(y, -40.0h, 40.0h))",
     [](Half x, Half y, Half) {
       return rounded(
           std::ldexp(wide(x), static_cast<int>(std::isnan(wide(y)) ? -999 : std::clamp(wide(y), -40.0L, 40.0L))));
     }},
    {"as_half((ushort)(as_ushort(x) ^ 1))", [](Half x, Half, Half) { return fromBits(bitsOf(x) ^ 1); }},
};

TEST_F(HalfNumbers, Operations) {
  constexpr unsigned times = 2;
  const std::vector<Half> x = allHalves(times, 1), y = allHalves(times, 2);
  std::vector<Half> z = allHalves(times, 3);
  // Sums that cancel, and addends far below the product or far above.
  for (std::size_t i = 0; i < z.size(); i += 4)
    z[i] = static_cast<Half>(-static_cast<float>(rounded(wide(x[i]) * wide(y[i]))));
  for (std::size_t i = 1; i < z.size(); i += 4) z[i] = fromBits((bitsOf(z[i]) & 0x8000) | 1);
  std::string source =
      "#pragma OPENCL FP_CONTRACT OFF\nkernel void operations(global const half *a, global const half *b, global const "
      "half *c, global half *out) {\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n  half x = a[i], y = b[i], z = c[i];\n";
  for (std::size_t k = 0; k < std::size(operations); ++k)
    source += "  out[" + std::to_string(k) + " * n + i] = " + operations[k].expression + ";\n";
  source += "}\n";
  std::vector<Half> expected;
  for (const Operation& operation : operations)
    for (std::size_t i = 0; i < x.size(); ++i) expected.push_back(operation.expected(x[i], y[i], z[i]));
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(source, options);
    std::vector<Half> out(expected.size());
    cl_mem a = bufferOf(x), b = bufferOf(y), c = bufferOf(z), results = bufferOf(out);
    launch("operations", {x.size()}, {}, a, b, c, results);
    take(results, out);
    for (cl_mem each : {a, b, c}) clReleaseMemObject(each);
    for (std::size_t k = 0; k < std::size(operations); ++k) {
      const std::string& name = operations[k].expression;
      int wrong = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        // The integer that a NaN becomes is not said.
        if (name.starts_with("ldexp") && std::isnan(wide(y[i]))) continue;
        const Half got = out[k * x.size() + i], wanted = expected[k * x.size() + i];
        if (same(got, wanted) || ++wrong > 3) continue;
        ADD_FAILURE() << name << " of " << std::hexfloat << static_cast<float>(x[i]) << ", " << static_cast<float>(y[i])
                      << ", " << static_cast<float>(z[i]) << " is " << static_cast<float>(got) << ", not "
                      << static_cast<float>(wanted) << " with '" << options << "'";
      }
      EXPECT_EQ(wrong, 0) << name << " with '" << options << "'";
    }
  }
}

// --- conversions -----------------------------------------------------------------------------------------------------

TEST_F(HalfNumbers, FromFloatAndDouble) {
  std::vector<double> in;
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    // A half, the middle between it and the next, and what is just beside the two, by a float's ulp and by a double's.
    const double value = static_cast<double>(wide(fromBits(bits))),
                 next = bits == 0x7bff ? 65536.0 : static_cast<double>(wide(fromBits(bits + 1)));
    const double middle = (value + next) / 2;
    const double sign = bits % 3 == 0 ? -1 : 1;
    for (const double base : {value, middle})
      for (const double factor : {1.0, 1 + 0x1p-23, 1 - 0x1p-24, 1 + 0x1p-52, 1 - 0x1p-53, 1 + 0x1p-40})
        in.push_back(sign * base * factor);
  }
  for (const double special :
       {0.0, 65519.0, 65519.99999, 65520.0, 1e10, 1e39, 1e300, 1e-30, 1e-45, 1e-300, HUGE_VAL, std::nan("")})
    for (const double sign : {1.0, -1.0}) in.push_back(sign * special);
  while (in.size() % 64) in.push_back(1);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(
        R"(kernel void narrow(global const double *in, global half *fromDouble, global half *fromFloat,
                             global float *back) {
      size_t i = get_global_id(0);
      fromDouble[i] = in[i];
      half h = (float)in[i];
      fromFloat[i] = h;
      back[i] = h;
    })",
        options);
    std::vector<Half> fromDouble(in.size()), fromFloat(in.size());
    std::vector<float> back(in.size());
    cl_mem input = bufferOf(in), a = bufferOf(fromDouble), b = bufferOf(fromFloat), c = bufferOf(back);
    launch("narrow", {in.size()}, {64}, input, a, b, c);
    take(a, fromDouble), take(b, fromFloat), take(c, back);
    clReleaseMemObject(input);
    int wrong = 0;
    for (std::size_t i = 0; i < in.size() && wrong < 4; ++i) {
      const Half expected = rounded(static_cast<Extended>(in[i])),
                 once = rounded(static_cast<Extended>(static_cast<float>(in[i])));
      const bool right = same(fromDouble[i], expected) && same(fromFloat[i], once) &&
                         same(static_cast<Half>(back[i]), once) &&
                         (std::isnan(back[i]) || back[i] == static_cast<float>(once));
      if (!right && ++wrong)
        ADD_FAILURE() << std::hexfloat << in[i] << " is " << static_cast<float>(fromDouble[i]) << ", as float "
                      << static_cast<float>(fromFloat[i]) << ", not " << static_cast<float>(expected) << " with '"
                      << options << "'";
    }
  }
}

TEST_F(HalfNumbers, Integers) {
  const std::vector<Half> in = allHalves(1, 4);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(
        R"(kernel void integers(global const half *in, global const long *numbers, global long *out,
                               global half *back) {
      size_t i = get_global_id(0), n = get_global_size(0);
      half x = in[i];
      out[i] = convert_char_sat(x);
      out[n + i] = convert_ushort_sat_rte(x);
      out[2 * n + i] = convert_int_sat_rtp(x);
      out[3 * n + i] = convert_long_sat_rtn(x);
      out[4 * n + i] = (int)x;
      out[5 * n + i] = (ulong)fabs(x);
      out[6 * n + i] = convert_uchar_sat(x);
      long number = numbers[i];
      back[i] = (half)number;
      back[n + i] = (half)(int)number;
      back[2 * n + i] = (half)(ushort)number;
      back[3 * n + i] = convert_half_rtz((uint)number);
    })",
        options);
    std::vector<cl_long> numbers(in.size()), out(7 * in.size());
    std::mt19937_64 generator(5);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = i < 3000 ? static_cast<cl_long>(64000 + i) : static_cast<cl_long>(generator()) >> generator() % 64;
    std::vector<Half> back(4 * in.size());
    cl_mem a = bufferOf(in), b = bufferOf(numbers), c = bufferOf(out), d = bufferOf(back);
    launch("integers", {in.size()}, {}, a, b, c, d);
    take(c, out), take(d, back);
    clReleaseMemObject(a), clReleaseMemObject(b);
    const std::size_t n = in.size();
    int wrong = 0;
    for (std::size_t i = 0; i < n && wrong < 4; ++i) {
      const double x = static_cast<double>(in[i]);
      const auto bounded = [&](double value, double low, double high) {
        return static_cast<cl_long>(std::isnan(x) ? 0 : std::clamp(value, low, high));
      };
      const bool finite = std::isfinite(x);
      bool right = out[i] == bounded(std::trunc(x), -128, 127) && out[n + i] == bounded(std::nearbyint(x), 0, 65535) &&
                   out[6 * n + i] == bounded(std::trunc(x), 0, 255);
      right &= out[2 * n + i] == bounded(std::ceil(x), -0x1p31, 0x1p31 - 1);
      right &= std::isinf(x) ? out[3 * n + i] == (x > 0 ? INT64_MAX : INT64_MIN)
                             : out[3 * n + i] == bounded(std::floor(x), -1e9, 1e9);
      right &=
          !finite || (out[4 * n + i] == static_cast<int>(x) && out[5 * n + i] == static_cast<cl_long>(std::fabs(x)));
      const auto number = static_cast<Extended>(numbers[i]);
      const auto part = static_cast<std::uint32_t>(numbers[i]);
      right &= same(back[i], rounded(number)) && same(back[n + i], rounded(static_cast<std::int32_t>(part))) &&
               same(back[2 * n + i], rounded(static_cast<std::uint16_t>(part)));
      const Half below = rounded(part);
      const Half toZero = wide(below) > part ? fromBits(bitsOf(below) - 1) : below;
      right &= same(back[3 * n + i], toZero);
      if (!right && ++wrong) ADD_FAILURE() << x << " or " << numbers[i] << " with '" << options << "'";
    }
  }
}

// --- vectors, memory and calls
// -----------------------------------------------------------------------------------------

/// The same kernel with half, and with float where every value is small and whole.
constexpr char shapes[] = R"(
typedef struct { T weight; char tag; T3 place; } Body;
__attribute__((noinline)) T4 turned(T4 v, T by) { return v.wzyx * by + (T4)(by); }
kernel void shapes(global const T *in, global T *out, T factor, T3 shift, local T *row) {
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  T4 v = vload4(i, in);
  T2 two = vload2(i, in + 3);
  T8 eight = (T8)(v, turned(v, factor));
  T16 sixteen = (T16)(eight, eight * (T8)(2));
  Body bodies[3];
  for (int k = 0; k < 3; ++k) {
    bodies[k].weight = v.x + (T)k;
    bodies[k].place = shift + v.xyz;
  }
  int chosen = (int)fabs(v.y) % 3;
  row[l] = bodies[chosen].weight;
  barrier(CLK_LOCAL_MEM_FENCE);
  T neighbour = row[(l + 1) % n];
  T sum = 0;
  for (int k = 0; k < (int)fabs(v.z); ++k) {    // work-items leave in different turns
    if (sum > (T)50) break;
    sum += neighbour + in[4 * i + k % 4];
  }
  T4 picked = any(v < (T4)(0)) ? max(v, (T4)(1)) : select(v, -v, v > (T4)(3));
  vstore3(bodies[2 - chosen].place, 4 * i, out);
  out[12 * i + 3] = sum;
  vstore4(picked, 3 * i + 1, out);
  vstore4(sixteen.s8ab1 + two.xyxy, 3 * i + 2, out);
})";

TEST_F(HalfNumbers, VectorsAndMemory) {
  constexpr std::size_t items = 200;
  std::vector<Half> in(4 * items + 8);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<Half>(static_cast<int>((i * 2654435761u >> 12) % 11) - 5);
  std::vector<float> inFloat(in.begin(), in.end());
  const auto defines = [](const std::string& type) {
    std::string text;
    for (const char* width : {"", "2", "3", "4", "8", "16"})
      text += "#define T" + std::string(width) + " " + type + width + "\n";
    return text;
  };
  build(defines("float") + shapes, "-cl-clarity-packet-width=1");
  std::vector<float> expected(12 * items);
  cl_mem input = bufferOf(inFloat), output = bufferOf(expected);
  launch("shapes", {items}, {50}, input, output, 2.0f, cl_float3{{1, 2, 3, 0}}, LocalBytes{50 * sizeof(float)});
  take(output, expected);
  clReleaseMemObject(input);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(defines("half") + shapes, options);
    std::vector<Half> out(12 * items);
    input = bufferOf(in), output = bufferOf(out);
    const std::array<Half, 4> shift{1, 2, 3, 0};
    launch("shapes", {items}, {50}, input, output, Half(2), shift, LocalBytes{50 * sizeof(Half)});
    take(output, out);
    clReleaseMemObject(input);
    EXPECT_EQ(std::vector<float>(out.begin(), out.end()), expected) << options;
  }
}

/// Relaxed math may keep more than a half between operations, never less; what is stored is a half.
TEST_F(HalfNumbers, Relaxed) {
  constexpr std::size_t items = 70, terms = 50;
  std::vector<Half> in(items + terms);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = rounded(static_cast<Extended>(i * 2654435761u % 1000) / 1000 - 0.3L);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(R"(kernel void sums(global const half *in, global half *out, global half *way) {
      size_t i = get_global_id(0);
      half sum = in[i], least = sum;
      for (int k = 0; k < 50; ++k) {
        sum += in[i + k] * in[k];
        least = sum < least ? sum : least;
        if (k == 20) way[i] = sum;
      }
      out[2 * i] = sum;
      out[2 * i + 1] = least * least + in[i] / (in[i] + 2.0h);
    })",
          std::string(options) + " -cl-fast-relaxed-math");
    std::vector<Half> out(2 * items), way(items);
    cl_mem input = bufferOf(in), output = bufferOf(out), middle = bufferOf(way);
    launch("sums", {items}, {}, input, output, middle);
    take(output, out), take(middle, way);
    clReleaseMemObject(input);
    for (std::size_t i = 0; i < items; ++i) {
      Extended sum = wide(in[i]), least = sum, there = 0;
      for (std::size_t k = 0; k < terms; ++k) {
        sum += wide(in[i + k]) * wide(in[k]);
        least = std::min(least, sum);
        if (k == 20) there = sum;
      }
      EXPECT_NEAR(static_cast<double>(out[2 * i]), static_cast<double>(sum), 0.06) << options;
      EXPECT_NEAR(static_cast<double>(way[i]), static_cast<double>(there), 0.04) << options;
      EXPECT_NEAR(static_cast<double>(out[2 * i + 1]),
                  static_cast<double>(least * least + wide(in[i]) / (wide(in[i]) + 2)), 0.01)
          << options;
    }
  }
}

/// Accesses by any stride, behind guards and through indices, in place.
TEST_F(HalfNumbers, Accesses) {
  constexpr std::size_t items = 300;
  std::vector<Half> in(4 * items);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Half>(static_cast<int>(i * 7 % 101) - 50);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(R"(kernel void accesses(global const half *in, global half *out, int n) {
      int i = get_global_id(0);
      if (i >= n) return;
      half a = in[3 * i + 1], b = in[n - 1 - i], c = in[(i * 37) % n];
      if (a > b) out[2 * i] = a + b * c;
      else out[2 * i + 1] = in[4 * i + 2] * (half)0.5f;
    })",
          options);
    std::vector<Half> out(2 * items, Half(-1)), expected(2 * items, Half(-1));
    constexpr int n = items - 7;
    for (int i = 0; i < n; ++i) {
      const float a = in[3 * i + 1], b = in[n - 1 - i], c = in[i * 37 % n];
      if (a > b)
        expected[2 * i] = rounded(static_cast<Extended>(a) + wide(rounded(static_cast<Extended>(b) * c)));
      else
        expected[2 * i + 1] = rounded(wide(in[4 * i + 2]) / 2);
    }
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch("accesses", {items}, {}, input, output, n);
    take(output, out);
    clReleaseMemObject(input);
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_TRUE(same(out[i], expected[i])) << i << " is " << static_cast<float>(out[i]) << ", not "
                                             << static_cast<float>(expected[i]) << " with '" << options << "'";
  }
}

// --- together
// ----------------------------------------------------------------------------------------------------------

/// Small whole numbers: what int gives, half must give.
TEST_F(HalfNumbers, Together) {
  constexpr std::size_t items = 5 * 96;
  std::vector<Half> in(items);
  for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<Half>(static_cast<int>((i * 2654435761u >> 16) % 9) - 4);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(R"(
#define SAME(FUNCTION, ...) { half h = FUNCTION(x __VA_ARGS__); \
  if ((int)h != FUNCTION(n __VA_ARGS__)) wrong |= 1ul << bit; ++bit; }
#define ARITHMETIC(GROUP) SAME(GROUP##_reduce_add) SAME(GROUP##_reduce_min) SAME(GROUP##_reduce_max) \
  SAME(GROUP##_scan_inclusive_add) \
  SAME(GROUP##_scan_inclusive_min) SAME(GROUP##_scan_inclusive_max) SAME(GROUP##_scan_exclusive_add)
kernel void together(global const half *in, global ulong *out) {
  size_t i = get_global_id(0);
  half x = in[i];
  int n = (int)x, bit = 0;
  ulong wrong = 0;
  ARITHMETIC(work_group)
  SAME(work_group_broadcast, , 5)
  ARITHMETIC(sub_group)
  SAME(sub_group_broadcast, , 2)
  SAME(sub_group_broadcast_first)
  SAME(sub_group_shuffle, , get_sub_group_local_id() ^ 1)
  SAME(sub_group_shuffle_xor, , 3)
  SAME(sub_group_rotate, , 1)
  SAME(sub_group_clustered_reduce_add, , 4)
  SAME(sub_group_non_uniform_all_equal)
  if (x > 0) {
    SAME(sub_group_non_uniform_reduce_add)
    SAME(sub_group_non_uniform_scan_exclusive_add)
    SAME(sub_group_non_uniform_reduce_max)
  }
  half4 v = sub_group_broadcast((half4)(x, -x, x + x, 1), 1);
  half first = sub_group_broadcast(x, 1);
  if (v.x != first || v.y != -first || v.z != first + first || v.w != 1) wrong |= 1ul << 60;
  half least = work_group_scan_exclusive_min(x), most = sub_group_scan_exclusive_max(x);
  if (isinf(least) != (get_local_linear_id() == 0) || isinf(most) != (get_sub_group_local_id() == 0))
    wrong |= 1ul << 61;
  out[i] = wrong;
})",
          std::string(options) + " -cl-std=CL3.0");
    std::vector<cl_ulong> out(items, ~cl_ulong{0});
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch("together", {items}, {96}, input, output);
    take(output, out);
    clReleaseMemObject(input);
    EXPECT_EQ(out, std::vector<cl_ulong>(items)) << options;
  }
}

/// Sums are rounded one by one in the order of the work-items, whatever the width.
TEST_F(HalfNumbers, SumsInOrder) {
  cl_device_type type = 0;
  clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "a GPU adds in another order";
  constexpr std::size_t items = 96;
  std::vector<Half> in(items), expected(items);
  Half sum = 0;
  for (std::size_t i = 0; i < items; ++i) {
    in[i] = rounded(1.0L / static_cast<Extended>(i % 13 + 3));
    expected[i] = sum = rounded(wide(sum) + wide(in[i]));
  }
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(
        "kernel void sums(global const half *in, global half *out) { size_t i = get_global_id(0); out[i] = "
        "work_group_scan_inclusive_add(in[i]); }",
        options);
    std::vector<Half> out(items);
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch("sums", {items}, {items}, input, output);
    take(output, out);
    clReleaseMemObject(input);
    for (std::size_t i = 0; i < items; ++i) ASSERT_TRUE(same(out[i], expected[i])) << i << " with '" << options << "'";
  }
}

/// Asynchronous copies, prefetch, shuffles and the sizes of vectors.
TEST_F(HalfNumbers, CopiesAndShuffles) {
  constexpr std::size_t items = 64;
  std::vector<Half> in(4 * items);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = fromBits(static_cast<unsigned>(i * 251));
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(R"(kernel void copies(global const half4 *in, global half *out, local half4 *near, local half *apart) {
      size_t i = get_local_id(0), n = get_local_size(0);
      prefetch(in, n);
      event_t done = async_work_group_copy(near, in, n, 0);
      done = async_work_group_strided_copy(apart, (const global half *)in, n, 4, done);
      wait_group_events(1, &done);
      half4 v = near[n - 1 - i];
      half8 mixed = shuffle2(v, near[i], (ushort8)(7, 0, 6, 1, 5, 2, 4, 3));
      half2 pair = shuffle(mixed, (ushort2)(0, 1));
      vstore2(pair, 2 * i, out);
      out[4 * i + 2] = apart[i];
      out[4 * i + 3] = as_half2(as_uint(pair)).y + (half)(vec_step(half3) + sizeof(half3) + vec_step(mixed));
    })",
          options);
    std::vector<Half> out(4 * items);
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch("copies", {items}, {items}, input, output, LocalBytes{items * 8}, LocalBytes{items * 2});
    take(output, out);
    clReleaseMemObject(input);
    for (std::size_t i = 0; i < items; ++i) {
      const std::size_t mirrored = items - 1 - i;
      EXPECT_TRUE(same(out[4 * i], in[4 * i + 3])) << options;
      EXPECT_TRUE(same(out[4 * i + 1], in[4 * mirrored])) << options;
      EXPECT_TRUE(same(out[4 * i + 2], in[4 * i])) << options;
      EXPECT_TRUE(same(out[4 * i + 3], rounded(wide(in[4 * mirrored]) + 20))) << options;
    }
  }
}

/// The macro and the type are there without a pragma, in every version of the language; what a pragma switches off
/// stays off.
TEST_F(HalfNumbers, Declared) {
  for (const char* version : {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++2021"})
    for (const char* pragma : {"", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"})
      DeviceTest::build(std::string(pragma) +
                            "#ifndef cl_khr_fp16\n#error fp16\n#endif\n#if HALF_DIG != 3 || HALF_MAX_EXP != 16\n#error "
                            "limits\n#endif\n"
                            "kernel void k(global half *p, half x) { p[0] = x * 2.0h + HALF_EPSILON + exp(p[1]); }",
                        version);
  cl_device_fp_config config = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, 0x1033 /* CL_DEVICE_HALF_FP_CONFIG */, sizeof config, &config, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(config, cl_device_fp_config{CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA});
}

}  // namespace
