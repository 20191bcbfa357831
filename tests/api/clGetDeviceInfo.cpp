// SPDX-License-Identifier: Apache-2.0
// This file tests clGetDeviceInfo (OpenCL 3.0, section 4.2): the size of every query, and its truth and consistency
// with the others. Queries that the device has nothing for (images, SVM, pipes...) are in absent_features.cpp.
#include "fixture.h"

#include <CL/cl_ext.h>
#include <spirv/unified1/spirv.hpp11>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <sstream>
#include <thread>

namespace clarity::test {
namespace {

struct GetDeviceInfo : OpenCL {
  template <class T>
  T value(cl_device_info name) {
    return infoOf<T>(clGetDeviceInfo, device, name);
  }
  template <class T>
  std::vector<T> values(cl_device_info name) {
    return infoVectorOf<T>(clGetDeviceInfo, device, name);
  }
  std::string text(cl_device_info name) { return infoStringOf(clGetDeviceInfo, device, name); }
  std::set<std::string> words(cl_device_info name) {
    std::istringstream stream(text(name));
    std::set<std::string> found;
    for (std::string word; stream >> word;) EXPECT_TRUE(found.insert(word).second) << word << " is there twice";
    return found;
  }
  std::set<std::string> versionedNames(cl_device_info name) {
    std::set<std::string> found;
    for (const cl_name_version& each : values<cl_name_version>(name)) {
      EXPECT_NE(std::memchr(each.name, 0, sizeof each.name), nullptr);
      EXPECT_TRUE(found.insert(each.name).second) << each.name << " is there twice";
    }
    return found;
  }
};

struct Query {
  cl_device_info name;
  size_t size;
};

constexpr size_t kAny = ~size_t{0};

TEST_F(GetDeviceInfo, sizesOfNumbersAreChecked) {
  const Query queries[] = {
      {CL_DEVICE_TYPE, sizeof(cl_device_type)},
      {CL_DEVICE_VENDOR_ID, sizeof(cl_uint)},
      {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint)},
      {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof(cl_uint)},
      {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof(cl_uint)},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, sizeof(cl_uint)},
      {CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(cl_uint)},
      {CL_DEVICE_ADDRESS_BITS, sizeof(cl_uint)},
      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong)},
      {CL_DEVICE_IMAGE_SUPPORT, sizeof(cl_bool)},
      {CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof(cl_uint)},
      {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, sizeof(cl_uint)},
      {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(cl_uint)},
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t)},
      {CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t)},
      {CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t)},
      {CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t)},
      {CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t)},
      {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t)},
      {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t)},
      {CL_DEVICE_MAX_SAMPLERS, sizeof(cl_uint)},
      {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(cl_uint)},
      {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof(cl_uint)},
      {CL_DEVICE_MAX_PIPE_ARGS, sizeof(cl_uint)},
      {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof(cl_uint)},
      {CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof(cl_uint)},
      {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)},
      {CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(cl_uint)},
      {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, sizeof(cl_uint)},
      {CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_device_fp_config)},
      {CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_device_fp_config)},
      {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, sizeof(cl_device_mem_cache_type)},
      {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, sizeof(cl_uint)},
      {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong)},
      {CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong)},
      {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof(cl_ulong)},
      {CL_DEVICE_MAX_CONSTANT_ARGS, sizeof(cl_uint)},
      {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(size_t)},
      {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, sizeof(size_t)},
      {CL_DEVICE_LOCAL_MEM_TYPE, sizeof(cl_device_local_mem_type)},
      {CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong)},
      {CL_DEVICE_ERROR_CORRECTION_SUPPORT, sizeof(cl_bool)},
      {CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_bool)},
      {CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t)},
      {CL_DEVICE_ENDIAN_LITTLE, sizeof(cl_bool)},
      {CL_DEVICE_AVAILABLE, sizeof(cl_bool)},
      {CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)},
      {CL_DEVICE_LINKER_AVAILABLE, sizeof(cl_bool)},
      {CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(cl_device_exec_capabilities)},
      {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof(cl_command_queue_properties)},
      {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof(cl_command_queue_properties)},
      {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof(cl_uint)},
      {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof(cl_uint)},
      {CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(cl_uint)},
      {CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof(cl_uint)},
      {CL_DEVICE_PLATFORM, sizeof(cl_platform_id)},
      {CL_DEVICE_NUMERIC_VERSION, sizeof(cl_version)},
      {CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof(size_t)},
      {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, sizeof(cl_bool)},
      {CL_DEVICE_PARENT_DEVICE, sizeof(cl_device_id)},
      {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof(cl_uint)},
      {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(cl_device_affinity_domain)},
      {CL_DEVICE_REFERENCE_COUNT, sizeof(cl_uint)},
      {CL_DEVICE_SVM_CAPABILITIES, sizeof(cl_device_svm_capabilities)},
      {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, sizeof(cl_uint)},
      {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, sizeof(cl_uint)},
      {CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(cl_uint)},
      {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof(cl_bool)},
      {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof(cl_device_atomic_capabilities)},
      {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof(cl_device_atomic_capabilities)},
      {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof(cl_bool)},
      {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(cl_bool)},
      {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof(cl_bool)},
      {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof(cl_device_device_enqueue_capabilities)},
      {CL_DEVICE_PIPE_SUPPORT, sizeof(cl_bool)},
      {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t)},
  };
  for (const Query& each : queries) expectSizesChecked(clGetDeviceInfo, device, each.name, each.size);
}

