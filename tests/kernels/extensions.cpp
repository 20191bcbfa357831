// SPDX-License-Identifier: Apache-2.0
// This file uses what extensions of the language add, from their macros to the results.
#include "device_test.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <sstream>
#include <vector>

namespace {

const char source[] = R"CL(
#if !defined(cl_khr_extended_bit_ops) || !defined(cl_khr_integer_dot_product) || !defined(cl_khr_expect_assume) \
    || !defined(cl_ext_float_atomics)
#error extensions
#endif
#if !defined(__opencl_c_integer_dot_product_input_4x8bit) \
    || !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
#error features of dot products
#endif
#if !defined(__opencl_c_ext_fp32_global_atomic_add) || !defined(__opencl_c_ext_fp64_local_atomic_min_max) \
    || defined(__opencl_c_ext_fp16_global_atomic_add)
#error features of atomics
#endif
__kernel void bits(__global const uint* in, __global uint* out) {
  const uint i = get_global_id(0);
  out[4 * i] = bit_reverse(in[i]);
  out[4 * i + 1] = bitfield_insert(in[i], ~in[i], 5u, 9u);
  out[4 * i + 2] = bitfield_extract_unsigned(in[i], 3u, 12u);
  out[4 * i + 3] = (uint)bitfield_extract_signed((int)in[i], 3u, 12u);
}
__kernel void dots(__global const uint* in, __global uint* out) {
  const uint i = get_global_id(0);
  const uint a = in[i], b = in[i] * 2654435761u;
  out[4 * i] = dot(as_uchar4(a), as_uchar4(b));
  out[4 * i + 1] = (uint)dot(as_char4(a), as_char4(b));
  out[4 * i + 2] = dot_4x8packed_uu_uint(a, b);
  out[4 * i + 3] = (uint)dot_acc_sat_4x8packed_ss_int(a, b, 0x7ffffff0);
}
__kernel void expected(__global const uint* in, __global uint* out) {
  const uint i = get_global_id(0);
  __builtin_assume(i < 4096);
  if (__builtin_expect(in[i] % 2 == 0, 1)) out[4 * i] = i;
  else out[4 * i] = 7;
}
bool isLater(uint2 second, ulong first) { return first != 0 && first <= ((ulong)second.y << 32 | second.x); }
__kernel void clocks(__global const uint* in, __global uint* out) {
  const uint i = get_global_id(0);
  // Clocks of different scopes need not be the same one.
  const ulong device = clock_read_device(), group = clock_read_work_group(), items = clock_read_sub_group();
  out[4 * i] = isLater(clock_read_hilo_device(), device) && isLater(clock_read_hilo_work_group(), group) &&
      isLater(clock_read_hilo_sub_group(), items);
}
__kernel void atomics(__global const uint* in, __global uint* out) {
  __local atomic_float sum;
  const uint i = get_global_id(0);
  if (get_local_id(0) == 0) atomic_init(&sum, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&sum, (float)(in[i] % 8), memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_max_explicit((volatile __global atomic_float*)(out + 1), (float)(in[i] % 1000), memory_order_relaxed,
      memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_fetch_add_explicit((volatile __global atomic_float*)out,
      atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group), memory_order_relaxed,
      memory_scope_device);
}
)CL";

class Extensions : public DeviceTest {
protected:
  static constexpr std::size_t items = 192;

  void SetUp() override {
    DeviceTest::SetUp();
    for (std::size_t i = 0; i < items; ++i) in.push_back(static_cast<cl_uint>((i + 1) * 2246822519u ^ i << 13));
  }

  /// Four results for every work-item.
  std::vector<cl_uint> run(const char* name, const char* options) {
    build(source, std::string("-cl-std=CL3.0 ") + options);
    std::vector<cl_uint> out(4 * items);
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch(name, {items}, {64}, input, output);
    take(output, out);
    clReleaseMemObject(input);
    return out;
  }

