// SPDX-License-Identifier: Apache-2.0
// This file finds NVIDIA GPUs and says what they are.
#include "device/cuda/device.h"

#include "compiler/nvptx/capability.h"
#include "compiler/ptx/nvptx_code.h"
#include "device/host/extensions.h"
#include "device/host/local_size.h"
#include "device/library_limits.h"
#include "support/clock.h"

#include <fmt/format.h>

#include <algorithm>

namespace clarity::device::cuda {
namespace {

constexpr std::uint32_t nvidia = 0x10de;
/// Bytes of shared memory that kernels have besides what the application asks for.
constexpr std::uint64_t reservedShared = 1024;

compiler::Target targetOf(const Gpu& gpu) {
  return compiler::nvptxTarget(gpu.attribute(ComputeMajor), gpu.attribute(ComputeMinor));
}

/// Four products of bytes, signed or not, and their sum are one instruction (nvptx/dot_products.h), which saturates no
/// sum.
void describeDotProducts(Properties& p) {
  p.dotProduct8Bit.signed_accelerated = p.dotProduct8Bit.unsigned_accelerated =
      p.dotProduct8Bit.mixed_signedness_accelerated = CL_TRUE;
  p.dotProduct4x8BitPacked = p.dotProduct8Bit;
}

/// Describes which GPU it is, and in which machine.
void describeIdentity(Properties& p, const Gpu& gpu) {
  const auto number = [&](DeviceAttribute which) { return static_cast<cl_uint>(gpu.attribute(which)); };
  char name[256] = "NVIDIA GPU";
  (void)driver().deviceGetName(name, sizeof name, gpu.device());
  p.name = name;
  p.vendor = "NVIDIA Corporation";
  p.vendorId = nvidia;
  (void)driver().deviceGetUuid(p.uuid.data(), gpu.device());
  p.pciBus = {.pci_domain = number(PciDomainId),
              .pci_bus = number(PciBusId),
              .pci_device = number(PciDeviceId),
              .pci_function = 0};
  p.nvidia = {.computeMajor = number(ComputeMajor),
              .computeMinor = number(ComputeMinor),
              .registersPerBlock = number(MaxRegistersPerBlock),
              .warpSize = number(WarpSize),
              .copyEngines = number(AsyncEngineCount),
              .endsKernels = number(KernelExecTimeout) != 0,
              .sharesMemory = number(Integrated) != 0};
  p.driverVersion = fmt::format("{} (CUDA {})", CLARITY_VERSION, Driver::version());
  p.type = CL_DEVICE_TYPE_GPU;
}

/// Sizes of work-groups, of memory and of caches.
void describeSizes(Properties& p, const Gpu& gpu) {
  p.computeUnits = static_cast<cl_uint>(gpu.attribute(MultiprocessorCount));
  p.maxWorkGroupSize = static_cast<std::size_t>(gpu.attribute(MaxThreadsPerBlock));
  const DeviceAttribute dims[] = {MaxBlockDimX, MaxBlockDimY, MaxBlockDimZ};
  for (std::size_t d = 0; d < 3; ++d) p.maxWorkItemSizes[d] = static_cast<std::size_t>(gpu.attribute(dims[d]));
  p.clockMHz = static_cast<std::uint32_t>(gpu.attribute(ClockRate) / 1000);
  std::size_t bytes = 0;
  (void)driver().deviceTotalMem(&bytes, gpu.device());
  p.globalMemBytes = bytes;
  p.maxAllocBytes = bytes / 4 * 3;
  p.cacheBytes = static_cast<std::uint64_t>(gpu.attribute(L2CacheBytes));
  p.cacheLineBytes = 128;
  p.localMemBytes = mostShared(gpu) - reservedShared;
  p.maxConstantBytes = p.maxAllocBytes;
  p.maxGlobalVariableBytes = std::uint64_t{1} << 30;
  p.printfBufferBytes = 1u << 20;
  p.timerResolutionNs = 500;
  p.baseAddressAlignBits = 2048;
  p.preferredWorkGroupMultiple = 32;
  p.maxSubGroups = static_cast<cl_uint>(p.maxWorkGroupSize / 32);
  p.maxParameterBytes = compiler::nvptx::mostParameterBytes - sizeof(compiler::nvptx::LaunchInfo);
  p.maxConstantArgs = static_cast<cl_uint>(p.maxParameterBytes / sizeof(void*));
  p.preferredGlobalVariableBytes = p.maxGlobalVariableBytes;
  p.minDataAlignBytes = sizeof(cl_long16);
}

Properties propertiesOf(const Gpu& gpu, const compiler::Target& target) {
  Properties p;
  describeIdentity(p, gpu);
  describeSizes(p, gpu);
  constexpr cl_device_fp_config ieee =
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF;
  p.singleFpConfig = ieee | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  p.doubleFpConfig = ieee;
  p.halfFpConfig = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;
  if (compiler::nvptx::capabilityOf(target) >= compiler::nvptx::firstWithDotProducts) describeDotProducts(p);
  p.queueProperties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  p.nonUniformWorkGroups = true;
  p.subGroupSizes = {32};
  p.subGroupForwardProgress = true;
  p.subGroupMatrices = compiler::nvptx::capabilityOf(target) >= compiler::nvptx::firstWithMatrices;
  // Without memory that moves, what is shared stays in the host's, and the GPU's atomics there are not for the host.
  p.svmCapabilities = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                      (movesMemory(gpu) ? CL_DEVICE_SVM_ATOMICS : 0);
  p.sharesAllMemory = false;
  p.errorCorrection = gpu.attribute(EccEnabled) != 0;
  p.cacheType = CL_READ_WRITE_CACHE;
  p.localMemType = CL_LOCAL;
  p.extensions = fmt::format("{}{}{} cl_khr_pci_bus_info cl_nv_device_attribute_query", target.extensions,
                             host::runtimeExtensions, host::sharedMemoryExtensions);
  p.openclCVersions = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                       CL_MAKE_VERSION(2, 0, 0), CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)};
  // OpenCL C 2.0 has the scope of all devices in any case.
  if (compiler::nvptx::capabilityOf(target) < compiler::nvptx::firstWithSystemScope)
    std::erase(p.openclCVersions, CL_MAKE_VERSION(2, 0, 0));
  p.ordersOperations = true;
  describeImages(p.images);
  describePipes(p.pipes);
  return p;
}