TEST_F(GetDeviceInfo, sizesOfListsAndStringsAreChecked) {
  const auto dimensions = value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
  expectSizesChecked(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES, dimensions * sizeof(size_t));
  const cl_device_info names[] = {CL_DEVICE_IL_VERSION,
                                  CL_DEVICE_ILS_WITH_VERSION,
                                  CL_DEVICE_BUILT_IN_KERNELS,
                                  CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                                  CL_DEVICE_NAME,
                                  CL_DEVICE_VENDOR,
                                  CL_DRIVER_VERSION,
                                  CL_DEVICE_PROFILE,
                                  CL_DEVICE_VERSION,
                                  CL_DEVICE_OPENCL_C_VERSION,
                                  CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                  CL_DEVICE_OPENCL_C_FEATURES,
                                  CL_DEVICE_EXTENSIONS,
                                  CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                  CL_DEVICE_PARTITION_PROPERTIES,
                                  CL_DEVICE_PARTITION_TYPE,
                                  CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED};
  for (cl_device_info each : names) expectSizesChecked(clGetDeviceInfo, device, each, kAny);
}

TEST_F(GetDeviceInfo, whatItIs) {
  const auto type = value<cl_device_type>(CL_DEVICE_TYPE);
  EXPECT_EQ(type & (type - 1), 0U) << "one type, not " << type;
  EXPECT_NE(type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM), 0U)
      << type;
  EXPECT_EQ(value<cl_platform_id>(CL_DEVICE_PLATFORM), platform);
  EXPECT_FALSE(text(CL_DEVICE_NAME).empty());
  EXPECT_FALSE(text(CL_DEVICE_VENDOR).empty());
  EXPECT_FALSE(text(CL_DRIVER_VERSION).empty());
  EXPECT_EQ(text(CL_DEVICE_PROFILE), "FULL_PROFILE");
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_ADDRESS_BITS), sizeof(void*) * 8);
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_ENDIAN_LITTLE), cl_bool{CL_TRUE});
  if (type == CL_DEVICE_TYPE_CPU) EXPECT_EQ(value<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY), cl_bool{CL_TRUE});
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_REFERENCE_COUNT), 1U);
  EXPECT_EQ(value<cl_device_id>(CL_DEVICE_PARENT_DEVICE), nullptr);
  if (type == CL_DEVICE_TYPE_CPU)
    EXPECT_LE(value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), std::thread::hardware_concurrency());
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), 1U);
}

// The strings and the numeric versions say the same.
TEST_F(GetDeviceInfo, versionsAgree) {
  EXPECT_EQ(text(CL_DEVICE_VERSION).rfind("OpenCL 3.1 ", 0), 0U) << text(CL_DEVICE_VERSION);
  const auto version = value<cl_version>(CL_DEVICE_NUMERIC_VERSION);
  EXPECT_EQ(CL_VERSION_MAJOR(version), 3U);
  EXPECT_EQ(CL_VERSION_MINOR(version), 1U);
}

