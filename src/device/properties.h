// SPDX-License-Identifier: Apache-2.0
// This file is what a device reports of itself: everything that clGetDeviceInfo answers about a device comes from here.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clarity::device {

/// The properties of a device's images (OpenCL 3.0, section 5.3); without them all is 0.
struct ImageProperties {
  bool supported = false;
  bool depth = false;  ///< images of CL_DEPTH (cl_khr_depth_images)
  cl_uint maxReadArgs = 0, maxWriteArgs = 0, maxReadWriteArgs = 0, maxSamplers = 0;  ///< the most that a kernel has
  std::size_t maxWidth2D = 0, maxHeight2D = 0;  ///< texels; of 1D images and of arrays, too
  std::size_t maxWidth3D = 0, maxHeight3D = 0, maxDepth3D = 0;
  std::size_t maxBufferTexels = 0;  ///< texels of an image that is made of a buffer
  std::size_t maxArraySize = 0;
  /// Alignments of 2D images that are made of a buffer, in texels; powers of two. 0: there are none.
  cl_uint pitchAlignment = 0, baseAddressAlignment = 0;
};

/// The properties of a device's pipes (OpenCL 3.0, section 5.4); without them all is 0.
struct PipeProperties {
  cl_uint maxArgs = 0;                ///< arguments of a kernel
  cl_uint maxActiveReservations = 0;  ///< reservations of one work-item or work-group, in one pipe
  cl_uint maxPacketBytes = 0;
};

/// The command-queues on a device, to which kernels enqueue (OpenCL 3.0, section 3.2.3); without them all is 0.
struct OnDeviceQueueProperties {
  cl_command_queue_properties properties = 0;  ///< that they may be created with
  cl_uint preferredBytes = 0, maxBytes = 0;    ///< sizes of one: CL_QUEUE_SIZE
  cl_uint maxQueues = 0;                       ///< in a context
  cl_uint maxEvents = 0;                       ///< events of what a command of the host enqueues, at a time
};

/// The attributes of an NVIDIA GPU for cl_nv_device_attribute_query; its place on the bus is Properties::pciBus.
struct NvidiaAttributes {
  cl_uint computeMajor = 0, computeMinor = 0;
  cl_uint registersPerBlock = 0, warpSize = 0;
  cl_uint copyEngines = 0;    ///< copies that run beside kernels, at the same time
  bool endsKernels = false;   ///< a time is set after which kernels are ended
  bool sharesMemory = false;  ///< has no memory of its own
};

/// Facts about a device (OpenCL 3.0, table 5: clGetDeviceInfo). Units are those of the table: bytes, MHz, nanoseconds.
/// A default value is the least that the specification allows, or 0 where a device has to say what it has.
struct Properties {
  std::string name, vendor, driverVersion;
  cl_uint vendorId = 0;
  /// The same for the same processor, whatever version the driver has and however often the machine has started.
  std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid{};
  std::optional<cl_device_pci_bus_info_khr> pciBus;  ///< where it is on a bus (cl_khr_pci_bus_info)
  std::optional<NvidiaAttributes> nvidia;
  cl_device_type type = CL_DEVICE_TYPE_CPU;  ///< exactly one bit
  bool available = true;

  // Compute units and work-groups.
  cl_uint computeUnits = 1;
  std::size_t maxWorkGroupSize = 0;
  std::size_t maxWorkItemSizes[3] = {0, 0, 0};
  cl_uint preferredWorkGroupMultiple = 8;
  bool nonUniformWorkGroups = false;  ///< the last work-group of a dimension may be smaller
  cl_uint clockMHz = 0;
  /// CL_EXEC_NATIVE_KERNEL: accepts the operation HostFunction.
  cl_device_exec_capabilities execution = CL_EXEC_KERNEL;
  /// Accepts operations that have to wait for others of the device (Stream::submit, `after`): a chain of small kernels
  /// then needs no way back to the host between them.
  bool ordersOperations = false;
  /// Properties that command-queues of the device may be created with.
  cl_command_queue_properties queueProperties = CL_QUEUE_PROFILING_ENABLE;
  std::size_t timerResolutionNs = 1;  ///< the resolution of now(), which profiling times are from
  std::size_t printfBufferBytes = 0;

