// SPDX-License-Identifier: Apache-2.0
// This file leaves out of the SPIR-V that the compiler reads the parts that need an extension or a feature of OpenCL C
// which a device does not have (OpenCL SPIR-V Environment, sections 3 and 5).
#include "core/spirv_support.h"

#include "compiler/driver/compiler.h"

#include <fmt/format.h>
#include <spirv/unified1/spirv.hpp11>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <string_view>

namespace clarity::core {
namespace {

using spv::Capability;

/// A part of SPIR-V, and the extensions and features, separated by spaces, of which a device must have one.
template <class Part>
struct Need {
  Part part;
  std::string_view names;
};

constexpr std::string_view images = "__opencl_c_images", subGroups = "__opencl_c_subgroups",
                           intelSubGroups = "cl_intel_subgroups", dotProducts = "cl_khr_integer_dot_product",
                           halfAdds = "__opencl_c_ext_fp16_global_atomic_add __opencl_c_ext_fp16_local_atomic_add",
                           floatAdds = "__opencl_c_ext_fp32_global_atomic_add __opencl_c_ext_fp32_local_atomic_add",
                           doubleAdds = "__opencl_c_ext_fp64_global_atomic_add __opencl_c_ext_fp64_local_atomic_add";

constexpr Need<Capability> capabilities[] = {
    {Capability::Float16, "cl_khr_fp16"},
    {Capability::Float64, "cl_khr_fp64"},
    {Capability::Int64, "__opencl_c_int64"},
    {Capability::Int64Atomics, "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
    {Capability::GenericPointer, "__opencl_c_generic_address_space"},
    {Capability::ImageBasic, images},
    {Capability::LiteralSampler, images},
    {Capability::Sampled1D, images},
    {Capability::Image1D, images},
    {Capability::SampledBuffer, images},
    {Capability::ImageBuffer, images},
    {Capability::ImageReadWrite, "__opencl_c_read_write_images"},
    {Capability::ImageMipmap, "cl_khr_mipmap_image"},
    {Capability::Pipes, "__opencl_c_pipes"},
    {Capability::DeviceEnqueue, "__opencl_c_device_enqueue"},
    {Capability::PipeStorage, "__opencl_c_pipes"},
    {Capability::Groups, "__opencl_c_subgroups __opencl_c_work_group_collective_functions"},
    {Capability::SubgroupDispatch, subGroups},
    {Capability::GroupNonUniform, subGroups},
    {Capability::GroupNonUniformVote, "cl_khr_subgroup_non_uniform_vote"},
    {Capability::GroupNonUniformArithmetic, "cl_khr_subgroup_non_uniform_arithmetic"},
    {Capability::GroupNonUniformBallot, "cl_khr_subgroup_ballot"},
    {Capability::GroupNonUniformShuffle, "cl_khr_subgroup_shuffle"},
    {Capability::GroupNonUniformShuffleRelative, "cl_khr_subgroup_shuffle_relative"},
    {Capability::GroupNonUniformClustered, "cl_khr_subgroup_clustered_reduce"},
    {Capability::GroupNonUniformRotateKHR, "cl_khr_subgroup_rotate"},
    {Capability::GroupUniformArithmeticKHR, "cl_khr_work_group_uniform_arithmetic"},
    {Capability::SubgroupShuffleINTEL, intelSubGroups},
    {Capability::SubgroupBufferBlockIOINTEL, intelSubGroups},
    {Capability::SubgroupImageBlockIOINTEL, intelSubGroups},
    {Capability::SplitBarrierINTEL, "cl_intel_split_work_group_barrier"},
    {Capability::ShaderClockKHR, "cl_khr_kernel_clock"},
    {Capability::ExpectAssumeKHR, "cl_khr_expect_assume"},
    {Capability::BitInstructions, "cl_khr_extended_bit_ops"},
    {Capability::DotProduct, dotProducts},
    {Capability::DotProductInputAll, dotProducts},
    {Capability::DotProductInput4x8Bit, "__opencl_c_integer_dot_product_input_4x8bit"},
    {Capability::DotProductInput4x8BitPacked, "__opencl_c_integer_dot_product_input_4x8bit_packed"},
    {Capability::AtomicFloat16AddEXT, halfAdds},
    {Capability::AtomicFloat32AddEXT, floatAdds},
    {Capability::AtomicFloat64AddEXT, doubleAdds},
    {Capability::AtomicFloat16MinMaxEXT,
     "__opencl_c_ext_fp16_global_atomic_min_max __opencl_c_ext_fp16_local_atomic_min_max"},
    {Capability::AtomicFloat32MinMaxEXT,
     "__opencl_c_ext_fp32_global_atomic_min_max __opencl_c_ext_fp32_local_atomic_min_max"},
    {Capability::AtomicFloat64MinMaxEXT,
     "__opencl_c_ext_fp64_global_atomic_min_max __opencl_c_ext_fp64_local_atomic_min_max"},
    // SPV_INTEL_bfloat16_conversion, which older headers do not have.
    {static_cast<Capability>(6115), "cl_intel_bfloat16_conversions"},
};

constexpr Need<std::string_view> extensions[] = {
    {"SPV_EXT_shader_atomic_float16_add", halfAdds},
    {"SPV_EXT_shader_atomic_float_add", "cl_ext_float_atomics"},
    {"SPV_EXT_shader_atomic_float_min_max", "cl_ext_float_atomics"},
    {"SPV_INTEL_bfloat16_conversion", "cl_intel_bfloat16_conversions"},
    {"SPV_INTEL_split_barrier", "cl_intel_split_work_group_barrier"},
    {"SPV_INTEL_subgroups", intelSubGroups},
    {"SPV_KHR_bit_instructions", "cl_khr_extended_bit_ops"},
    {"SPV_KHR_expect_assume", "cl_khr_expect_assume"},
    {"SPV_KHR_integer_dot_product", dotProducts},
    {"SPV_KHR_shader_clock", "cl_khr_kernel_clock"},
    {"SPV_KHR_subgroup_rotate", "cl_khr_subgroup_rotate"},
    {"SPV_KHR_uniform_group_instructions", "cl_khr_work_group_uniform_arithmetic"},
};

/// Whether the device has what a part needs; parts that are not in the table need nothing.
template <class Part, std::size_t N>
bool has(const Device& device, const Need<Part> (&table)[N], const Part& part) {
  const auto* const need = std::ranges::find(table, part, &Need<Part>::part);
  if (need == std::end(table)) return true;
  return std::ranges::any_of(need->names | std::views::split(' '), [&](const auto& name) {
    return device.supports(std::string_view(name.begin(), name.end()));
  });
}

}  // namespace

std::string spirvVersionText() {
  std::string text;
  for (const cl_version version : spirvVersions)
    text +=
        fmt::format("{}SPIR-V_{}.{}", text.empty() ? "" : " ", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
  return text;
}

std::vector<const char*> spirvInstructionSets(const Device&) {
  std::vector<const char*> sets;
  for (const std::string& set : compiler::spirvSupport().instructionSets) sets.push_back(set.c_str());
  return sets;
}

std::vector<const char*> spirvExtensions(const Device& device) {
  std::vector<const char*> names;
  for (const std::string& name : compiler::spirvSupport().extensions)
    if (has(device, extensions, std::string_view(name))) names.push_back(name.c_str());
  return names;
}

std::vector<cl_uint> spirvCapabilities(const Device& device) {
  std::vector<cl_uint> numbers;
  for (const std::uint32_t number : compiler::spirvSupport().capabilities)
    if (has(device, capabilities, static_cast<Capability>(number))) numbers.push_back(number);
  return numbers;
}

}  // namespace clarity::core
