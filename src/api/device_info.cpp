// SPDX-License-Identifier: Apache-2.0
// This file answers clGetDeviceInfo: every row of OpenCL 3.0, table 5, in the table's order.
#include "api/device_info.h"

#include "api/external_handles.h"
#include "api/info.h"
#include "api/new_extensions.h"
#include "api/versions.h"
#include "built_in/catalogue.h"
#include "core/driver_version.h"
#include "core/platform.h"
#include "core/shared_types.h"
#include "core/spirv_support.h"
#include "support/hash.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace clarity::api {
namespace {

using core::Device;

/// CL_DEVICE_TERMINATE_CAPABILITY_KHR as headers had it until 2018: programs that were built with them, such as clinfo,
/// still ask for it.
constexpr cl_device_info firstTerminateCapability = 0x200F;

/// Elements of so many bytes in a vector register.
cl_uint nativeWidth(const Device& device, unsigned elementBytes) {
  return std::max(device.properties().vectorBits / 8 / elementBytes, 1U);
}

/// The same for a program that chooses among the vector types of OpenCL C, which have up to 16 elements.
cl_uint preferredWidth(const Device& device, unsigned elementBytes) {
  return std::min(nativeWidth(device, elementBytes), 16U);
}

/// The width of a type that a device may not have: 0 then.
cl_uint widthIf(cl_device_fp_config config, cl_uint width) { return config != 0 ? width : 0; }

std::string openclCVersion(const Device& device) {
  const cl_version version = device.properties().openclCVersion;
  return fmt::format("OpenCL C {}.{} Clarity", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
}

/// Orders and scopes that both kinds of atomic capabilities have, as far as OpenCL C features express them.
cl_device_atomic_capabilities atomics(const Device& device) {
  cl_device_atomic_capabilities result = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  if (device.supports("__opencl_c_atomic_order_acq_rel")) result |= CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
  if (device.supports("__opencl_c_atomic_order_seq_cst")) result |= CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
  if (device.supports("__opencl_c_atomic_scope_device")) result |= CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  if (device.supports("__opencl_c_atomic_scope_all_devices")) result |= CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  return result;
}

/// Fences: acquire and release, and the scope of one work-item, are there in any case.
cl_device_atomic_capabilities fences(const Device& device) {
  return atomics(device) | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
}

std::vector<std::size_t> maxWorkItemSizes(const Device& device) {
  const auto& sizes = device.properties().maxWorkItemSizes;
  return {sizes[0], sizes[1], sizes[2]};
}

cl_device_id parentHandle(const Device& device) { return device.parent() ? device.parent()->handle() : nullptr; }

cl_device_affinity_domain affinityDomains(const Device& device) {
  const bool numa = device.properties().partitionByNuma && device.maxSubDevices() > 1;
  return numa ? CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE : 0;
}

// cl_ext_float_atomics, which headers of before 2023 do not have.
constexpr cl_device_info singleFpAtomics = 0x4231, doubleFpAtomics = 0x4232, halfFpAtomics = 0x4233;

/// CL_DEVICE_{GLOBAL,LOCAL}_FP_ATOMIC_{LOAD_STORE,ADD,MIN_MAX}_EXT, as the features of OpenCL C say. Loads and stores
/// of float and double are in OpenCL C anyway: only those of half are a feature.
cl_bitfield floatAtomics(const Device& device, const std::string& type) {
  const auto has = [&](const char* memory, const std::string& operation) {
    if (operation == "load_store" && type != "fp16") return device.supports("cl_ext_float_atomics");
    return device.supports("__opencl_c_ext_" + type + "_" + memory + "_atomic_" + operation);
  };
  cl_bitfield result = 0, bit = 1;
  for (const char* operation : {"load_store", "add", "min_max"}) {
    if (has("global", operation)) result |= bit;
    if (has("local", operation)) result |= bit << 16;
    bit <<= 1;
  }
  return result;
}

cl_device_integer_dot_product_capabilities_khr dotProducts(const Device& device) {
  cl_device_integer_dot_product_capabilities_khr result = 0;
  if (device.supports("__opencl_c_integer_dot_product_input_4x8bit"))
    result |= CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
  if (device.supports("__opencl_c_integer_dot_product_input_4x8bit_packed"))
    result |= CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR;
  return result;
}

/// cl_khr_kernel_clock, which older headers do not have: CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR and the bits of its
/// scopes.
constexpr cl_device_info kernelClockCapabilities = 0x1076;

cl_bitfield kernelClocks(const Device& device) {
  cl_bitfield result = 0, bit = 1;
  for (const char* scope : {"device", "work_group", "sub_group"}) {
    if (device.supports(std::string("__opencl_c_kernel_clock_scope_") + scope)) result |= bit;
    bit <<= 1;
  }
  return result;
}

using Bytes = std::size_t;

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
using Luid = std::array<cl_uchar, CL_LUID_SIZE_KHR>;

std::string driverVersion(const Device& device) { return core::driverVersion(device.properties().driverVersion); }

/// A hash of the version: two drivers of the same version are the same one.
Uuid driverUuid(const Device& device) {
  return std::bit_cast<Uuid>(support::hashOf("Clarity " + driverVersion(device)));
}

using SharedMemoryCapabilities = cl_device_unified_shared_memory_capabilities_intel;

/// Capabilities of allocations that stay in one memory.
SharedMemoryCapabilities sharedMemory(const Device& device, device::SharedHome home) {
  const cl_device_svm_capabilities svm = device.properties().svmCapabilities;
  SharedMemoryCapabilities result = svm ? CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL : 0;
  if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) result |= CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
  if (svm & CL_DEVICE_SVM_ATOMICS)
    result |= CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
  if (!device.properties().sharesAllMemory) {
    if (home != device::SharedHome::Anywhere)
      result &= ~SharedMemoryCapabilities{CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL};
    if (home == device::SharedHome::Device)
      result &= ~SharedMemoryCapabilities{CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL};
  }
  return result;
}

using MemoryHandles = std::vector<cl_external_memory_handle_type_khr>;

cl_device_pci_bus_info_khr pciBus(const Device& device) {
  const std::optional<cl_device_pci_bus_info_khr>& bus = device.properties().pciBus;
  core::failIf(!bus, CL_INVALID_VALUE, "device '{}' is on no PCI bus", device.properties().name);
  return *bus;
}

// cl_nv_device_attribute_query, of which headers have the first values only.
constexpr cl_device_info copyEnginesNv = 0x4007, pciBusNv = 0x4008, pciSlotNv = 0x4009, pciDomainNv = 0x400A;

const device::NvidiaAttributes& nvidia(const Device& device) {
  const std::optional<device::NvidiaAttributes>& its = device.properties().nvidia;
  core::failIf(!its, CL_INVALID_VALUE, "device '{}' has no cl_nv_device_attribute_query", device.properties().name);
  return *its;
}

/// NVIDIA's functions of a device on the bus are in the lower three bits.
cl_uint slotOf(const cl_device_pci_bus_info_khr& bus) { return bus.pci_device << 3 | bus.pci_function; }

/// The root devices that order their commands with this one's without the host: those that run on it themselves.
std::vector<cl_device_id> syncDevices(Device& device) {
  Device* root = &device;
  while (root->parent()) root = root->parent();
  return {root->handle()};
}

cl_device_command_buffer_capabilities_khr commandBufferCapabilities(const Device& device) {
  const bool enqueues = device.properties().onDeviceQueues.properties != 0;
  return CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
         CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR |
         (enqueues ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR : 0);
}

std::string builtInKernels(const Device& device) {
  std::string names;
  for (const built_in::Kernel& kernel : built_in::kernels())
    if (device.hasBuiltIn(kernel)) names.append(names.empty() ? "" : ";").append(kernel.name());
  return names;
}

std::vector<cl_name_version> builtInKernelsWithVersion(const Device& device) {
  std::vector<cl_name_version> list;
  for (const built_in::Kernel& kernel : built_in::kernels())
    if (device.hasBuiltIn(kernel)) list.push_back(nameVersion(kernel.name(), built_in::kernelVersion));
  return list;
}

const InfoRow<Device> deviceInfo[] = {
    INFO_ROW(cl_device_type, CL_DEVICE_TYPE, it.properties().type),
    INFO_ROW(cl_uint, CL_DEVICE_VENDOR_ID, it.properties().vendorId),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_COMPUTE_UNITS, it.properties().computeUnits),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    INFO_ROW(std::vector<Bytes>, CL_DEVICE_MAX_WORK_ITEM_SIZES, maxWorkItemSizes(it)),
    INFO_ROW(Bytes, CL_DEVICE_MAX_WORK_GROUP_SIZE, it.properties().maxWorkGroupSize),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, preferredWidth(it, 1)),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, preferredWidth(it, 2)),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, preferredWidth(it, 4)),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, preferredWidth(it, 8)),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, preferredWidth(it, 4)),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
             widthIf(it.properties().doubleFpConfig, preferredWidth(it, 8))),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
             widthIf(it.properties().halfFpConfig, preferredWidth(it, 2))),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, nativeWidth(it, 1)),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, nativeWidth(it, 2)),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, nativeWidth(it, 4)),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, nativeWidth(it, 8)),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, nativeWidth(it, 4)),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
             widthIf(it.properties().doubleFpConfig, nativeWidth(it, 8))),
    INFO_ROW(cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, widthIf(it.properties().halfFpConfig, nativeWidth(it, 2))),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_CLOCK_FREQUENCY, it.properties().clockMHz),
    INFO_ROW(cl_uint, CL_DEVICE_ADDRESS_BITS, it.properties().addressBits),
    INFO_ROW(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE, it.properties().maxAllocBytes),
    INFO_ROW(cl_bool, CL_DEVICE_IMAGE_SUPPORT, it.properties().images.supported),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_READ_IMAGE_ARGS, it.properties().images.maxReadArgs),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_WRITE_IMAGE_ARGS, it.properties().images.maxWriteArgs),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, it.properties().images.maxReadWriteArgs),
    INFO_ROW(std::string, CL_DEVICE_SPIR_VERSIONS, (static_cast<void>(it), "1.2 2.0")),
    INFO_ROW(std::string, CL_DEVICE_IL_VERSION, (static_cast<void>(it), core::spirvVersionText())),
    INFO_ROW(std::vector<cl_name_version>, CL_DEVICE_ILS_WITH_VERSION,
             (static_cast<void>(it), namesWithVersions("SPIR-V", core::spirvVersions))),
    INFO_ROW(std::vector<const char*>, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, core::spirvInstructionSets(it)),
    INFO_ROW(std::vector<const char*>, CL_DEVICE_SPIRV_EXTENSIONS_KHR, core::spirvExtensions(it)),
    INFO_ROW(std::vector<cl_uint>, CL_DEVICE_SPIRV_CAPABILITIES_KHR, core::spirvCapabilities(it)),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE2D_MAX_WIDTH, it.properties().images.maxWidth2D),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE2D_MAX_HEIGHT, it.properties().images.maxHeight2D),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE3D_MAX_WIDTH, it.properties().images.maxWidth3D),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE3D_MAX_HEIGHT, it.properties().images.maxHeight3D),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE3D_MAX_DEPTH, it.properties().images.maxDepth3D),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, it.properties().images.maxBufferTexels),
    INFO_ROW(Bytes, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, it.properties().images.maxArraySize),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_SAMPLERS, it.properties().images.maxSamplers),
    INFO_ROW(cl_uint, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, it.properties().images.pitchAlignment),
    INFO_ROW(cl_uint, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, it.properties().images.baseAddressAlignment),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_PIPE_ARGS, it.properties().pipes.maxArgs),
    INFO_ROW(cl_uint, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, it.properties().pipes.maxActiveReservations),
    INFO_ROW(cl_uint, CL_DEVICE_PIPE_MAX_PACKET_SIZE, it.properties().pipes.maxPacketBytes),
    INFO_ROW(Bytes, CL_DEVICE_MAX_PARAMETER_SIZE, it.properties().maxParameterBytes),
    INFO_ROW(cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN, it.properties().baseAddressAlignBits),
    INFO_ROW(cl_uint, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, it.properties().minDataAlignBytes),
    INFO_ROW(cl_device_fp_config, CL_DEVICE_SINGLE_FP_CONFIG, it.properties().singleFpConfig),
    INFO_ROW(cl_device_fp_config, CL_DEVICE_DOUBLE_FP_CONFIG, it.properties().doubleFpConfig),
    INFO_ROW(cl_device_fp_config, CL_DEVICE_HALF_FP_CONFIG, it.properties().halfFpConfig),
    INFO_ROW(cl_device_mem_cache_type, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, it.properties().cacheType),
    INFO_ROW(cl_uint, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, it.properties().cacheLineBytes),
    INFO_ROW(cl_ulong, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, it.properties().cacheBytes),
    INFO_ROW(cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE, it.properties().globalMemBytes),
    INFO_ROW(cl_ulong, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, it.properties().maxConstantBytes),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_CONSTANT_ARGS, it.properties().maxConstantArgs),
    INFO_ROW(Bytes, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, it.properties().maxGlobalVariableBytes),
    INFO_ROW(Bytes, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, it.properties().preferredGlobalVariableBytes),
    INFO_ROW(cl_device_local_mem_type, CL_DEVICE_LOCAL_MEM_TYPE, it.properties().localMemType),
    INFO_ROW(cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE, it.properties().localMemBytes),
    INFO_ROW(cl_bool, CL_DEVICE_ERROR_CORRECTION_SUPPORT, it.properties().errorCorrection),
    INFO_ROW(cl_bool, CL_DEVICE_HOST_UNIFIED_MEMORY, it.properties().hostUnifiedMemory),
    INFO_ROW(Bytes, CL_DEVICE_PROFILING_TIMER_RESOLUTION, it.properties().timerResolutionNs),
    INFO_ROW(cl_bool, CL_DEVICE_ENDIAN_LITTLE, it.properties().littleEndian),
    INFO_ROW(cl_bool, CL_DEVICE_AVAILABLE, it.properties().available),
    INFO_ROW(cl_bool, CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    INFO_ROW(cl_bool, CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
    INFO_ROW(cl_device_exec_capabilities, CL_DEVICE_EXECUTION_CAPABILITIES, it.properties().execution),
    INFO_ROW(cl_command_queue_properties, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, it.properties().queueProperties),
    INFO_ROW(cl_command_queue_properties, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
             it.properties().onDeviceQueues.properties),
    INFO_ROW(cl_uint, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, it.properties().onDeviceQueues.preferredBytes),
    INFO_ROW(cl_uint, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, it.properties().onDeviceQueues.maxBytes),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_ON_DEVICE_QUEUES, it.properties().onDeviceQueues.maxQueues),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_ON_DEVICE_EVENTS, it.properties().onDeviceQueues.maxEvents),
    INFO_ROW(std::string, CL_DEVICE_BUILT_IN_KERNELS, builtInKernels(it)),
    INFO_ROW(std::vector<cl_name_version>, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, builtInKernelsWithVersion(it)),
    INFO_ROW(cl_platform_id, CL_DEVICE_PLATFORM, core::Platform::get().handle()),
    INFO_ROW(std::string, CL_DEVICE_NAME, it.properties().name),
    INFO_ROW(std::string, CL_DEVICE_VENDOR, it.properties().vendor),
    INFO_ROW(std::string, CL_DRIVER_VERSION, driverVersion(it)),
    INFO_ROW(std::string, CL_DEVICE_PROFILE, core::Platform::profile),
    INFO_ROW(std::string, CL_DEVICE_VERSION, core::Platform::get().version()),
    INFO_ROW(cl_version, CL_DEVICE_NUMERIC_VERSION, core::Platform::numericVersion),
    // The highest version that is backward compatible in full; all are in CL_DEVICE_OPENCL_C_ALL_VERSIONS.
    INFO_ROW(std::string, CL_DEVICE_OPENCL_C_VERSION, openclCVersion(it)),
    INFO_ROW(cl_version, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, it.properties().openclCVersion),
    INFO_ROW(std::vector<cl_name_version>, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
             namesWithVersions("OpenCL C", it.properties().openclCVersions)),
    // The version of -cl-std=CLC++; CLC++2021 is there, too.
    INFO_ROW(cl_version, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT,
             (static_cast<void>(it), CL_MAKE_VERSION(1, 0, 0))),
    INFO_ROW(std::vector<cl_name_version>, CL_DEVICE_OPENCL_C_FEATURES, featureVersions(it.properties().extensions)),
    INFO_ROW(std::string, CL_DEVICE_EXTENSIONS, it.extensions()),
    INFO_ROW(std::vector<cl_name_version>, CL_DEVICE_EXTENSIONS_WITH_VERSION, extensionVersions(it.extensions())),
    INFO_ROW(Bytes, CL_DEVICE_PRINTF_BUFFER_SIZE, it.properties().printfBufferBytes),
    INFO_ROW(cl_bool, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE),
    INFO_ROW(cl_device_id, CL_DEVICE_PARENT_DEVICE, parentHandle(it)),
    INFO_ROW(cl_uint, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, it.maxSubDevices()),
    INFO_ROW(std::vector<cl_device_partition_property>, CL_DEVICE_PARTITION_PROPERTIES, it.partitionProperties()),
    INFO_ROW(cl_device_affinity_domain, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, affinityDomains(it)),
    INFO_ROW(std::vector<cl_device_partition_property>, CL_DEVICE_PARTITION_TYPE, it.partitionType()),
    INFO_ROW(cl_uint, CL_DEVICE_REFERENCE_COUNT, it.referenceCount()),
    INFO_ROW(cl_bitfield, CL_DEVICE_TERMINATE_CAPABILITY_KHR,
             it.properties().endsLaunches ? CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR : 0),
    INFO_ROW(cl_bitfield, firstTerminateCapability,
             it.properties().endsLaunches ? CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR : 0),
    INFO_ROW(Uuid, CL_DEVICE_UUID_KHR, it.properties().uuid),
    INFO_ROW(Uuid, CL_DRIVER_UUID_KHR, driverUuid(it)),
    // No device has an identifier of Windows.
    INFO_ROW(cl_bool, CL_DEVICE_LUID_VALID_KHR, (static_cast<void>(it), CL_FALSE)),
    INFO_ROW(Luid, CL_DEVICE_LUID_KHR, (static_cast<void>(it), Luid{})),
    INFO_ROW(cl_uint, CL_DEVICE_NODE_MASK_KHR, (static_cast<void>(it), 0)),
    INFO_ROW(cl_device_pci_bus_info_khr, CL_DEVICE_PCI_BUS_INFO_KHR, pciBus(it)),
    INFO_ROW(cl_uint, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, nvidia(it).computeMajor),
    INFO_ROW(cl_uint, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, nvidia(it).computeMinor),
    INFO_ROW(cl_uint, CL_DEVICE_REGISTERS_PER_BLOCK_NV, nvidia(it).registersPerBlock),
    INFO_ROW(cl_uint, CL_DEVICE_WARP_SIZE_NV, nvidia(it).warpSize),
    INFO_ROW(cl_bool, CL_DEVICE_GPU_OVERLAP_NV, nvidia(it).copyEngines != 0),
    INFO_ROW(cl_bool, CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV, nvidia(it).endsKernels),
    INFO_ROW(cl_bool, CL_DEVICE_INTEGRATED_MEMORY_NV, nvidia(it).sharesMemory),
    INFO_ROW(cl_uint, copyEnginesNv, nvidia(it).copyEngines),
    INFO_ROW(cl_uint, pciBusNv, (static_cast<void>(nvidia(it)), pciBus(it).pci_bus)),
    INFO_ROW(cl_uint, pciSlotNv, (static_cast<void>(nvidia(it)), slotOf(pciBus(it)))),
    INFO_ROW(cl_uint, pciDomainNv, (static_cast<void>(nvidia(it)), pciBus(it).pci_domain)),
    INFO_ROW(cl_device_svm_capabilities, CL_DEVICE_SVM_CAPABILITIES, it.properties().svmCapabilities),
    INFO_ROW(std::vector<cl_svm_capabilities_khr>, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, core::sharedTypesOf(it)),
    INFO_ROW(Bytes, CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR, it.properties().svmCapabilities ? 1 : 0),
    INFO_ROW(SharedMemoryCapabilities, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
             sharedMemory(it, device::SharedHome::Host)),
    INFO_ROW(SharedMemoryCapabilities, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
             sharedMemory(it, device::SharedHome::Device)),
    INFO_ROW(SharedMemoryCapabilities, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
             sharedMemory(it, device::SharedHome::Anywhere)),
    INFO_ROW(SharedMemoryCapabilities, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
             sharedMemory(it, device::SharedHome::Anywhere)),
    INFO_ROW(SharedMemoryCapabilities, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL,
             it.properties().svmCapabilities& CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
                 ? sharedMemory(it, device::SharedHome::Anywhere)
                 : 0),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, it.properties().platformAtomicAlignBytes),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, it.properties().globalAtomicAlignBytes),
    INFO_ROW(cl_uint, CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, it.properties().localAtomicAlignBytes),
    INFO_ROW(cl_uint, CL_DEVICE_MAX_NUM_SUB_GROUPS, it.properties().maxSubGroups),
    INFO_ROW(cl_bool, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, it.properties().subGroupForwardProgress),
    INFO_ROW(std::vector<Bytes>, CL_DEVICE_SUB_GROUP_SIZES_INTEL, it.properties().subGroupSizes),
    INFO_ROW(cl_device_integer_dot_product_capabilities_khr, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
             dotProducts(it)),
    INFO_ROW(cl_device_integer_dot_product_acceleration_properties_khr,
             CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, it.properties().dotProduct8Bit),
    INFO_ROW(cl_device_integer_dot_product_acceleration_properties_khr,
             CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
             it.properties().dotProduct4x8BitPacked),
    INFO_ROW(cl_bitfield, kernelClockCapabilities, kernelClocks(it)),
    INFO_ROW(cl_bitfield, singleFpAtomics, floatAtomics(it, "fp32")),
    INFO_ROW(cl_bitfield, doubleFpAtomics, floatAtomics(it, "fp64")),
    INFO_ROW(cl_bitfield, halfFpAtomics, floatAtomics(it, "fp16")),
    INFO_ROW(cl_device_atomic_capabilities, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, atomics(it)),
    INFO_ROW(cl_device_atomic_capabilities, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, fences(it)),
    INFO_ROW(cl_bool, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, it.properties().nonUniformWorkGroups),
    INFO_ROW(cl_bool, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
             it.supports("__opencl_c_work_group_collective_functions")),
    INFO_ROW(cl_bool, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, it.supports("__opencl_c_generic_address_space")),
    INFO_ROW(Bytes, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, it.properties().preferredWorkGroupMultiple),
    INFO_ROW(cl_device_device_enqueue_capabilities, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
             it.properties().onDeviceQueues.properties ? CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT
                                                       : 0),
    INFO_ROW(cl_bool, CL_DEVICE_PIPE_SUPPORT, it.properties().pipes.maxPacketBytes != 0),
    INFO_ROW(std::vector<cl_semaphore_type_khr>, CL_DEVICE_SEMAPHORE_TYPES_KHR,
             (static_cast<void>(it), std::vector<cl_semaphore_type_khr>{CL_SEMAPHORE_TYPE_BINARY_KHR})),
    INFO_ROW(std::vector<cl_external_semaphore_handle_type_khr>, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
             (static_cast<void>(it), externalSemaphoreHandles())),
    INFO_ROW(std::vector<cl_external_semaphore_handle_type_khr>, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
             (static_cast<void>(it), externalSemaphoreHandles())),
    INFO_ROW(MemoryHandles, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, externalMemoryHandles(it)),
    INFO_ROW(MemoryHandles, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR,
             externalMemoryHandles(it)),
    // Command-buffers: what the runtime does with them is the same on all devices.
    INFO_ROW(cl_device_command_buffer_capabilities_khr, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
             commandBufferCapabilities(it)),
    INFO_ROW(cl_command_queue_properties, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0),
    INFO_ROW(cl_command_queue_properties, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR,
             it.properties().queueProperties),
    INFO_ROW(cl_uint, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, cl_uint(syncDevices(it).size())),
    INFO_ROW(std::vector<cl_device_id>, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, syncDevices(it)),
    INFO_ROW(cl_mutable_dispatch_fields_khr, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR,
             (static_cast<void>(it), support::mutableFields)),
    INFO_ROW(std::string, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, ""),
};

}  // namespace

void answerDevice(Device& device, cl_device_info param, std::size_t room, void* value, std::size_t* sizeRet) {
  answer(deviceInfo, device, param, room, value, sizeRet);
}

}  // namespace clarity::api