  /// Ends launches that run, however long they would (Device::endLaunches; cl_khr_terminate_context).
  bool endsLaunches = false;

  // Sub-groups; none: no sizes, and maxSubGroups is 0.
  std::vector<std::size_t> subGroupSizes;  ///< that a kernel may require, in ascending order
  cl_uint maxSubGroups = 0;                ///< sub-groups of a work-group
  bool subGroupForwardProgress = false;    ///< one that waits does not keep another from running
  bool subGroupMatrices = false;           ///< multiply matrices that they have in their registers

  // Memory.
  cl_uint addressBits = 8 * sizeof(void*);
  bool littleEndian = true;
  bool hostUnifiedMemory = false;  ///< the same memory as the host's: nothing is gained by a copy in device memory
  bool errorCorrection = false;
  /// Memory that it shares by address with the host. A device that has any of it has the host's addresses and
  /// cl_intel_unified_shared_memory.
  cl_device_svm_capabilities svmCapabilities = 0;
  /// Whether the host accesses memory that is shared by address and stays in the device's own (SharedHome::Device),
  /// too, and, where atomics are, the host's and the device's are atomic to each other also in memory that stays in the
  /// host's. The same memory is both.
  bool sharesAllMemory = true;
  std::uint64_t globalMemBytes = 0, maxAllocBytes = 0;
  cl_device_mem_cache_type cacheType = CL_NONE;
  std::uint64_t cacheBytes = 0;
  cl_uint cacheLineBytes = 64;
  cl_device_local_mem_type localMemType = CL_GLOBAL;
  std::uint64_t localMemBytes = 0;
  std::uint64_t maxConstantBytes = 0;
  cl_uint maxConstantArgs = 8;
  std::uint64_t maxGlobalVariableBytes = 0;        ///< the size of one program-scope variable in global memory
  std::uint64_t preferredGlobalVariableBytes = 0;  ///< the size of all of them together
  std::size_t maxParameterBytes = 1024;
  cl_uint baseAddressAlignBits = 1024;  ///< the alignment of sub-buffers; at least that of long16
  cl_uint minDataAlignBytes = 128;      ///< the alignment of any data type; at least that of long16
  /// The alignments at which atomic functions are fastest; 0: the natural alignment of the type.
  cl_uint platformAtomicAlignBytes = 0, globalAtomicAlignBytes = 0, localAtomicAlignBytes = 0;

  ImageProperties images;
  PipeProperties pipes;
  OnDeviceQueueProperties onDeviceQueues;

  // Arithmetic.
  /// Bits of a vector register; the native widths of all types follow from it. 0: registers hold one element.
  cl_uint vectorBits = 0;
  /// 0 for a type that the device does not have.
  cl_device_fp_config singleFpConfig = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  cl_device_fp_config doubleFpConfig = 0, halfFpConfig = 0;
  /// Products of 8-bit elements, in vectors and packed into a word.
  cl_device_integer_dot_product_acceleration_properties_khr dotProduct8Bit{}, dotProduct4x8BitPacked{};

  // Language.
  /// Extensions and OpenCL C features, separated by spaces; the compiler's Target has the same list. The capabilities
  /// for atomics, kernel clocks and dot products follow from it.
  std::string extensions;
  std::vector<cl_version> openclCVersions;  ///< that -cl-std accepts, in ascending order
  /// The highest of them of which every feature is there that was not optional then.
  cl_version openclCVersion = CL_MAKE_VERSION(1, 2, 0);

  // The ways of dividing it.
  cl_uint partitionMaxSubDevices = 0;
  bool partitionByNuma = false;
};

}  // namespace clarity::device
