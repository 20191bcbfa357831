// SPDX-License-Identifier: Apache-2.0
// This file tests that clGetDeviceInfo answers from the device's properties: for every property, another value of it
// gives another answer. A value that is a constant above the device would not change.
#include "api/device_info.h"
#include "core/driver_version.h"
#include "core_fake_device.h"

#include <array>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace clarity::test {
namespace {

using Bytes = std::vector<unsigned char>;

struct DeviceInfo : FakeContext {
  device::Properties& properties = fake.changeableProperties();

  Bytes answer(cl_device_info param) const {
    std::size_t size = 0;
    api::answerDevice(device, param, 0, nullptr, &size);
    Bytes bytes(size);
    if (size != 0) api::answerDevice(device, param, size, bytes.data(), nullptr);
    return bytes;
  }
};

template <class T>
Bytes bytesOf(const T& value) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(&value);
  return {begin, begin + sizeof value};
}

Bytes bytesOf(const std::string& text) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(text.c_str());
  return {begin, begin + text.size() + 1};
}

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes all;
  for (const T& each : values) {
    const Bytes bytes = bytesOf(each);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

/// A query, a change of the properties, and the answer after it.
struct Row {
  cl_device_info param;
  const char* name;
  void (*change)(device::Properties&);
  Bytes wanted;
};

#define ROW(param, change, type, ...) \
  {param, #param ": " #change, [](device::Properties& p) { change; }, bytesOf(type(__VA_ARGS__))}

using Sizes = std::vector<std::size_t>;
constexpr cl_device_info singleFpAtomics = 0x4231, kernelClocks = 0x1076;  // newer than some headers

cl_device_integer_dot_product_acceleration_properties_khr signedAccelerated() {
  cl_device_integer_dot_product_acceleration_properties_khr properties{};
  properties.signed_accelerated = CL_TRUE;
  return properties;
}

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

Uuid filledUuid(cl_uchar value) {
  Uuid uuid;
  uuid.fill(value);
  return uuid;
}

std::vector<cl_name_version> openclC(cl_version version) {
  cl_name_version entry{version, "OpenCL C"};
  return {entry};
}

const Row identityRows[] = {
    ROW(CL_DEVICE_TYPE, p.type = CL_DEVICE_TYPE_GPU, cl_device_type, CL_DEVICE_TYPE_GPU),
    ROW(CL_DEVICE_NAME, p.name = "other", std::string, "other"),
    ROW(CL_DEVICE_VENDOR, p.vendor = "maker", std::string, "maker"),
    ROW(CL_DEVICE_VENDOR_ID, p.vendorId = 77, cl_uint, 77),
    ROW(CL_DRIVER_VERSION, p.driverVersion = "9.9", std::string, core::driverVersion("9.9")),
    ROW(CL_DEVICE_AVAILABLE, p.available = false, cl_bool, CL_FALSE),
    ROW(CL_DEVICE_EXTENSIONS, p.extensions = "cl_test_x", std::string, core::extensionsOf("") + " cl_test_x"),
    ROW(CL_DEVICE_UUID_KHR, p.uuid.fill(7), Uuid, filledUuid(7)),
    // That of the processor, whatever version the driver has.
    ROW(CL_DEVICE_UUID_KHR, (p.uuid.fill(8), p.driverVersion = "9.9"), Uuid, filledUuid(8)),
    ROW(CL_DEVICE_OPENCL_C_VERSION, p.openclCVersion = CL_MAKE_VERSION(3, 0, 0), std::string, "OpenCL C 3.0 Clarity"),
    ROW(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, p.openclCVersion = CL_MAKE_VERSION(3, 0, 0), cl_version,
        CL_MAKE_VERSION(3, 0, 0)),
    ROW(CL_DEVICE_OPENCL_C_ALL_VERSIONS, p.openclCVersions = {CL_MAKE_VERSION(1, 1, 0)}, openclC,
        CL_MAKE_VERSION(1, 1, 0)),
};

const Row executionRows[] = {
    ROW(CL_DEVICE_MAX_COMPUTE_UNITS, p.computeUnits = 5, cl_uint, 5),
    ROW(CL_DEVICE_MAX_WORK_GROUP_SIZE, p.maxWorkGroupSize = 99, std::size_t, 99),
    ROW(CL_DEVICE_MAX_WORK_ITEM_SIZES, p.maxWorkItemSizes[1] = 3, Sizes, {0, 3, 0}),
    ROW(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, p.preferredWorkGroupMultiple = 24, std::size_t, 24),
    ROW(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, p.nonUniformWorkGroups = true, cl_bool, CL_TRUE),
    ROW(CL_DEVICE_MAX_CLOCK_FREQUENCY, p.clockMHz = 12, cl_uint, 12),
    ROW(CL_DEVICE_EXECUTION_CAPABILITIES, p.execution = CL_EXEC_NATIVE_KERNEL, cl_device_exec_capabilities,
        CL_EXEC_NATIVE_KERNEL),
    ROW(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, p.queueProperties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        cl_command_queue_properties, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
    ROW(CL_DEVICE_PROFILING_TIMER_RESOLUTION, p.timerResolutionNs = 1000, std::size_t, 1000),
    ROW(CL_DEVICE_PRINTF_BUFFER_SIZE, p.printfBufferBytes = 4096, std::size_t, 4096),
    ROW(CL_DEVICE_MAX_NUM_SUB_GROUPS, p.maxSubGroups = 6, cl_uint, 6),
    ROW(CL_DEVICE_SUB_GROUP_SIZES_INTEL, (p.subGroupSizes = {32, 64}), Sizes, {32, 64}),
    ROW(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, p.subGroupForwardProgress = true, cl_bool, CL_TRUE),
    ROW(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, p.partitionMaxSubDevices = 2, cl_uint, 2),
    ROW(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, p.partitionByNuma = true, cl_device_affinity_domain,
        CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE),
    ROW(CL_DEVICE_PARTITION_PROPERTIES, p.partitionMaxSubDevices = 0, std::vector<cl_device_partition_property>, {0}),
};

const Row memoryRows[] = {
    ROW(CL_DEVICE_ADDRESS_BITS, p.addressBits = 32, cl_uint, 32),
    ROW(CL_DEVICE_ENDIAN_LITTLE, p.littleEndian = false, cl_bool, CL_FALSE),
    ROW(CL_DEVICE_SVM_CAPABILITIES, p.svmCapabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, cl_device_svm_capabilities,
        CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
    ROW(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, p.svmCapabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, cl_bitfield,
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL),
    ROW(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, p.svmCapabilities = CL_DEVICE_SVM_FINE_GRAIN_SYSTEM,
        cl_bitfield, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL),
    ROW(CL_DEVICE_HOST_UNIFIED_MEMORY, p.hostUnifiedMemory = true, cl_bool, CL_TRUE),
    ROW(CL_DEVICE_ERROR_CORRECTION_SUPPORT, p.errorCorrection = true, cl_bool, CL_TRUE),
    ROW(CL_DEVICE_GLOBAL_MEM_SIZE, p.globalMemBytes = 123, cl_ulong, 123),
    ROW(CL_DEVICE_MAX_MEM_ALLOC_SIZE, p.maxAllocBytes = 45, cl_ulong, 45),
    ROW(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, p.cacheType = CL_READ_ONLY_CACHE, cl_device_mem_cache_type,
        CL_READ_ONLY_CACHE),
    ROW(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, p.cacheBytes = 67, cl_ulong, 67),
    ROW(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, p.cacheLineBytes = 32, cl_uint, 32),
    ROW(CL_DEVICE_LOCAL_MEM_TYPE, p.localMemType = CL_LOCAL, cl_device_local_mem_type, CL_LOCAL),
    ROW(CL_DEVICE_LOCAL_MEM_SIZE, p.localMemBytes = 89, cl_ulong, 89),
    ROW(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, p.maxConstantBytes = 10, cl_ulong, 10),
    ROW(CL_DEVICE_MAX_CONSTANT_ARGS, p.maxConstantArgs = 9, cl_uint, 9),
    ROW(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, p.maxGlobalVariableBytes = 11, std::size_t, 11),
    ROW(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, p.preferredGlobalVariableBytes = 12, std::size_t, 12),
    ROW(CL_DEVICE_MAX_PARAMETER_SIZE, p.maxParameterBytes = 4352, std::size_t, 4352),
    ROW(CL_DEVICE_MEM_BASE_ADDR_ALIGN, p.baseAddressAlignBits = 2048, cl_uint, 2048),
    ROW(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, p.minDataAlignBytes = 256, cl_uint, 256),
    ROW(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, p.platformAtomicAlignBytes = 16, cl_uint, 16),
    ROW(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, p.globalAtomicAlignBytes = 32, cl_uint, 32),
    ROW(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, p.localAtomicAlignBytes = 64, cl_uint, 64),
};

const Row pipeRows[] = {
    ROW(CL_DEVICE_PIPE_SUPPORT, p.pipes.maxPacketBytes = 1024, cl_bool, CL_TRUE),
    ROW(CL_DEVICE_MAX_PIPE_ARGS, p.pipes.maxArgs = 18, cl_uint, 18),
    ROW(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, p.pipes.maxActiveReservations = 34, cl_uint, 34),
    ROW(CL_DEVICE_PIPE_MAX_PACKET_SIZE, p.pipes.maxPacketBytes = 2049, cl_uint, 2049),
};

const Row imageRows[] = {
    ROW(CL_DEVICE_IMAGE_SUPPORT, p.images.supported = true, cl_bool, CL_TRUE),
    ROW(CL_DEVICE_MAX_READ_IMAGE_ARGS, p.images.maxReadArgs = 130, cl_uint, 130),
    ROW(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, p.images.maxWriteArgs = 65, cl_uint, 65),
    ROW(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, p.images.maxReadWriteArgs = 66, cl_uint, 66),
    ROW(CL_DEVICE_MAX_SAMPLERS, p.images.maxSamplers = 17, cl_uint, 17),
    ROW(CL_DEVICE_IMAGE2D_MAX_WIDTH, p.images.maxWidth2D = 20001, std::size_t, 20001),
    ROW(CL_DEVICE_IMAGE2D_MAX_HEIGHT, p.images.maxHeight2D = 20002, std::size_t, 20002),
    ROW(CL_DEVICE_IMAGE3D_MAX_WIDTH, p.images.maxWidth3D = 20003, std::size_t, 20003),
    ROW(CL_DEVICE_IMAGE3D_MAX_HEIGHT, p.images.maxHeight3D = 20004, std::size_t, 20004),
    ROW(CL_DEVICE_IMAGE3D_MAX_DEPTH, p.images.maxDepth3D = 20005, std::size_t, 20005),
    ROW(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, p.images.maxBufferTexels = 70001, std::size_t, 70001),
    ROW(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, p.images.maxArraySize = 3001, std::size_t, 3001),
    ROW(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, p.images.pitchAlignment = 32, cl_uint, 32),
    ROW(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, p.images.baseAddressAlignment = 64, cl_uint, 64),
};

const Row arithmeticRows[] = {
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, p.vectorBits = 512, cl_uint, 64),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, p.vectorBits = 512, cl_uint, 32),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, p.vectorBits = 512, cl_uint, 16),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, p.vectorBits = 512, cl_uint, 8),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, p.vectorBits = 512, cl_uint, 16),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, p.vectorBits = 512, cl_uint, 16),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, p.vectorBits = 512, cl_uint, 16),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, p.vectorBits = 256, cl_uint, 8),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, p.vectorBits = 256, cl_uint, 4),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, p.vectorBits = 256, cl_uint, 8),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, p.doubleFpConfig = CL_FP_FMA, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, p.doubleFpConfig = CL_FP_FMA, cl_uint, 1),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, p.halfFpConfig = CL_FP_FMA, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, p.halfFpConfig = CL_FP_FMA, cl_uint, 1),
    ROW(CL_DEVICE_SINGLE_FP_CONFIG, p.singleFpConfig = CL_FP_SOFT_FLOAT, cl_device_fp_config, CL_FP_SOFT_FLOAT),
    ROW(CL_DEVICE_DOUBLE_FP_CONFIG, p.doubleFpConfig = CL_FP_FMA, cl_device_fp_config, CL_FP_FMA),
    ROW(CL_DEVICE_HALF_FP_CONFIG, p.halfFpConfig = CL_FP_FMA, cl_device_fp_config, CL_FP_FMA),
    ROW(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, p.dotProduct8Bit.signed_accelerated = CL_TRUE,
        signedAccelerated),
    ROW(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
        p.dotProduct4x8BitPacked.signed_accelerated = CL_TRUE, signedAccelerated),
    ROW(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, p.extensions = "__opencl_c_integer_dot_product_input_4x8bit",
        cl_bitfield, CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
};