// CL_DEVICE_OPENCL_C_ALL_VERSIONS: named "OpenCL C", at least 1.0, 1.1, 1.2 and 3.0, and that of the version string.
TEST_F(GetDeviceInfo, openclCVersionsAgree) {
  std::set<std::string> versions;
  for (const cl_name_version& each : values<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    EXPECT_STREQ(each.name, "OpenCL C");
    versions.insert(std::to_string(CL_VERSION_MAJOR(each.version)) + "." +
                    std::to_string(CL_VERSION_MINOR(each.version)));
  }
  for (const char* each : {"1.0", "1.1", "1.2", "3.0"}) EXPECT_TRUE(versions.contains(each)) << each;
  const std::string version = text(CL_DEVICE_OPENCL_C_VERSION);
  ASSERT_EQ(version.rfind("OpenCL C ", 0), 0U) << version;
  const std::string number = version.substr(9, 3);
  ASSERT_EQ(version.size() > 12 ? version[12] : ' ', ' ') << version;
  EXPECT_TRUE(versions.contains(number)) << version;
  // OpenCL C 2.0 has on-device queues, which later versions leave out as they like.
  const bool hasQueues = value<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0;
  EXPECT_EQ(number, hasQueues ? "2.0" : "1.2");
}

TEST_F(GetDeviceInfo, openclCFeaturesAreThoseOfTheDevice) {
  const std::set<std::string> features = versionedNames(CL_DEVICE_OPENCL_C_FEATURES);
  const auto has = [&](const char* name) { return features.contains(name); };
  EXPECT_TRUE(has("__opencl_c_int64"));
  EXPECT_TRUE(has("__opencl_c_fp64"));
  EXPECT_EQ(has("__opencl_c_program_scope_global_variables"), value<size_t>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) != 0);
  EXPECT_EQ(has("__opencl_c_generic_address_space"),
            value<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) == CL_TRUE);
  EXPECT_EQ(has("__opencl_c_work_group_collective_functions"),
            value<cl_bool>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) == CL_TRUE);
  EXPECT_EQ(has("__opencl_c_subgroups"), value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0);
  const auto atomics = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_EQ(has("__opencl_c_atomic_order_acq_rel"), (atomics & CL_DEVICE_ATOMIC_ORDER_ACQ_REL) != 0);
  EXPECT_EQ(has("__opencl_c_atomic_order_seq_cst"), (atomics & CL_DEVICE_ATOMIC_ORDER_SEQ_CST) != 0);
  EXPECT_EQ(has("__opencl_c_atomic_scope_device"), (atomics & CL_DEVICE_ATOMIC_SCOPE_DEVICE) != 0);
  EXPECT_EQ(has("__opencl_c_atomic_scope_all_devices"), (atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) != 0);
}

TEST_F(GetDeviceInfo, extensionListsAgree) {
  const std::set<std::string> names = words(CL_DEVICE_EXTENSIONS);
  EXPECT_EQ(names, versionedNames(CL_DEVICE_EXTENSIONS_WITH_VERSION));
  for (const cl_name_version& each : values<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    EXPECT_GT(each.version, 0U) << each.name;
  // Required of every device since OpenCL 1.1, and cl_khr_fp64 where doubles are.
  for (const char* each :
       {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
        "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics", "cl_khr_fp64"})
    EXPECT_TRUE(names.contains(each)) << each;
}

// cl_khr_device_uuid: what the device is called is no name of the driver, and neither is a name of Windows.
TEST_F(GetDeviceInfo, identifiers) {
  using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
  const auto its = value<Uuid>(CL_DEVICE_UUID_KHR), drivers = value<Uuid>(CL_DRIVER_UUID_KHR);
  EXPECT_NE(its, Uuid{});
  EXPECT_NE(drivers, Uuid{});
  EXPECT_NE(its, drivers);
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_LUID_VALID_KHR), cl_bool{CL_FALSE});
  for (const cl_device_info name : {CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR})
    expectSizesChecked(clGetDeviceInfo, device, name, CL_UUID_SIZE_KHR);
  expectSizesChecked(clGetDeviceInfo, device, CL_DEVICE_LUID_KHR, CL_LUID_SIZE_KHR);
  expectSizesChecked(clGetDeviceInfo, device, CL_DEVICE_NODE_MASK_KHR, sizeof(cl_uint));
}

