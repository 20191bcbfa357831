// SPDX-License-Identifier: Apache-2.0
// This file converts floating-point numbers to integers with saturation in packets, at the ends of every type, and
// rounds them to integral values, against the host.
#include "device_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

/// Numbers around all ends of all integer types, halves between integers, and what is no number.
template <class From>
std::vector<From> edges() {
  std::vector<From> values = {0,
                              From(0.25),
                              std::nextafter(From(0.5), From(0)),
                              From(0.5),
                              From(0.75),
                              From(1.5),
                              From(2.5),
                              From(126.5),
                              From(127.5),
                              From(254.5),
                              From(255.5),
                              std::numeric_limits<From>::infinity(),
                              std::numeric_limits<From>::quiet_NaN(),
                              std::numeric_limits<From>::max(),
                              std::numeric_limits<From>::min(),
                              std::numeric_limits<From>::denorm_min()};
  for (const int exponent : {7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64}) {
    const From power = std::ldexp(From(1), exponent);
    for (const From each : {power, power - 1, power + 1, power - From(0.5), std::nextafter(power, From(0)),
                            std::nextafter(power, 2 * power)})
      values.push_back(each);
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  while (values.size() % 64) values.push_back(From(values.size()));
  return values;
}

/// OpenCL C 3.0, 6.4.3: saturated, NaN to 0.
template <class To>
To saturated(long double value) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<long double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (value >= static_cast<long double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}

class Conversions : public DeviceTest {
protected:
  template <class From, class To>
  void check(const std::string& from, const std::string& to) {
    const std::vector<From> in = edges<From>();
    for (const char* kernel : {"truncated", "nearest"}) {
      const bool nearest = std::string(kernel) == "nearest";
      std::vector<To> out(in.size());
      cl_mem input = bufferOf(in), output = bufferOf(out);
      launch((from + "_" + to + "_" + kernel).c_str(), {in.size()}, {}, input, output);
      take(output, out);
      clReleaseMemObject(input);
      for (std::size_t i = 0; i < in.size(); ++i) {
        const long double value = in[i];
        EXPECT_EQ(+out[i], +saturated<To>(nearest ? std::nearbyint(value) : std::trunc(value)))
            << kernel << ' ' << from << " to " << to << ": " << in[i];
      }
    }
  }

  /// Signs of zeros count.
  template <class T>
  void checkRounding(const std::string& type) {
    const std::vector<T> in = edges<T>();
    const std::pair<const char*, T (*)(T)> functions[] = {{"rint", std::nearbyint},
                                                          {"floor", std::floor},
                                                          {"ceil", std::ceil},
                                                          {"trunc", std::trunc},
                                                          {"round", std::round}};
    for (const auto& [name, function] : functions) {
      std::vector<T> out(in.size());
      cl_mem input = bufferOf(in), output = bufferOf(out);
      launch((type + "_" + name).c_str(), {in.size()}, {}, input, output);
      take(output, out);
      clReleaseMemObject(input);
      for (std::size_t i = 0; i < in.size(); ++i) {
        const T expected = function(in[i]);
        const bool same = std::isnan(expected) ? std::isnan(out[i])
                                               : out[i] == expected && std::signbit(out[i]) == std::signbit(expected);
        EXPECT_TRUE(same) << name << " of " << type << ' ' << in[i] << ": " << out[i];
      }
    }
  }

  template <class From>
  void checkFrom(const std::string& from) {
    check<From, cl_char>(from, "char");
    check<From, cl_uchar>(from, "uchar");
    check<From, cl_short>(from, "short");
    check<From, cl_ushort>(from, "ushort");
    check<From, cl_int>(from, "int");
    check<From, cl_uint>(from, "uint");
    check<From, cl_long>(from, "long");
    check<From, cl_ulong>(from, "ulong");
  }
};

TEST_F(Conversions, Saturate) {
  std::string source;
  for (const std::string from : {"float", "double"})
    for (const std::string to : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"})
      for (const auto& [kernel, rounding] : {std::pair{"truncated", ""}, std::pair{"nearest", "_rte"}})
        source += "kernel void " + from + "_" + to + "_" + kernel + "(global const " + from + "* in, global " + to +
                  "* out) { size_t i = get_global_id(0); out[i] = convert_" + to + "_sat" + rounding + "(in[i]); }\n";
  for (const char* options : {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=4"}) {
    if (!changeCode(options)) continue;
    build(source, options);
    checkFrom<float>("float");
    checkFrom<double>("double");
  }
}

TEST_F(Conversions, RoundToIntegralValues) {
  std::string source;
  for (const std::string type : {"float", "double"})
    for (const std::string name : {"rint", "floor", "ceil", "trunc", "round"})
      source += "kernel void " + type + "_" + name + "(global const " + type + "* in, global " + type +
                "* out) { size_t i = get_global_id(0); out[i] = " + name + "(in[i]); }\n";
  for (const char* options : {"", "-cl-clarity-packet-width=1", "-cl-opt-disable"}) {
    if (!changeCode(options)) continue;
    build(source, options);
    checkRounding<float>("float");
    checkRounding<double>("double");
  }
}

}  // namespace
