// SPDX-License-Identifier: Apache-2.0
// This file creates the CPU device of this machine and its sub-devices.
#include "device/cpu/device.h"

#include "device/cpu/child_kernels.h"
#include "device/cpu/executable.h"
#include "device/cpu/observation.h"
#include "device/cpu/recording.h"
#include "device/cpu/running_launches.h"
#include "device/cpu/stream.h"
#include "device/cpu/turns.h"
#include "device/host/extensions.h"
#include "device/host/local_size.h"
#include "device/library_limits.h"
#include "device/options.h"
#include "support/clock.h"

#include "support/address_space_hook.h"
#include "support/dma_buffer.h"
#include "support/enqueue_hooks.h"
#include "support/hash.h"
#include "support/printf_hook.h"
#include "support/sub_group_hooks.h"
#include "support/trap_hook.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Variables of programs should leave room for the buffers that the application creates.
constexpr std::uint64_t largestGlobalVariable = std::uint64_t{1} << 30;

/// Measured: above this, stores past the cache are as fast or faster on desktop and server processors, real and
/// virtual.
constexpr std::uint64_t cacheBytesOfUnit = std::uint64_t{8} << 20;

/// Local memory is cached global memory: no more than stays in the second-level cache beside what else a kernel uses.
std::uint64_t localMemoryBytes(const Topology& topology) {
  return std::clamp<std::uint64_t>(std::bit_floor(topology.l2Bytes / 4), 64u << 10, 256u << 10);
}

/// Properties that are the same for all processors that the compiler generates code for.
void describeExecution(Properties& p) {
  p.execution = CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL;
  p.queueProperties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  p.nonUniformWorkGroups = true;
  p.subGroupSizes.assign(std::begin(compiler::subGroupSizes), std::end(compiler::subGroupSizes));
  p.maxSubGroups = static_cast<cl_uint>(p.maxWorkGroupSize / p.subGroupSizes.front());
  // Sub-groups that may wait for each other run on stacks of their own (sub_groups.h).
  p.subGroupForwardProgress = true;
  p.hostUnifiedMemory = true;
  p.svmCapabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                      CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
  p.littleEndian = std::endian::native == std::endian::little;
  p.cacheType = CL_READ_WRITE_CACHE;
  // A CPU has no separate memory for work-groups.
  p.localMemType = CL_GLOBAL;
  p.maxParameterBytes = 4096;
  // Every __constant argument uses one pointer of the parameters.
  p.maxConstantArgs = static_cast<cl_uint>(p.maxParameterBytes / sizeof(void*));
  // The largest type of OpenCL C is long16.
  p.minDataAlignBytes = sizeof(cl_long16);
  p.baseAddressAlignBits = 8 * sizeof(cl_long16);
}

void describeOnDeviceQueues(OnDeviceQueueProperties& p) {
  p.properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  // Memory is taken for what is enqueued only: room for some 20,000 kernels, as each of them may be small.
  p.preferredBytes = 4u << 20;
  p.maxBytes = 256u << 20;
  p.maxQueues = 1024;
  p.maxEvents = mostEnqueuedEvents;
}

void describeArithmetic(Properties& p, const compiler::Target& target) {
  constexpr cl_device_fp_config ieee = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;
  p.vectorBits = target.vectorBits;
  p.singleFpConfig = ieee | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  // The least that the specification lets a device with doubles have.
  p.doubleFpConfig = ieee | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF;
  p.halfFpConfig = ieee;
  // Dot products are not accelerated: four products and their sum are vector arithmetic like any other.
  // Those of the runtime are no names of the language.
  p.extensions = target.extensions + std::string(systemExtensions());
  p.openclCVersions = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                       CL_MAKE_VERSION(2, 0, 0), CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)};
  p.openclCVersion = CL_MAKE_VERSION(2, 0, 0);
}

Properties propertiesOf(const Topology& topology, std::uint32_t units, const compiler::Target& target) {
  Properties p;
  p.name = topology.name;
  p.vendor = topology.vendor;
  p.vendorId = topology.vendorId;
  p.uuid = std::bit_cast<decltype(p.uuid)>(support::hashOf("CPU " + topology.vendor + " " + topology.name));
  p.driverVersion = CLARITY_VERSION;
  p.computeUnits = units;
  p.maxWorkGroupSize = compiler::largestWorkGroup;
  std::fill(std::begin(p.maxWorkItemSizes), std::end(p.maxWorkItemSizes), compiler::largestWorkGroup);
  p.clockMHz = topology.clockMHz;
  p.globalMemBytes = topology.memoryBytes;
  // Half, in whole MiB: an application that allocates this much still has room for what it copies in and out.
  p.maxAllocBytes = std::max<std::uint64_t>(topology.memoryBytes / 2 >> 20, 1) << 20;
  p.cacheBytes = topology.l3Bytes ? topology.l3Bytes : topology.l2Bytes;
  p.cacheLineBytes = topology.cacheLineBytes;
  p.localMemBytes = localMemoryBytes(topology);
  // Any buffer may be one of constants. Programs that fill as much as the device names should come to an end.
  p.maxConstantBytes = std::min<std::uint64_t>(p.maxAllocBytes, std::uint64_t{256} << 20);
  p.maxGlobalVariableBytes = p.preferredGlobalVariableBytes = std::min(p.maxAllocBytes, largestGlobalVariable);
  p.printfBufferBytes = 1u << 20;
  p.endsLaunches = true;
  p.timerResolutionNs = support::hostTimeResolution();
  p.preferredWorkGroupMultiple = std::max(1u, target.vectorBits / 32);
  describeExecution(p);
  describeArithmetic(p, target);
  describeImages(p.images);
  describePipes(p.pipes);
  describeOnDeviceQueues(p.onDeviceQueues);
  p.partitionMaxSubDevices = units > 1 ? units : 0;
  p.partitionByNuma = topology.numaProcessors.size() > 1;
  return p;
}