// cl_khr_pci_bus_info, for devices that are on one; cl_ext_cxx_for_opencl.
TEST_F(GetDeviceInfo, queriesOfExtensions) {
  const std::set<std::string> names = words(CL_DEVICE_EXTENSIONS);
  const cl_device_info bus = CL_DEVICE_PCI_BUS_INFO_KHR;
  if (names.contains("cl_khr_pci_bus_info"))
    expectSizesChecked(clGetDeviceInfo, device, bus, sizeof(cl_device_pci_bus_info_khr));
  else
    EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(device, bus, 0, nullptr, nullptr));
  if (names.contains("cl_ext_cxx_for_opencl")) {
    EXPECT_EQ(value<cl_version>(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT), cl_version{CL_MAKE_VERSION(1, 0, 0)});
    expectSizesChecked(clGetDeviceInfo, device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, sizeof(cl_version));
  }
}

// cl_khr_il_program: SPIR-V in every version, the highest first; both lists say the same.
TEST_F(GetDeviceInfo, intermediateLanguages) {
  EXPECT_TRUE(words(CL_DEVICE_EXTENSIONS).contains("cl_khr_il_program"));
  EXPECT_EQ(CL_DEVICE_IL_VERSION, CL_DEVICE_IL_VERSION_KHR);
  EXPECT_EQ(text(CL_DEVICE_IL_VERSION), "SPIR-V_1.6 SPIR-V_1.5 SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0");
  std::string listed;
  for (const cl_name_version& each : values<cl_name_version>(CL_DEVICE_ILS_WITH_VERSION)) {
    EXPECT_EQ(CL_VERSION_PATCH(each.version), 0U);
    listed += (listed.empty() ? "" : " ") + std::string(each.name) + "_" +
              std::to_string(CL_VERSION_MAJOR(each.version)) + "." + std::to_string(CL_VERSION_MINOR(each.version));
  }
  EXPECT_EQ(listed, text(CL_DEVICE_IL_VERSION));
}

