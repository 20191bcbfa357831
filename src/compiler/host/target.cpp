// SPDX-License-Identifier: Apache-2.0
// This file finds out what processor code is generated for.
#include "compiler/host/target.h"

#include "support/nearest.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <algorithm>
#include <vector>

#ifndef CLARITY_VERSION
#error "the build defines CLARITY_VERSION"
#endif

namespace clarity::compiler {
namespace {

/// The extensions that code of this compiler supports on every processor.
constexpr std::string_view cpuExtensions =
    "cl_khr_byte_addressable_store cl_khr_fp16 cl_khr_fp64 cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics "
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics "
    "cl_khr_int64_extended_atomics __opencl_c_fp64 __opencl_c_int64 __opencl_c_generic_address_space "
    "__opencl_c_program_scope_global_variables "
    "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "
    "__opencl_c_atomic_scope_all_devices __opencl_c_work_group_collective_functions "
    "__opencl_c_subgroups cl_khr_subgroups cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_vote "
    "cl_khr_subgroup_ballot cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_shuffle "
    "cl_khr_subgroup_shuffle_relative cl_khr_subgroup_clustered_reduce cl_khr_subgroup_rotate "
    "cl_khr_kernel_clock __opencl_c_kernel_clock_scope_device __opencl_c_kernel_clock_scope_work_group "
    "__opencl_c_kernel_clock_scope_sub_group "
    "cl_khr_work_group_uniform_arithmetic "
    "cl_intel_required_subgroup_size cl_intel_subgroups cl_intel_subgroups_char cl_intel_subgroups_short "
    "cl_intel_subgroups_long cl_intel_subgroup_local_block_io cl_intel_split_work_group_barrier "
    "cl_intel_bfloat16_conversions "
    "cl_khr_expect_assume cl_khr_async_work_group_copy_fence "
    "cl_khr_extended_async_copies cl_khr_extended_bit_ops "
    "cl_khr_integer_dot_product "
    "__opencl_c_integer_dot_product_input_4x8bit __opencl_c_integer_dot_product_input_4x8bit_packed "
    "__opencl_c_pipes __opencl_c_images __opencl_c_read_write_images __opencl_c_3d_image_writes cl_khr_3d_image_writes "
    "cl_khr_depth_images cl_khr_image2d_from_buffer cl_khr_mipmap_image cl_khr_mipmap_image_writes "
    "cl_khr_srgb_image_writes "
    "cl_ext_image_unorm_int_2_101010 __opencl_c_ext_image_unorm_int_2_101010 "
    "cl_ext_image_unsigned_10x6_12x4_14x2 __opencl_c_ext_image_unsigned_10x6_12x4_14x2 "
    "cl_ext_image_raw10_raw12 __opencl_c_ext_image_raw10_raw12 cl_ext_float_atomics "
    "__opencl_c_ext_fp32_global_atomic_add __opencl_c_ext_fp32_global_atomic_min_max "
    "__opencl_c_ext_fp32_local_atomic_add __opencl_c_ext_fp32_local_atomic_min_max "
    "__opencl_c_ext_fp64_global_atomic_add __opencl_c_ext_fp64_global_atomic_min_max "
    "__opencl_c_ext_fp64_local_atomic_add __opencl_c_ext_fp64_local_atomic_min_max";

/// Features of CPU devices alone: the device's runtime is part of them.
constexpr std::string_view onlyOfCpus = "__opencl_c_device_enqueue ";

/// Processors that execute 512-bit vectors by lowering their clock or at half the rate, so that 256 bits are faster.
constexpr std::string_view prefers256[] = {"skylake-avx512", "cascadelake", "cooperlake",     "cannonlake",
                                           "icelake-client", "tigerlake",   "icelake-server", "rocketlake"};

unsigned vectorBitsOf(std::string_view cpu, const llvm::StringSet<>& features) {
  if (features.contains("avx512vl")) return std::ranges::find(prefers256, cpu) == std::end(prefers256) ? 512 : 256;
  return features.contains("avx2") || features.contains("avx") ? 256 : 128;
}

/// The features that LLVM knows of a processor by its name.
llvm::SmallVector<llvm::StringRef, 64> featuresOf(llvm::StringRef cpu) {
  llvm::SmallVector<llvm::StringRef, 64> features;
  if (llvm::X86::parseArchX86(cpu) != llvm::X86::CK_None) llvm::X86::getFeaturesForCPU(cpu, features);
  return features;
}

/// Whether the code generator emits a feature's instructions where a processor has them: others, such as those of
/// operating systems, may be missing in a virtual machine.
bool isOfGeneratedCode(llvm::StringRef feature) {
  for (const llvm::StringRef family : {"sse", "ssse3", "avx", "fma", "f16c", "xop", "bmi", "tbm", "lzcnt", "popcnt",
                                       "movbe", "gfni", "cx16", "egpr", "ndd", "ccmp"})
    if (feature.starts_with(family)) return true;
  return false;
}

}  // namespace

bool hasFeature(const Target& target, std::string_view feature) {
  if (!target.features.empty()) return ("," + target.features + ",").contains(fmt::format(",+{},", feature));
  return llvm::is_contained(featuresOf(target.cpu), llvm::StringRef(feature));
}

bool knowsCpu(std::string_view cpu) {
  return cpu == "native" || cpu.empty() || llvm::X86::parseArchX86(llvm::StringRef(cpu)) != llvm::X86::CK_None;
}

std::string insteadOfCpu(std::string_view cpu) {
  llvm::SmallVector<llvm::StringRef, 128> known;
  llvm::X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
  std::vector<std::string> names{"native"};
  for (const llvm::StringRef name : known) names.push_back(name.str());
  std::string meant = support::didYouMean(cpu, names);
  return meant.empty() ? "; there are native, x86-64, x86-64-v3, znver4 and LLVM's other names" : meant;
}

std::string objectionTo(std::string_view cpu) {
  if (cpu == "native" || cpu.empty()) return {};
  if (!knowsCpu(cpu)) return "is not a processor that LLVM knows" + insteadOfCpu(cpu);
  const llvm::StringMap<bool> present = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> missing;
  for (const llvm::StringRef feature : featuresOf(llvm::StringRef(cpu)))
    if (isOfGeneratedCode(feature) && !present.lookup(feature)) missing.push_back(feature.str());
  std::ranges::sort(missing);
  if (missing.empty()) return {};
  return fmt::format("has instructions that this machine lacks: {}", llvm::join(missing, ", "));
}

std::string_view hostExtensions() { return cpuExtensions; }

Target hostTarget(std::string_view cpu) {
  Target target;
  target.backEnd = hostBackEndName;
  target.extensions = std::string(onlyOfCpus) + std::string(cpuExtensions);
  target.deviceVersion = "Clarity " CLARITY_VERSION;
  llvm::StringSet<> present;
  if (cpu == "native" || cpu.empty()) {
    target.cpu = llvm::sys::getHostCPUName().str();
    std::vector<std::string> list;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
      list.push_back((feature.second ? "+" : "-") + feature.first().str());
      if (feature.second) present.insert(feature.first());
    }
    std::ranges::sort(list);  // a hash table's order would be another one in another build
    for (const std::string& feature : list) target.features += (target.features.empty() ? "" : ",") + feature;
  } else {
    target.cpu = cpu;
    for (const llvm::StringRef feature : featuresOf(target.cpu)) present.insert(feature);
  }
  target.vectorBits = vectorBitsOf(target.cpu, present);
  return target;
}

}  // namespace clarity::compiler