compiler::Target targetFor(const std::string& cpu) {
  compiler::Target target = compiler::hostTarget(cpu);
  if (target.deviceVersion.empty()) target.deviceVersion = CLARITY_VERSION;
  return target;
}

}  // namespace

std::string_view systemExtensions() {
  static const std::string all = std::string(host::runtimeExtensions) + std::string(host::sharedMemoryExtensions) +
                                 (support::dmaBuffersExist() ? " cl_khr_external_memory_dma_buf" : "");
  return all;
}

CpuDevice::CpuDevice(const Topology& topology, const Options& options)
    : target_(targetFor(options.cpu)),
      quickFirst_(options.firstLaunch == "quick"),
      secondLevelBytes_(topology.l2Bytes),
      numaUnits_(topology.numaProcessors) {
  const std::uint32_t units = options.threads ? options.threads : topology.processors;
  properties_ = propertiesOf(topology, units, target_);
  properties_.type = deviceType(options.type);
  workers_ = std::make_shared<host::Workers>(units);
  pool_ = std::make_shared<CpuPool>(std::make_shared<Allocator>(properties_.globalMemBytes), workers_);
}

CpuDevice::CpuDevice(const CpuDevice& parent, std::uint32_t units)
    : properties_(parent.properties_),
      target_(parent.target_),
      quickFirst_(parent.quickFirst_),
      secondLevelBytes_(parent.secondLevelBytes_),
      pool_(parent.pool_),
      workers_(std::make_shared<host::Workers>(units)) {
  properties_.computeUnits = units;
  properties_.partitionMaxSubDevices = units > 1 ? units : 0;
  properties_.partitionByNuma = false;
}

CpuDevice::~CpuDevice() = default;

std::unique_ptr<Executable> CpuDevice::load(std::shared_ptr<const compiler::CompiledProgram> compiled) {
  // The last level is shared with other processors, and with other machines where this one is virtual.
  const CacheSizes caches{.secondLevel = secondLevelBytes_,
                          .lastLevel = std::min(properties_.cacheBytes, properties_.computeUnits * cacheBytesOfUnit)};
  return std::make_unique<CpuExecutable>(std::move(compiled), target_, workers_, pool_->allocator(),
                                         properties_.printfBufferBytes, caches, compiler::generateNative, quickFirst_);
}

void CpuDevice::chooseLocalSize(const compiler::KernelInfo& info, NDRange& range) const {
  host::chooseLocalSize(info, properties_, range);
}

std::shared_ptr<const Recording> CpuDevice::record(std::span<const Operation* const> operations) {
  return std::make_shared<const CpuRecording>(operations);
}

std::unique_ptr<Stream> CpuDevice::createStream(const StreamOptions& options) {
  return std::make_unique<CpuStream>(workers_, options);
}

void CpuDevice::endLaunches(const std::atomic<bool>& ended) { RunningLaunch::endAll(ended); }

void CpuDevice::flush() { ServiceThreads::get().wake(); }

std::vector<std::unique_ptr<Device>> CpuDevice::partition(const Partition& how) {
  std::vector<std::unique_ptr<Device>> parts;
  for (std::uint32_t units : how.byNuma ? numaUnits_ : how.units)
    parts.push_back(std::unique_ptr<Device>(new CpuDevice(*this, units)));
  return parts;
}

std::uint64_t CpuDevice::now() const { return support::hostTime(); }

std::unique_ptr<CpuDevice> createDevice(const Options& options) {
  const auto provide = [](const char* name, auto* function) {
    compiler::provideRuntimeSymbol(name, reinterpret_cast<void*>(function));
  };
  provide("__clarity_printf", &__clarity_printf);
  provide("__clarity_enqueue_kernel", &__clarity_enqueue_kernel);
  provide("__clarity_enqueue_marker", &__clarity_enqueue_marker);
  provide("__clarity_default_queue", &__clarity_default_queue);
  provide("__clarity_create_event", &__clarity_create_event);
  provide("__clarity_retain_event", &__clarity_retain_event);
  provide("__clarity_release_event", &__clarity_release_event);
  provide("__clarity_is_event", &__clarity_is_event);
  provide("__clarity_set_event", &__clarity_set_event);
  provide("__clarity_profile_event", &__clarity_profile_event);
  provide("__clarity_block_fact", &__clarity_block_fact);
  provide("__clarity_run_sub_group", &__clarity_run_sub_group);
  provide("__clarity_let_sub_groups_run", &__clarity_let_sub_groups_run);
  provide("__clarity_finish_sub_groups", &__clarity_finish_sub_groups);
  provide("__clarity_trap", &__clarity_trap);
  provideObserverHooks();
  provideWorkItemHooks();
  provide("__clarity_is_local", &__clarity_is_local);
  provide("__clarity_is_private", &__clarity_is_private);
  return std::make_unique<CpuDevice>(discoverTopology(), options);
}

}  // namespace clarity::device::cpu