// cl_khr_spirv_queries: what the device takes follows its extensions and features.
TEST_F(GetDeviceInfo, spirvQueries) {
  constexpr cl_device_info instructionSets = 0x12B9, extensions = 0x12BA, capabilities = 0x12BB;
  for (const cl_device_info each : {instructionSets, extensions, capabilities})
    expectSizesChecked(clGetDeviceInfo, device, each, kAny);
  const std::set<std::string> names = words(CL_DEVICE_EXTENSIONS);
  EXPECT_TRUE(names.contains("cl_khr_spirv_queries"));
  std::set<std::string> sets, taken;
  for (const char* each : values<const char*>(instructionSets)) sets.insert(each);
  EXPECT_TRUE(sets.contains("OpenCL.std"));
  for (const char* each : values<const char*>(extensions)) EXPECT_TRUE(taken.insert(each).second) << each;
  const std::pair<const char*, const char*> needs[] = {
      {"SPV_KHR_linkonce_odr", "cl_khr_spirv_linkonce_odr"},
      {"SPV_KHR_no_integer_wrap_decoration", "cl_khr_spirv_no_integer_wrap_decoration"},
      {"SPV_INTEL_subgroups", "cl_intel_spirv_subgroups"},
      {"SPV_KHR_expect_assume", "cl_khr_expect_assume"},
      {"SPV_KHR_bit_instructions", "cl_khr_extended_bit_ops"},
      {"SPV_KHR_integer_dot_product", "cl_khr_integer_dot_product"},
      {"SPV_KHR_shader_clock", "cl_khr_kernel_clock"},
      {"SPV_KHR_subgroup_rotate", "cl_khr_subgroup_rotate"},
      {"SPV_KHR_uniform_group_instructions", "cl_khr_work_group_uniform_arithmetic"},
      {"SPV_INTEL_split_barrier", "cl_intel_split_work_group_barrier"}};
  for (const auto& [part, name] : needs) EXPECT_EQ(taken.contains(part), names.contains(name)) << part;
  // Half has no atomic additions.
  EXPECT_TRUE(taken.contains("SPV_EXT_shader_atomic_float_add"));
  EXPECT_FALSE(taken.contains("SPV_EXT_shader_atomic_float16_add"));
  std::set<cl_uint> numbers;
  for (const cl_uint each : values<cl_uint>(capabilities)) EXPECT_TRUE(numbers.insert(each).second) << each;
  const auto has = [&](spv::Capability each) { return numbers.contains(cl_uint(each)); };
  for (const spv::Capability each :
       {spv::Capability::Addresses, spv::Capability::Float16Buffer, spv::Capability::Int16, spv::Capability::Int8,
        spv::Capability::Int64, spv::Capability::Kernel, spv::Capability::Linkage, spv::Capability::Vector16})
    EXPECT_TRUE(has(each)) << int(each);
  EXPECT_EQ(has(spv::Capability::Float16), names.contains("cl_khr_fp16"));
  EXPECT_EQ(has(spv::Capability::Float64), names.contains("cl_khr_fp64"));
  EXPECT_EQ(has(spv::Capability::Int64Atomics), names.contains("cl_khr_int64_base_atomics"));
  EXPECT_EQ(has(spv::Capability::ImageBasic), value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE);
  EXPECT_EQ(has(spv::Capability::Pipes), value<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  EXPECT_EQ(has(spv::Capability::GroupNonUniformBallot), names.contains("cl_khr_subgroup_ballot"));
  EXPECT_EQ(has(spv::Capability::AtomicFloat32AddEXT), (value<cl_bitfield>(0x4231) & 0x20002) != 0);
  EXPECT_EQ(has(spv::Capability::AtomicFloat16AddEXT), (value<cl_bitfield>(0x4233) & 0x20002) != 0);
  EXPECT_FALSE(has(spv::Capability::Shader));
  EXPECT_EQ(has(spv::Capability::DeviceEnqueue), value<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0);
}

// Every sub-group has the size that the kernel requires, of these, or the device's own.
TEST_F(GetDeviceInfo, subGroups) {
  const auto sizes = values<size_t>(CL_DEVICE_SUB_GROUP_SIZES_INTEL);
  const bool isGpu = value<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU;
  EXPECT_EQ(sizes, isGpu ? std::vector<size_t>{32} : (std::vector<size_t>{4, 8, 16, 32}));
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS), value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE) / sizes.front());
  // Those of a work-group run one after another.
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), cl_bool{CL_TRUE});
  const std::set<std::string> names = words(CL_DEVICE_EXTENSIONS);
  for (const char* each :
       {"cl_khr_subgroups", "cl_khr_subgroup_extended_types", "cl_khr_subgroup_non_uniform_vote",
        "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle",
        "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate",
        "cl_intel_required_subgroup_size"})
    EXPECT_TRUE(names.contains(each)) << each;
}

TEST_F(GetDeviceInfo, integerDotProducts) {
  EXPECT_TRUE(words(CL_DEVICE_EXTENSIONS).contains("cl_khr_integer_dot_product"));
  EXPECT_EQ(value<cl_device_integer_dot_product_capabilities_khr>(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR),
            cl_bitfield{CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR});
  for (const cl_device_info param : {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                                     CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
    const auto properties = value<cl_device_integer_dot_product_acceleration_properties_khr>(param);
    const bool isGpu = value<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU;
    EXPECT_EQ(properties.signed_accelerated, cl_bool{isGpu});
  }
  unsigned found = 0;
  for (const cl_name_version& each : values<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION)) {
    if (std::string(each.name) != "cl_khr_integer_dot_product") continue;
    ++found;
    EXPECT_EQ(each.version, cl_version{CL_MAKE_VERSION(2, 0, 0)});
  }
  EXPECT_EQ(found, 1U);
}

// CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT and its like: loads and stores, additions, minima and maxima in global
// and local memory.
TEST_F(GetDeviceInfo, floatAtomics) {
  EXPECT_TRUE(words(CL_DEVICE_EXTENSIONS).contains("cl_ext_float_atomics"));
  EXPECT_EQ(value<cl_bitfield>(0x4231), cl_bitfield{0x70007});
  EXPECT_EQ(value<cl_bitfield>(0x4232), cl_bitfield{0x70007});
  EXPECT_EQ(value<cl_bitfield>(0x4233), cl_bitfield{0});
}