struct Usable {
  std::vector<std::shared_ptr<const Gpu>> gpus;
  std::string objection;  ///< to those that are not among them
};

Usable findUsable() {
  Usable found;
  found.objection = Driver::objection();
  int count = 0;
  if (Driver::get()) (void)driver().deviceGetCount(&count);
  for (int i = 0; i < count; ++i) {
    CuDevice device = 0;
    if (driver().deviceGet(&device, i) != 0) continue;
    char name[256] = "NVIDIA GPU";
    (void)driver().deviceGetName(name, sizeof name, device);
    int major = 0, minor = 0;
    (void)driver().deviceGetAttribute(&major, ComputeMajor, device);
    (void)driver().deviceGetAttribute(&minor, ComputeMinor, device);
    const std::string objection = compiler::nvptx::objectionTo(static_cast<unsigned>(10 * major + minor));
    if (!objection.empty())
      found.objection += fmt::format("{}GPU '{}' has {}", found.objection.empty() ? "" : "; ", name, objection);
    else
      found.gpus.push_back(std::make_shared<const Gpu>(device));
  }
  return found;
}

/// Asked once a process.
const Usable& usable() {
  static const Usable* const found = new Usable(findUsable());
  return *found;
}

}  // namespace

CudaDevice::CudaDevice(std::shared_ptr<const Gpu> gpu, const Options& options)
    : gpu_(std::move(gpu)), target_(targetOf(*gpu_)), quickFirst_(options.firstLaunch == "quick") {
  properties_ = propertiesOf(*gpu_, target_);
  memory_ = std::make_shared<CudaMemory>(gpu_);
  completions_ = std::make_shared<Completions>(gpu_);
  staging_ = std::make_shared<Staging>(gpu_);
}

std::unique_ptr<Executable> CudaDevice::load(std::shared_ptr<const compiler::CompiledProgram> compiled) {
  return std::make_unique<CudaExecutable>(std::move(compiled), gpu_, memory_, target_, quickFirst_);
}

void CudaDevice::chooseLocalSize(const compiler::KernelInfo& info, NDRange& range) const {
  host::chooseLocalSize(info, properties_, range);
}

std::unique_ptr<Stream> CudaDevice::createStream(const StreamOptions& options) {
  return std::make_unique<CudaStream>(gpu_, completions_, staging_, properties_.printfBufferBytes, options);
}

std::uint64_t CudaDevice::now() const { return support::hostTime(); }

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  std::vector<std::unique_ptr<Device>> devices;
  for (const std::shared_ptr<const Gpu>& gpu : usable().gpus)
    devices.push_back(std::make_unique<CudaDevice>(gpu, options));
  return devices;
}

std::string objection() { return usable().gpus.empty() ? usable().objection : ""; }

}  // namespace clarity::device::cuda