  std::vector<cl_uint> in;
};

constexpr const char* ways[] = {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=16"};

TEST_F(Extensions, BitFields) {
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_uint> out = run("bits", options);
    for (std::size_t i = 0; i < items; ++i) {
      const cl_uint a = in[i], mask = 0x1ffu << 5;
      cl_uint reversed = 0;
      for (unsigned bit = 0; bit < 32; ++bit) reversed |= (a >> bit & 1) << (31 - bit);
      EXPECT_EQ(out[4 * i], reversed) << i;
      EXPECT_EQ(out[4 * i + 1], (a & ~mask) | (~a << 5 & mask)) << i;
      EXPECT_EQ(out[4 * i + 2], a >> 3 & 0xfff) << i;
      EXPECT_EQ(out[4 * i + 3], static_cast<cl_uint>(static_cast<cl_int>(a << 17) >> 20)) << i;
    }
  }
}

TEST_F(Extensions, DotProducts) {
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_uint> out = run("dots", options);
    for (std::size_t i = 0; i < items; ++i) {
      const cl_uint a = in[i], b = in[i] * 2654435761u;
      cl_uint natural = 0;
      std::int64_t whole = 0;
      for (unsigned k = 0; k < 32; k += 8) {
        natural += (a >> k & 255) * (b >> k & 255);
        whole += static_cast<std::int8_t>(a >> k) * static_cast<std::int8_t>(b >> k);
      }
      EXPECT_EQ(out[4 * i], natural) << i;
      EXPECT_EQ(out[4 * i + 1], static_cast<cl_uint>(whole)) << i;
      EXPECT_EQ(out[4 * i + 2], natural) << i;
      EXPECT_EQ(out[4 * i + 3], static_cast<cl_uint>(std::min<std::int64_t>(whole + 0x7ffffff0, INT32_MAX))) << i;
    }
  }
}

TEST_F(Extensions, Expected) {
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_uint> out = run("expected", options);
    for (std::size_t i = 0; i < items; ++i) EXPECT_EQ(out[4 * i], in[i] % 2 ? 7 : i);
  }
}

TEST_F(Extensions, Clocks) {
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_uint> out = run("clocks", options);
    for (std::size_t i = 0; i < items; ++i) EXPECT_EQ(out[4 * i], 1u) << i << ' ' << options;
  }
}

// Every extension of the language has its macro, and may be asked for, whether it needs that or not.
TEST_F(Extensions, Pragmas) {
  std::string names(1 << 13, '\0'), text;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, names.size(), names.data(), nullptr), CL_SUCCESS);
  std::istringstream words(names.c_str());
  const std::set<std::string> ofTheHost{"cl_khr_icd",
                                        "cl_khr_extended_versioning",
                                        "cl_khr_create_command_queue",
                                        "cl_khr_priority_hints",
                                        "cl_khr_throttle_hints",
                                        "cl_khr_suggested_local_work_size",
                                        "cl_khr_device_uuid",
                                        "cl_khr_command_buffer",
                                        "cl_khr_command_buffer_mutable_dispatch",
                                        "cl_khr_command_buffer_multi_device",
                                        "cl_khr_semaphore",
                                        "cl_khr_external_semaphore",
                                        "cl_khr_external_semaphore_opaque_fd",
                                        "cl_khr_external_memory",
                                        "cl_khr_external_memory_opaque_fd",
                                        "cl_khr_external_memory_dma_buf",
                                        "cl_khr_pci_bus_info",
                                        "cl_nv_device_attribute_query",
                                        "cl_khr_initialize_memory",
                                        "cl_khr_spir",
                                        "cl_khr_il_program",
                                        "cl_khr_spirv_queries",
                                        "cl_khr_spirv_linkonce_odr",
                                        "cl_khr_spirv_extended_debug_info",
                                        "cl_khr_spirv_no_integer_wrap_decoration",
                                        "cl_intel_spirv_subgroups",
                                        "cl_intel_devicelib_assert",
                                        "cl_khr_terminate_context",
                                        "cl_khr_unified_svm",
                                        "cl_intel_unified_shared_memory",
                                        "cl_ext_buffer_device_address",
                                        "cl_ext_cxx_for_opencl",
                                        "cl_ext_image_requirements_info",
                                        "cl_ext_image_from_buffer",
                                        "cl_ext_immutable_memory_objects",
                                        "cl_clarity_last_error"};
  for (std::string name; words >> name;)
    if (!ofTheHost.contains(name))
      text += "#pragma OPENCL EXTENSION " + name + " : enable\n#ifndef " + name + "\n#error " + name + "\n#endif\n";
  ASSERT_NE(text.find("cl_khr_extended_async_copies"), std::string::npos);
  for (const char* options : {"-cl-std=CL3.0 -Werror", "-cl-std=CLC++2021 -Werror"})
    build(text + "kernel void nothing() {}", options);
}

TEST_F(Extensions, FloatAtomics) {
  float sum = 0, most = 0;
  for (const cl_uint each : in) {
    sum += static_cast<float>(each % 8);
    most = std::max(most, static_cast<float>(each % 1000));
  }
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_uint> out = run("atomics", options);
    EXPECT_EQ(std::bit_cast<float>(out[0]), sum);
    EXPECT_EQ(std::bit_cast<float>(out[1]), most);
  }
}

}  // namespace
