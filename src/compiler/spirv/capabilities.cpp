// SPDX-License-Identifier: Apache-2.0
// This file lists capabilities. OpExtension is not looked at: what an extension adds needs a capability, an
// instruction or a decoration, and is known by that.
#include "compiler/spirv/capabilities.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace clarity::compiler::spirv {
namespace {

constexpr Capability capabilities[] = {
    Capability::Addresses,
    Capability::Linkage,
    Capability::Kernel,
    Capability::Vector16,
    Capability::Float16Buffer,
    Capability::Float16,
    Capability::Float64,
    Capability::Int64,
    Capability::Int64Atomics,
    Capability::ImageBasic,
    Capability::ImageReadWrite,
    Capability::ImageMipmap,
    Capability::Pipes,
    Capability::PipeStorage,
    Capability::DeviceEnqueue,
    Capability::Groups,
    Capability::LiteralSampler,
    Capability::Int16,
    Capability::GenericPointer,
    Capability::Int8,
    Capability::Sampled1D,
    Capability::Image1D,
    Capability::SampledBuffer,
    Capability::ImageBuffer,
    Capability::SubgroupDispatch,
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::UniformDecoration,
};

/// Those above 4,000 belong to extensions.
constexpr Capability extensionCapabilities[] = {
    Capability::DenormPreserve,
    Capability::DenormFlushToZero,
    Capability::SignedZeroInfNanPreserve,
    Capability::RoundingModeRTE,
    Capability::ShaderClockKHR,
    Capability::SubgroupShuffleINTEL,
    Capability::SubgroupBufferBlockIOINTEL,
    Capability::SubgroupImageBlockIOINTEL,
    Capability::FunctionFloatControlINTEL,
    Capability::MemoryAccessAliasingINTEL,
    Capability::FPFastMathModeINTEL,
    Capability::FPMaxErrorINTEL,
    Capability::ArbitraryPrecisionIntegersINTEL,
    Capability::KernelAttributesINTEL,
    Capability::FunctionPointersINTEL,
    Capability::IndirectReferencesINTEL,
    Capability::UnstructuredLoopControlsINTEL,
    Capability::ExpectAssumeKHR,
    Capability::DotProduct,
    Capability::DotProductInput4x8Bit,
    Capability::DotProductInput4x8BitPacked,
    Capability::DotProductInputAll,
    Capability::GroupNonUniformRotateKHR,
    Capability::BitInstructions,
    Capability::AtomicFloat32AddEXT,
    Capability::AtomicFloat64AddEXT,
    Capability::AtomicFloat16AddEXT,
    Capability::AtomicFloat32MinMaxEXT,
    Capability::AtomicFloat64MinMaxEXT,
    Capability::AtomicFloat16MinMaxEXT,
    Capability::OptNoneEXT,
    Capability::BFloat16TypeKHR,
    Capability::BFloat16ConversionINTEL,
    Capability::ArithmeticFenceEXT,
    Capability::FloatControls2,
    Capability::GlobalVariableHostAccessINTEL,
    Capability::GroupUniformArithmeticKHR,
    Capability::LongCompositesINTEL,
    Capability::SplitBarrierINTEL,
    Capability::PoisonFreezeKHR,
    Capability::VariableLengthArrayINTEL,
    Capability::UntypedVariableLengthArrayINTEL,
    Capability::UntypedPointersKHR,
    Capability::ReplicatedCompositesEXT,
    Capability::FMAKHR,
    Capability::TensorFloat32RoundingINTEL,
};

/// These add decorations, execution modes, loop controls and prefetches that are hints to FPGAs, caches, register
/// allocators and debuggers: no result depends on them.
constexpr Capability hintCapabilities[] = {
    Capability::FPGAMemoryAttributesINTEL,
    Capability::FPGALoopControlsINTEL,
    Capability::FPGAKernelAttributesINTEL,
    Capability::FPGAMemoryAccessesINTEL,
    Capability::FPGAClusterAttributesINTEL,
    Capability::LoopFuseINTEL,
    Capability::FPGADSPControlINTEL,
    Capability::FPGAInvocationPipeliningAttributesINTEL,
    Capability::FPGABufferLocationINTEL,
    Capability::RuntimeAlignedAttributeINTEL,
    Capability::FPGARegINTEL,
    Capability::DebugInfoModuleINTEL,
    Capability::FPGAClusterAttributesV2INTEL,
    Capability::FPGAKernelAttributesv2INTEL,
    Capability::FPGALatencyControlINTEL,
    Capability::FPGAArgumentInterfacesINTEL,
    Capability::GlobalVariableFPGADecorationsINTEL,
    Capability::SubgroupBufferPrefetchINTEL,
    Capability::CacheControlsINTEL,
    Capability::RegisterLimitsINTEL,
};

constexpr const char* extensions[] = {
    "SPV_EXT_arithmetic_fence",
    "SPV_EXT_optnone",
    "SPV_EXT_replicated_composites",
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_EXT_shader_atomic_float16_add",
    "SPV_INTEL_arbitrary_precision_integers",
    "SPV_INTEL_bfloat16_conversion",
    "SPV_INTEL_cache_controls",
    "SPV_INTEL_debug_module",
    "SPV_INTEL_float_controls2",
    "SPV_INTEL_fp_fast_math_mode",
    "SPV_INTEL_fp_max_error",
    "SPV_INTEL_fpga_argument_interfaces",
    "SPV_INTEL_fpga_buffer_location",
    "SPV_INTEL_fpga_cluster_attributes",
    "SPV_INTEL_fpga_dsp_control",
    "SPV_INTEL_fpga_invocation_pipelining_attributes",
    "SPV_INTEL_fpga_latency_control",
    "SPV_INTEL_fpga_loop_controls",
    "SPV_INTEL_fpga_memory_accesses",
    "SPV_INTEL_fpga_memory_attributes",
    "SPV_INTEL_fpga_reg",
    "SPV_INTEL_function_pointers",
    "SPV_INTEL_global_variable_fpga_decorations",
    "SPV_INTEL_global_variable_host_access",
    "SPV_INTEL_kernel_attributes",
    "SPV_INTEL_long_composites",
    "SPV_INTEL_long_constant_composite",
    "SPV_INTEL_loop_fuse",
    "SPV_INTEL_maximum_registers",
    "SPV_INTEL_memory_access_aliasing",
    "SPV_INTEL_optnone",
    "SPV_INTEL_runtime_aligned",
    "SPV_INTEL_split_barrier",
    "SPV_INTEL_subgroup_buffer_prefetch",
    "SPV_INTEL_subgroups",
    "SPV_INTEL_tensor_float32_conversion",
    "SPV_INTEL_unstructured_loop_controls",
    "SPV_INTEL_variable_length_array",
    "SPV_KHR_bfloat16",
    "SPV_KHR_bit_instructions",
    "SPV_KHR_expect_assume",
    "SPV_KHR_float_controls",
    "SPV_KHR_float_controls2",
    "SPV_KHR_fma",
    "SPV_KHR_integer_dot_product",
    "SPV_KHR_linkonce_odr",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_KHR_non_semantic_info",
    "SPV_KHR_poison_freeze",
    "SPV_KHR_shader_clock",
    "SPV_KHR_subgroup_rotate",
    "SPV_KHR_uniform_group_instructions",
    "SPV_KHR_untyped_pointers",
};

constexpr const char* instructionSets[] = {"OpenCL.DebugInfo.100", "OpenCL.std"};

}  // namespace

std::span<const Capability> readCapabilities() {
  static const std::vector<Capability> all = [] {
    std::vector<Capability> list(std::begin(capabilities), std::end(capabilities));
    list.insert(list.end(), std::begin(extensionCapabilities), std::end(extensionCapabilities));
    list.insert(list.end(), std::begin(hintCapabilities), std::end(hintCapabilities));
    std::ranges::sort(list);
    return list;
  }();
  return all;
}

std::span<const char* const> readExtensions() { return extensions; }
std::span<const char* const> readInstructionSets() { return instructionSets; }

void checkCapability(const Instruction& instruction) {
  const auto capability = instruction.as<Capability>(0);
  if (!std::ranges::binary_search(readCapabilities(), capability))
    refuse(instruction, "the capability {} is not supported", nameOf(capability));
}

}  // namespace clarity::compiler::spirv
