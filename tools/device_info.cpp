// SPDX-License-Identifier: Apache-2.0
// This file contains the table of device queries and formats their values.
#include "device_info.h"

#include <algorithm>
#include <sstream>
#include <vector>
#include "command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;
using enum InfoKind;
using enum InfoGroup;

constexpr InfoRow infoRows[] = {
    {CL_DEVICE_NAME, "name", "name", Text, Device, true},
    {CL_DEVICE_VENDOR, "vendor", "vendor", Text, Device, true},
    {CL_DEVICE_VENDOR_ID, "vendor_id", "vendor id", Number, Device, false},
    {CL_DEVICE_TYPE, "type", "type", DeviceType, Device, true},
    {CL_DEVICE_VERSION, "version", "version", Text, Device, true},
    {CL_DRIVER_VERSION, "driver_version", "driver version", Text, Device, true},
    {CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, "compute_capability", "compute capability", ComputeCapability, Device,
     true},
    {CL_DEVICE_PCI_BUS_INFO_KHR, "pci_bus_info", "PCI bus", PciBus, Device, true},
    {CL_DEVICE_UUID_KHR, "uuid", "UUID", Uuid, Device, false},
    {CL_DEVICE_PROFILE, "profile", "profile", Text, Device, false},
    {CL_DEVICE_NUMERIC_VERSION, "numeric_version", "numeric version", Version, Device, false},
    {CL_DEVICE_AVAILABLE, "available", "available", Flag, Device, false},
    {CL_DEVICE_COMPILER_AVAILABLE, "compiler_available", "compiler", Flag, Device, false},
    {CL_DEVICE_LINKER_AVAILABLE, "linker_available", "linker", Flag, Device, false},
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "latest_conformance_version_passed", "conformance tests passed", Text,
     Device, false},

    {CL_DEVICE_MAX_COMPUTE_UNITS, "max_compute_units", "compute units", Number, Compute, true},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, "max_clock_frequency", "clock", Megahertz, Compute, true},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, "max_work_item_dimensions", "dimensions", Number, Compute, false},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, "max_work_group_size", "work-group size, at most", Number, Compute, true},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, "max_work_item_sizes", "per dimension, at most", Sizes, Compute, true},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, "preferred_work_group_size_multiple", "preferred multiple", Number,
     Compute, false},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, "non_uniform_work_group_support", "non-uniform work-groups", Flag,
     Compute, false},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, "max_num_sub_groups", "sub-groups per work-group", Number, Compute, false},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, "sub_group_independent_forward_progress",
     "sub-groups progress alone", Flag, Compute, false},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, "work_group_collective_functions_support",
     "work-group functions", Flag, Compute, false},
    {CL_DEVICE_EXECUTION_CAPABILITIES, "execution_capabilities", "executes", Execution, Compute, true},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, "queue_on_host_properties", "command-queues", QueueProperties, Compute, true},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, "profiling_timer_resolution", "profiling resolution", Nanoseconds, Compute,
     false},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, "partition_max_sub_devices", "sub-devices, at most", Number, Compute, true},
    {CL_DEVICE_PARTITION_PROPERTIES, "partition_properties", "partitions", Partitions, Compute, false},
    {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, "partition_affinity_domain", "partition by affinity", Affinity, Compute,
     false},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, "printf_buffer_size", "printf buffer", Bytes, Compute, false},

    {CL_DEVICE_GLOBAL_MEM_SIZE, "global_mem_size", "global memory", Bytes, Memory, true},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, "max_mem_alloc_size", "one buffer, at most", Bytes, Memory, true},
    {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, "global_mem_cache_size", "cache", Bytes, Memory, true},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, "global_mem_cacheline_size", "cache line", Bytes, Memory, true},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, "global_mem_cache_type", "cache type", CacheType, Memory, false},
    {CL_DEVICE_LOCAL_MEM_SIZE, "local_mem_size", "local memory", Bytes, Memory, true},
    {CL_DEVICE_LOCAL_MEM_TYPE, "local_mem_type", "local memory type", LocalType, Memory, false},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, "max_constant_buffer_size", "constant buffer, at most", Bytes, Memory, false},
    {CL_DEVICE_MAX_CONSTANT_ARGS, "max_constant_args", "constant arguments", Number, Memory, false},
    {CL_DEVICE_MAX_PARAMETER_SIZE, "max_parameter_size", "kernel arguments, at most", Bytes, Memory, false},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, "mem_base_addr_align", "sub-buffer alignment", Bits, Memory, true},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, "min_data_type_align_size", "data type alignment", Bytes, Memory, false},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, "host_unified_memory", "shared with the host", Flag, Memory, true},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, "error_correction_support", "error correction", Flag, Memory, false},
    {CL_DEVICE_SVM_CAPABILITIES, "svm_capabilities", "shared virtual memory", SvmCapabilities, Memory, true},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, "atomic_memory_capabilities", "atomic operations", AtomicCapabilities,
     Memory, false},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, "atomic_fence_capabilities", "fences", AtomicCapabilities, Memory, false},
    {CL_DEVICE_PIPE_SUPPORT, "pipe_support", "pipes", Flag, Memory, false},
    {CL_DEVICE_ADDRESS_BITS, "address_bits", "address bits", Number, Memory, false},
    {CL_DEVICE_ENDIAN_LITTLE, "endian_little", "little endian", Flag, Memory, false},

    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, "native_vector_width_char", "native char", Number, Vectors, false},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, "native_vector_width_short", "native short", Number, Vectors, false},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, "native_vector_width_int", "native int", Number, Vectors, false},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, "native_vector_width_long", "native long", Number, Vectors, false},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, "native_vector_width_half", "native half", Number, Vectors, false},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, "native_vector_width_float", "native float", Number, Vectors, false},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, "native_vector_width_double", "native double", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, "preferred_vector_width_char", "preferred char", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, "preferred_vector_width_short", "preferred short", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, "preferred_vector_width_int", "preferred int", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, "preferred_vector_width_long", "preferred long", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, "preferred_vector_width_half", "preferred half", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, "preferred_vector_width_float", "preferred float", Number, Vectors, false},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, "preferred_vector_width_double", "preferred double", Number, Vectors,
     false},

    {CL_DEVICE_SINGLE_FP_CONFIG, "single_fp_config", "float", FloatConfig, Arithmetic, true},
    {CL_DEVICE_DOUBLE_FP_CONFIG, "double_fp_config", "double", FloatConfig, Arithmetic, true},
    {CL_DEVICE_HALF_FP_CONFIG, "half_fp_config", "half", FloatConfig, Arithmetic, true},

    {CL_DEVICE_IMAGE_SUPPORT, "image_support", "images", Flag, Images, true},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, "image2d_max_width", "2D width, at most", Number, Images, false},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, "image2d_max_height", "2D height, at most", Number, Images, false},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, "image3d_max_width", "3D width, at most", Number, Images, false},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, "image3d_max_height", "3D height, at most", Number, Images, false},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, "image3d_max_depth", "3D depth, at most", Number, Images, false},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, "max_read_image_args", "read-only arguments", Number, Images, false},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "max_write_image_args", "write-only arguments", Number, Images, false},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, "max_read_write_image_args", "read-write arguments", Number, Images, false},
    {CL_DEVICE_MAX_SAMPLERS, "max_samplers", "samplers", Number, Images, false},

    {CL_DEVICE_OPENCL_C_VERSION, "opencl_c_version", "newest C (as in 1.x)", Text, Language, false},
    {CL_DEVICE_OPENCL_C_ALL_VERSIONS, "opencl_c_all_versions", "OpenCL C", NamedVersions, Language, true},
    {CL_DEVICE_OPENCL_C_FEATURES, "opencl_c_features", "features", NamedVersions, Language, true},
    {CL_DEVICE_EXTENSIONS, "extensions", "extensions", Words, Language, true},
    {CL_DEVICE_IL_VERSION, "il_version", "intermediate languages", Words, Language, true},
    {CL_DEVICE_BUILT_IN_KERNELS, "built_in_kernels", "built-in kernels", Names, Language, false},
};

