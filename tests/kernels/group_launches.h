// SPDX-License-Identifier: Apache-2.0
// This file launches kernels whose work-items compute together, and tells a reference on the host which work-items were
// together: the work-groups of an NDRange, in the order of their local linear ids.
#pragma once

#include "device_test.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace groups {

/// Types of the values that functions of work-groups combine.
using WorkGroupTypes = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, cl_float, cl_double>;

/// In OpenCL C.
template <class T>
std::string nameOf() {
  if (std::is_same_v<T, cl_float>) return "float";
  if (std::is_same_v<T, cl_double>) return "double";
  const std::string name = sizeof(T) == 1 ? "char" : sizeof(T) == 2 ? "short" : sizeof(T) == 4 ? "int" : "long";
  return std::is_unsigned_v<T> ? "u" + name : name;
}

struct Range {
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::size_t items() const { return global[0] * global[1] * global[2]; }
};

/// One work-item, a vector's worth, odd numbers, two and three dimensions, and groups at the edges that are smaller.
inline const Range ranges[] = {
    {{3, 1, 1}, {1, 1, 1}},    {{14, 1, 1}, {7, 1, 1}},   {{16, 1, 1}, {8, 1, 1}}, {{74, 1, 1}, {37, 1, 1}},
    {{128, 1, 1}, {64, 1, 1}}, {{10, 6, 1}, {5, 3, 1}},   {{8, 4, 4}, {4, 4, 2}},  {{32, 2, 1}, {16, 2, 1}},
    {{1, 40, 1}, {1, 20, 1}},  {{100, 1, 1}, {64, 1, 1}}, {{10, 7, 1}, {4, 4, 1}}, {{600, 1, 1}, {300, 1, 1}},
};

/// The ranges that are launched with the options of a turn: with the first ones all, with others a third of them,
/// another one in every turn.
inline std::vector<Range> rangesFor(std::size_t turn) {
  std::vector<Range> result;
  for (std::size_t i = 0; i < std::size(ranges); ++i)
    if (turn == 0 || (i + turn) % 3 == 0) result.push_back(ranges[i]);
  return result;
}

/// The same for a test that is repeated for several types: half of these, and the others for other types.
template <class T>
std::vector<Range> rangesForType(std::size_t turn) {
  const std::vector<Range> all = rangesFor(turn);
  std::vector<Range> result;
  // int, ulong and float have one half, uint, long and double the other one.
  const std::size_t first = (sizeof(T) / 4 + std::is_unsigned_v<T>) % 2;
  for (std::size_t i = first; i < all.size(); i += 2) result.push_back(all[i]);
  return result;
}

/// A work-group: the places of its work-items in buffers (global linear ids), by local linear id.
struct Group {
  std::array<std::size_t, 3> size{};
  std::vector<std::size_t> items;
};

inline std::vector<Group> groupsOf(const Range& range) {
  std::vector<Group> result;
  std::array<std::size_t, 3> count{}, at{};
  for (unsigned d = 0; d < 3; ++d) count[d] = (range.global[d] + range.local[d] - 1) / range.local[d];
  for (at[2] = 0; at[2] < count[2]; ++at[2])
    for (at[1] = 0; at[1] < count[1]; ++at[1])
      for (at[0] = 0; at[0] < count[0]; ++at[0]) {
        Group& group = result.emplace_back();
        for (unsigned d = 0; d < 3; ++d)
          group.size[d] = std::min(range.local[d], range.global[d] - at[d] * range.local[d]);
        for (std::size_t z = 0; z < group.size[2]; ++z)
          for (std::size_t y = 0; y < group.size[1]; ++y)
            for (std::size_t x = 0; x < group.size[0]; ++x)
              group.items.push_back(((at[2] * range.local[2] + z) * range.global[1] + at[1] * range.local[1] + y) *
                                        range.global[0] +
                                    at[0] * range.local[0] + x);
      }
  return result;
}

/// For kernels: the place of a work-item in buffers, and of its results. Those of all work-items lie side by side.
inline constexpr char prelude[] =
    "#define ITEM ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + "
    "get_global_id(0))\n"
    "#define RESULT(k) out[(k) * get_global_size(0) * get_global_size(1) * get_global_size(2) + ITEM]\n";

class Launches : public DeviceTest {
protected:
  void build(const std::string& source, const std::string& options) {
    DeviceTest::build(prelude + source, "-cl-std=CL3.0 " + options);
  }

  /// The size of a sub-group in a program that was built for packets of `packet` work-items; 0: the device's choice.
  std::size_t subGroupSize(std::size_t packet) {
    std::size_t sizes[16] = {}, bytes = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes), CL_SUCCESS);
    if (bytes == sizeof sizes[0]) return sizes[0];
    if (packet) return packet;
    cl_uint natural = 0;
    clGetDeviceInfo(device_, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, sizeof natural, &natural, nullptr);
    return std::clamp<std::size_t>(natural, 4, 16);
  }

  /// Whether the device is a processor, whose answers depend on nothing but the program.
  bool onProcessor() {
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    return type == CL_DEVICE_TYPE_CPU;
  }

  /// Runs `name(global const In*, global Out*)`; `each` results for every work-item, returned by work-item.
  template <class Out, class In>
  std::vector<Out> run(const char* name, const Range& range, const std::vector<In>& in, std::size_t each) {
    std::vector<Out> out(range.items() * each, Out(77));
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &error);
    EXPECT_EQ(error, CL_SUCCESS) << name;
    cl_mem input =
        clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, in.size() * sizeof(In), const_cast<In*>(in.data()), nullptr);
    cl_mem output = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, out.size() * sizeof(Out), out.data(), nullptr);
    clSetKernelArg(kernel, 0, sizeof input, &input);
    clSetKernelArg(kernel, 1, sizeof output, &output);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, range.global.data(), range.local.data(), 0, nullptr,
                                     nullptr),
              CL_SUCCESS);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue_, output, CL_TRUE, 0, out.size() * sizeof(Out), out.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    clReleaseMemObject(input);
    clReleaseMemObject(output);
    clReleaseKernel(kernel);
    std::vector<Out> byItem(out.size());
    for (std::size_t i = 0; i < range.items(); ++i)
      for (std::size_t k = 0; k < each; ++k) byItem[i * each + k] = out[k * range.items() + i];
    return byItem;
  }

  /// Numbers from 0 to `most`, without a pattern.
  template <class T>
  static std::vector<T> numbers(std::size_t count, unsigned most, unsigned seed = 1) {
    std::vector<T> result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<T>(((i + seed) * 2654435761u >> 13) % (most + 1));
    return result;
  }
};

inline std::string text(const Range& range) {
  const auto sizes = [](const std::array<std::size_t, 3>& s) {
    return std::to_string(s[0]) + "x" + std::to_string(s[1]) + "x" + std::to_string(s[2]);
  };
  return "work-groups of " + sizes(range.local) + " in " + sizes(range.global);
}

}  // namespace groups