// Extensions of the language that have nothing to query but their names and versions.
TEST_F(GetDeviceInfo, asyncCopies) {
  for (const std::string name : {"cl_khr_extended_async_copies", "cl_khr_async_work_group_copy_fence"}) {
    EXPECT_TRUE(words(CL_DEVICE_EXTENSIONS).contains(name));
    unsigned found = 0;
    for (const cl_name_version& each : values<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION))
      if (each.name == name) {
        ++found;
        EXPECT_EQ(each.version, cl_version{CL_MAKE_VERSION(1, 0, 0)});
      }
    EXPECT_EQ(found, 1u) << name;
  }
}

// CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR: clocks of all scopes.
TEST_F(GetDeviceInfo, kernelClocks) {
  EXPECT_TRUE(words(CL_DEVICE_EXTENSIONS).contains("cl_khr_kernel_clock"));
  EXPECT_EQ(value<cl_bitfield>(0x1076), cl_bitfield{7});
}

TEST_F(GetDeviceInfo, hasPassedNoConformanceRun) {
  EXPECT_EQ(text(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED).find_first_of("123456789"), std::string::npos)
      << text(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED);
}

// A preferred size of program scope variables is said only where such variables are.
TEST_F(GetDeviceInfo, globalVariableSizesAgree) {
  const auto most = value<size_t>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE);
  if (most == 0)
    EXPECT_EQ(value<size_t>(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE), 0U);
  else
    EXPECT_GE(most, size_t{64} << 10);
}

TEST_F(GetDeviceInfo, workGroupLimitsAreEnough) {
  ASSERT_GE(value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3U);
  const auto most = value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  EXPECT_GE(most, 1U);
  const auto sizes = values<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  EXPECT_EQ(sizes.size(), value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  for (size_t each : sizes) EXPECT_GE(each, 1U);
  const auto multiple = value<size_t>(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  EXPECT_GE(multiple, 1U);
  EXPECT_LE(multiple, most);
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT), cl_bool{CL_TRUE});
}

TEST_F(GetDeviceInfo, vectorWidthsArePowersOfTwo) {
  for (cl_device_info each : {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
                              CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
                              CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
                              CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
                              CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
                              CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE}) {
    const auto width = value<cl_uint>(each);
    EXPECT_GE(width, 1U) << "query " << each;
    EXPECT_EQ(width & (width - 1), 0U) << "query " << each;
  }
  // The native widths are those of one register, whatever the element; without vectors all are 1.
  const auto bytes = value<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR);
  const auto in = [&](size_t element) { return static_cast<cl_uint>(std::max<size_t>(bytes / element, 1)); };
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT), in(sizeof(cl_float)));
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE), in(sizeof(cl_double)));
  // Without cl_khr_fp16 the widths of half are 0.
  const bool half = words(CL_DEVICE_EXTENSIONS).contains("cl_khr_fp16");
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF) != 0, half);
  EXPECT_EQ(value<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) != 0, half);
  const auto config = value<cl_device_fp_config>(0x1033 /* CL_DEVICE_HALF_FP_CONFIG */);
  EXPECT_EQ(config, half ? CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA : 0);
}

TEST_F(GetDeviceInfo, memorySizesAreEnough) {
  const auto all = value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto most = value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_GE(most, std::max(std::min<cl_ulong>(cl_ulong{1} << 30, all / 4), cl_ulong{32} << 20));
  EXPECT_LE(most, all);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), cl_ulong{32} << 10);
  const auto local = value<cl_device_local_mem_type>(CL_DEVICE_LOCAL_MEM_TYPE);
  EXPECT_TRUE(local == CL_LOCAL || local == CL_GLOBAL) << local;
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), cl_ulong{64} << 10);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS), 8U);
  EXPECT_GE(value<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE), 1024U);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), sizeof(cl_long16) * 8);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE), sizeof(cl_long16));
  EXPECT_GE(value<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE), size_t{1} << 20);
}

TEST_F(GetDeviceInfo, cacheIsPlausible) {
  const auto type = value<cl_device_mem_cache_type>(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE);
  ASSERT_TRUE(type == CL_NONE || type == CL_READ_ONLY_CACHE || type == CL_READ_WRITE_CACHE) << type;
  if (type == CL_NONE) return;
  const auto line = value<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  EXPECT_GE(line, 16U);
  EXPECT_EQ(line & (line - 1), 0U) << line;
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE), cl_ulong{line});
  EXPECT_LT(value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE), value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE));
}