const Row featureRows[] = {
    ROW(kernelClocks, p.extensions = "__opencl_c_kernel_clock_scope_work_group", cl_bitfield, 2),
    ROW(singleFpAtomics, p.extensions = "__opencl_c_ext_fp32_local_atomic_add", cl_bitfield, 2 << 16),
    ROW(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, p.extensions = "__opencl_c_atomic_order_acq_rel", cl_bitfield,
        CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_ORDER_ACQ_REL),
    ROW(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, p.extensions = "__opencl_c_atomic_order_seq_cst", cl_bitfield,
        CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
            CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST),
    ROW(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, p.extensions = "__opencl_c_generic_address_space", cl_bool, CL_TRUE),
    ROW(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, p.extensions = "__opencl_c_work_group_collective_functions",
        cl_bool, CL_TRUE),
};

#undef ROW

// cl_khr_pci_bus_info: the place on the bus, and no answer for a device that is on none.
TEST_F(DeviceInfo, placeOnABus) {
  expectError(CL_INVALID_VALUE, "no PCI bus", [&] { answer(CL_DEVICE_PCI_BUS_INFO_KHR); });
  properties.pciBus = {.pci_domain = 1, .pci_bus = 2, .pci_device = 3, .pci_function = 4};
  EXPECT_EQ(answer(CL_DEVICE_PCI_BUS_INFO_KHR), bytesOf(std::array<cl_uint, 4>{1, 2, 3, 4}));
}

struct Topic {
  const char* name;
  std::span<const Row> rows;
};

void PrintTo(const Topic& topic, std::ostream* out) { *out << topic.name; }

struct EveryRow : DeviceInfo, testing::WithParamInterface<Topic> {};

TEST_P(EveryRow, AnswersFromTheProperties) {
  const device::Properties original = properties;
  for (const Row& row : GetParam().rows) {
    SCOPED_TRACE(row.name);
    properties = original;
    const Bytes before = answer(row.param);
    row.change(properties);
    EXPECT_NE(answer(row.param), before);
    EXPECT_EQ(answer(row.param), row.wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(DeviceInfo, EveryRow,
                         testing::Values(Topic{"identity", identityRows}, Topic{"execution", executionRows},
                                         Topic{"memory", memoryRows}, Topic{"images", imageRows},
                                         Topic{"pipes", pipeRows}, Topic{"arithmetic", arithmeticRows},
                                         Topic{"features", featureRows}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace clarity::test
