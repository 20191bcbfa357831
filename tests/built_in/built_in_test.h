// SPDX-License-Identifier: Apache-2.0
// This file runs built-in kernels by their names, for any of the types of elements.
#pragma once

#include "device_test.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <span>
#include <type_traits>

/// A number of bfloat16, rounded to nearest.
struct Bfloat16 {
  Bfloat16() = default;
  template <class Number>
    requires std::is_arithmetic_v<Number>
  Bfloat16(Number number) {
    const auto value = static_cast<float>(number);
    const auto all = std::bit_cast<std::uint32_t>(value);
    bits = static_cast<std::uint16_t>(std::isnan(value) ? all >> 16 | 64 : (all + 0x7FFF + (all >> 16 & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  std::uint16_t bits = 0;
};
using Half = _Float16;

/// The name of a type in the names of kernels, the type that numbers are passed as, and the place of the last bit.
template <class T>
constexpr const char* suffixOf = "";
template <>
inline constexpr const char* suffixOf<float> = "f32";
template <>
inline constexpr const char* suffixOf<double> = "f64";
template <>
inline constexpr const char* suffixOf<Half> = "f16";
template <>
inline constexpr const char* suffixOf<Bfloat16> = "bf16";
template <>
inline constexpr const char* suffixOf<std::int8_t> = "i8";
template <>
inline constexpr const char* suffixOf<std::uint8_t> = "u8";
template <>
inline constexpr const char* suffixOf<std::int16_t> = "i16";
template <>
inline constexpr const char* suffixOf<std::uint16_t> = "u16";
template <>
inline constexpr const char* suffixOf<std::int32_t> = "i32";
template <>
inline constexpr const char* suffixOf<std::uint32_t> = "u32";
template <>
inline constexpr const char* suffixOf<std::int64_t> = "i64";
template <>
inline constexpr const char* suffixOf<std::uint64_t> = "u64";

template <class T>
constexpr bool isReal =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>;
template <class T>
using ArithmeticOf = std::conditional_t<
    std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>, float,
    std::conditional_t<(sizeof(T) < 4), std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>, T>>;
template <class T>
constexpr double epsilonOf = std::is_same_v<T, float>    ? 0x1p-23
                             : std::is_same_v<T, double> ? 0x1p-52
                             : std::is_same_v<T, Half>   ? 0x1p-10
                                                         : 0x1p-7;

class BuiltInTest : public DeviceTest {
protected:
  void TearDown() override {
    for (cl_mem each : buffers_) clReleaseMemObject(each);
    for (const auto& [name, kernel] : kernels_) clReleaseKernel(kernel);
    DeviceTest::TearDown();
  }

  bool hasDouble() const {
    cl_device_fp_config config = 0;
    clGetDeviceInfo(device_, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, nullptr);
    return config != 0;
  }

  /// Whether parameters meet in all combinations; else some take turns with others. On CPUs, and with
  /// CLARITY_TEST_ALL=1 everywhere: what stands in for a GPU takes minutes.
  bool testsAll() const {
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    return type != CL_DEVICE_TYPE_GPU || std::getenv("CLARITY_TEST_ALL");
  }

  /// Calls with each type that the device has.
  template <class... Types, class Each>
  void forTypes(const Each& each) {
    const auto one = [&]<class T>(std::type_identity<T> type) {
      if (std::is_same_v<T, double> && !hasDouble()) return;
      SCOPED_TRACE(suffixOf<T>);
      each(type);
    };
    (one(std::type_identity<Types>{}), ...);
  }

  template <class T>
  static std::string named(const char* base) {
    return std::string(base) + "." + suffixOf<T>;
  }

  cl_kernel kernelOf(const std::string& name) {
    cl_kernel& kernel = kernels_[name];
    if (kernel) return kernel;
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithBuiltInKernels(context_, 1, &device_, name.c_str(), &error);
    EXPECT_EQ(error, CL_SUCCESS) << name;
    if (!program) return nullptr;
    kernel = clCreateKernel(program, name.c_str(), &error);
    EXPECT_EQ(error, CL_SUCCESS) << name;
    clReleaseProgram(program);
    return kernel;
  }

  /// A buffer with these values, released when the test ends. No values: null.
  template <class T>
  cl_mem bufferWith(const std::vector<T>& values) {
    if (values.empty()) return nullptr;
    buffers_.push_back(bufferOf(values));
    return buffers_.back();
  }
  template <class T>
  std::vector<T> read(cl_mem buffer, std::size_t count) {
    std::vector<T> values(count);
    if (count > 0)
      EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
    return values;
  }

  /// Enqueues; the error of the call.
  template <class... Arguments>
  cl_int enqueue(const std::string& name, const Arguments&... arguments) {
    cl_kernel kernel = kernelOf(name);
    if (!kernel) return CL_INVALID_KERNEL;
    cl_uint index = 0;
    (set(kernel, index++, sizeof arguments, &arguments), ...);
    const std::size_t one = 1;
    return clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  }
  template <class... Arguments>
  void run(const std::string& name, const Arguments&... arguments) {
    EXPECT_EQ(enqueue(name, arguments...), CL_SUCCESS) << name;
  }

  /// Numbers of a type, small enough for exact sums where it is an integer.
  template <class T>
  std::vector<T> numbers(std::size_t count, int most = 100) {
    std::vector<T> values(count);
    std::uniform_int_distribution<int> any(std::is_unsigned_v<T> ? 0 : -most, most);
    for (T& value : values) {
      if constexpr (isReal<T>)
        value = static_cast<T>(static_cast<float>(any(random_)) / 16.0F);
      else
        value = static_cast<T>(any(random_));
    }
    return values;
  }

  std::mt19937 random_{1};

private:
  static void set(cl_kernel kernel, cl_uint index, std::size_t bytes, const void* value) {
    EXPECT_EQ(clSetKernelArg(kernel, index, bytes, value), CL_SUCCESS) << "argument " << index;
  }

  std::map<std::string, cl_kernel> kernels_;
  std::vector<cl_mem> buffers_;
};