struct BitName {
  cl_ulong bit;
  const char* key;
  const char* label;
};

constexpr BitName deviceTypes[] = {{CL_DEVICE_TYPE_CPU, "cpu", "CPU"},
                                   {CL_DEVICE_TYPE_GPU, "gpu", "GPU"},
                                   {CL_DEVICE_TYPE_ACCELERATOR, "accelerator", "accelerator"},
                                   {CL_DEVICE_TYPE_CUSTOM, "custom", "custom"},
                                   {CL_DEVICE_TYPE_DEFAULT, "default", "default"}};
constexpr BitName floatConfigs[] = {
    {CL_FP_DENORM, "denorm", "denormals"},
    {CL_FP_INF_NAN, "inf_nan", "infinity and NaN"},
    {CL_FP_ROUND_TO_NEAREST, "round_to_nearest", "round to nearest"},
    {CL_FP_ROUND_TO_ZERO, "round_to_zero", "to zero"},
    {CL_FP_ROUND_TO_INF, "round_to_inf", "to infinity"},
    {CL_FP_FMA, "fma", "fused multiply-add"},
    {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly_rounded_divide_sqrt", "correct divide and sqrt"},
    {CL_FP_SOFT_FLOAT, "soft_float", "in software"}};
constexpr BitName cacheTypes[] = {{CL_READ_ONLY_CACHE, "read_only", "read only"},
                                  {CL_READ_WRITE_CACHE, "read_write", "read and write"}};
constexpr BitName localTypes[] = {{CL_LOCAL, "local", "own"}, {CL_GLOBAL, "global", "part of global memory"}};
constexpr BitName execution[] = {{CL_EXEC_KERNEL, "kernel", "kernels"},
                                 {CL_EXEC_NATIVE_KERNEL, "native_kernel", "native kernels"}};
constexpr BitName queues[] = {{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, "out_of_order", "out of order"},
                              {CL_QUEUE_PROFILING_ENABLE, "profiling", "profiling"}};
constexpr BitName affinity[] = {
    {CL_DEVICE_AFFINITY_DOMAIN_NUMA, "numa", "NUMA"},
    {CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, "l4_cache", "L4"},
    {CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, "l3_cache", "L3"},
    {CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, "l2_cache", "L2"},
    {CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, "l1_cache", "L1"},
    {CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, "next_partitionable", "next partitionable"}};
constexpr BitName atomics[] = {{CL_DEVICE_ATOMIC_ORDER_RELAXED, "order_relaxed", "relaxed"},
                               {CL_DEVICE_ATOMIC_ORDER_ACQ_REL, "order_acq_rel", "acquire-release"},
                               {CL_DEVICE_ATOMIC_ORDER_SEQ_CST, "order_seq_cst", "sequential"},
                               {CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM, "scope_work_item", "work-item"},
                               {CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP, "scope_work_group", "work-group"},
                               {CL_DEVICE_ATOMIC_SCOPE_DEVICE, "scope_device", "device"},
                               {CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES, "scope_all_devices", "all devices"}};
constexpr BitName svm[] = {{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse_grain_buffer", "coarse-grain buffers"},
                           {CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine_grain_buffer", "fine-grain buffers"},
                           {CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "fine_grain_system", "system"},
                           {CL_DEVICE_SVM_ATOMICS, "atomics", "atomics"}};
constexpr BitName partitions[] = {{CL_DEVICE_PARTITION_EQUALLY, "equally", "equally"},
                                  {CL_DEVICE_PARTITION_BY_COUNTS, "by_counts", "by counts"},
                                  {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, "by_affinity_domain", "by affinity domain"}};

// The names of a kind's bits; empty for kinds that are not sets of names.
std::span<const BitName> bitsOf(InfoKind kind) {
  switch (kind) {
    case DeviceType: return deviceTypes;
    case FloatConfig: return floatConfigs;
    case CacheType: return cacheTypes;
    case LocalType: return localTypes;
    case Execution: return execution;
    case QueueProperties: return queues;
    case Affinity: return affinity;
    case AtomicCapabilities: return atomics;
    case SvmCapabilities: return svm;
    case Partitions: return partitions;
    default: return {};
  }
}

// Numbers of any width that the standard uses for queries: cl_uint, cl_ulong, cl_bool, size_t and bit-fields.
cl_ulong numberOf(const std::vector<unsigned char>& raw) {
  cl_ulong value = 0;
  std::memcpy(&value, raw.data(), std::min(raw.size(), sizeof value));  // little-endian hosts only
  return value;
}

std::vector<size_t> numbersOf(const std::vector<unsigned char>& raw) {
  std::vector<size_t> values(raw.size() / sizeof(size_t));
  std::memcpy(values.data(), raw.data(), values.size() * sizeof(size_t));
  return values;
}

std::string versionText(cl_version version) {
  return fmt::format("{}.{}.{}", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version), CL_VERSION_PATCH(version));
}

Json namedVersions(const std::vector<unsigned char>& raw) {
  Json list = Json::array();
  std::vector<cl_name_version> entries(raw.size() / sizeof(cl_name_version));
  std::memcpy(entries.data(), raw.data(), entries.size() * sizeof(cl_name_version));
  for (const cl_name_version& entry : entries)
    list.push_back({{"name", entry.name}, {"version", versionText(entry.version)}});
  return list;
}

// As nvidia-smi and lspci write them.
std::string busText(const std::vector<unsigned char>& raw) {
  cl_device_pci_bus_info_khr bus{};
  std::memcpy(&bus, raw.data(), std::min(raw.size(), sizeof bus));
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", bus.pci_domain, bus.pci_bus, bus.pci_device, bus.pci_function);
}

std::string uuidText(const std::vector<unsigned char>& raw) {
  std::string text;
  for (size_t i = 0; i < raw.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", raw[i]);
  return text;
}

std::string capabilityText(const cl::Device& device, const std::vector<unsigned char>& major) {
  cl_uint minor = 0;
  clGetDeviceInfo(device(), CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, sizeof minor, &minor, nullptr);
  return fmt::format("{}.{}", numberOf(major), minor);
}

Json bitNames(InfoKind kind, const std::vector<unsigned char>& raw) {
  Json names = Json::array();
  if (kind == Partitions) {
    for (size_t value : numbersOf(raw))
      for (const BitName& entry : partitions)
        if (value == entry.bit) names.push_back(entry.key);
    return names;
  }
  const cl_ulong value = numberOf(raw);
  // Types of caches and of local memory are enumerators, not bits.
  const bool enumeration = kind == CacheType || kind == LocalType;
  for (const BitName& entry : bitsOf(kind))
    if (enumeration ? value == entry.bit : (value & entry.bit) != 0) names.push_back(entry.key);
  return names;
}

Json words(const std::string& text) {
  Json list = Json::array();
  std::istringstream in(text);
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

std::string joined(InfoKind kind, const Json& names) {
  std::vector<std::string> labels;
  for (const Json& name : names)
    for (const BitName& entry : bitsOf(kind))
      if (name == entry.key) labels.emplace_back(entry.label);
  return labels.empty() ? "no" : fmt::format("{}", fmt::join(labels, ", "));
}

std::string readableNamedVersions(const Json& list) {
  std::vector<std::string> parts;
  for (const Json& entry : list) {
    const std::string name = entry["name"], version = entry["version"];
    // All features have the version of the language; it is shown for the language only.
    parts.push_back(name == "OpenCL C" ? version.substr(0, version.rfind('.')) : name);
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

std::span<const InfoRow> deviceInfoRows() { return infoRows; }

const char* nameOf(InfoGroup group) {
  constexpr const char* names[] = {"Device", "Compute", "Memory", "Vector widths", "Arithmetic", "Images", "Language"};
  return names[static_cast<size_t>(group)];
}

Json query(const cl::Device& device, const InfoRow& row) {
  size_t bytes = 0;
  if (clGetDeviceInfo(device(), row.query, 0, nullptr, &bytes) != CL_SUCCESS) return nullptr;
  std::vector<unsigned char> raw(bytes);
  if (clGetDeviceInfo(device(), row.query, bytes, raw.data(), nullptr) != CL_SUCCESS) return nullptr;
  switch (row.kind) {
    case Text:
    case Words:
    case Names: {
      std::string text(raw.begin(), raw.end());
      text.resize(std::min(text.size(), text.find('\0')));
      if (row.kind == Names) std::ranges::replace(text, ';', ' ');
      if (row.kind == Text) return text;
      return words(text);
    }
    case Flag: return numberOf(raw) != 0;
    case Sizes: return numbersOf(raw);
    case Version: return versionText(static_cast<cl_version>(numberOf(raw)));
    case NamedVersions: return namedVersions(raw);
    case ComputeCapability: return capabilityText(device, raw);
    case PciBus: return busText(raw);
    case Uuid: return uuidText(raw);
    case Number:
    case Bytes:
    case Megahertz:
    case Nanoseconds:
    case Bits: return numberOf(raw);
    default: return bitNames(row.kind, raw);
  }
}

std::string readable(const InfoRow& row, const Json& value) {
  if (value.is_null()) return "not known to this driver";
  switch (row.kind) {
    case Text:
    case ComputeCapability:
    case PciBus:
    case Uuid:
    case Version: return value.get<std::string>().empty() ? "none" : value.get<std::string>();
    case Words:
      return value.empty() ? "none" : fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), " "));
    case Names: return value.empty() ? "none" : fmt::format("{}: clarity info --built-in", value.size());
    case Number: return fmt::format("{}", value.get<std::uint64_t>());
    case Bytes: return readableBytes(value.get<std::uint64_t>());
    case Megahertz: return fmt::format("{} MHz", value.get<std::uint64_t>());
    case Nanoseconds: return fmt::format("{} ns", value.get<std::uint64_t>());
    case Bits: return fmt::format("{}", Counted{value.get<std::uint64_t>() / 8, "byte"});
    case Flag: return value.get<bool>() ? "yes" : "no";
    case Sizes: return fmt::format("{}", fmt::join(value.get<std::vector<size_t>>(), " x "));
    case NamedVersions: return readableNamedVersions(value);
    default: return joined(row.kind, value);
  }
}

std::string readableBytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  const bool exact = value == static_cast<double>(static_cast<std::uint64_t>(value));
  return exact ? fmt::format("{:.0f} {}", value, units[unit]) : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace clarity::tools