// The mandated minima of the full profile; doubles are supported.
TEST_F(GetDeviceInfo, floatingPointIsEnough) {
  const auto single = value<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG);
  const cl_device_fp_config least = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  EXPECT_EQ(single & least, least);
  const auto twice = value<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG);
  const cl_device_fp_config leastTwice = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
  EXPECT_EQ(twice & leastTwice, leastTwice);
  EXPECT_EQ(twice & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, 0U) << "is of single precision alone";
}

TEST_F(GetDeviceInfo, canDoWhatAFullProfileMust) {
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(value<cl_bool>(CL_DEVICE_LINKER_AVAILABLE), cl_bool{CL_TRUE});
  const auto execution = value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES);
  EXPECT_TRUE(execution & CL_EXEC_KERNEL) << execution;
  EXPECT_EQ(execution & ~cl_device_exec_capabilities{CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL}, 0U);
  // The host's functions are the CPU's.
  if (value<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU)
    EXPECT_TRUE(execution & CL_EXEC_NATIVE_KERNEL) << execution;
  const auto queues = value<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  const cl_command_queue_properties both = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  EXPECT_EQ(queues, both);
  EXPECT_GE(value<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION), 1U);
}

// Weaker orders and narrower scopes come with the stronger and wider ones; the minima are mandated.
TEST_F(GetDeviceInfo, atomicCapabilitiesAreHierarchical) {
  const auto memory = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  const auto fence = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  const cl_device_atomic_capabilities least = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  EXPECT_EQ(memory & least, least);
  EXPECT_EQ(fence & (least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL), least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL);
  for (const cl_device_atomic_capabilities each : {memory, fence}) {
    if (each & CL_DEVICE_ATOMIC_ORDER_SEQ_CST) EXPECT_TRUE(each & CL_DEVICE_ATOMIC_ORDER_ACQ_REL);
    if (each & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) EXPECT_TRUE(each & CL_DEVICE_ATOMIC_SCOPE_DEVICE);
  }
}

TEST_F(GetDeviceInfo, partitionQueriesAgree) {
  const auto units = value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  EXPECT_LE(value<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES), units);
  const auto schemes = values<cl_device_partition_property>(CL_DEVICE_PARTITION_PROPERTIES);
  ASSERT_FALSE(schemes.empty());
  const bool byDomain = std::count(schemes.begin(), schemes.end(), CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) != 0;
  if (!byDomain) EXPECT_EQ(value<cl_device_affinity_domain>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN), 0U);
  // A root device was made by no partition.
  const auto type = values<cl_device_partition_property>(CL_DEVICE_PARTITION_TYPE);
  EXPECT_TRUE(type.empty() || type.at(0) == 0);
  if (value<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES) >= 2)
    EXPECT_EQ(std::count(schemes.begin(), schemes.end(), CL_DEVICE_PARTITION_EQUALLY), 1);
  else
    EXPECT_EQ(schemes, std::vector<cl_device_partition_property>{0});
}

// device is not a valid device.
TEST_F(GetDeviceInfo, invalidDevice) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_DEVICE, driver->clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_DEVICE, clGetDeviceInfo(notAnObject<cl_device_id>(), CL_DEVICE_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_DEVICE,
            clGetDeviceInfo(reinterpret_cast<cl_device_id>(context), CL_DEVICE_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_DEVICE,
            clGetDeviceInfo(reinterpret_cast<cl_device_id>(platform), CL_DEVICE_NAME, 0, nullptr, &size));
}

// param_name is not one of the supported values.
TEST_F(GetDeviceInfo, invalidValue) {
  size_t size = 0;
  for (cl_device_info each : {cl_device_info{0}, cl_device_info{CL_PLATFORM_NAME}, cl_device_info{CL_CONTEXT_DEVICES},
                              cl_device_info{0x10FF}, cl_device_info{0xFFFFFFFF}})
    EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(device, each, 0, nullptr, &size)) << each;
}

}  // namespace
}  // namespace clarity::test
