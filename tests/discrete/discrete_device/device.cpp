// SPDX-License-Identifier: Apache-2.0
// This file makes the discrete test device and says what it is like.
#include "device.h"

#include "control.h"
#include "device/cpu/device.h"
#include "device/cpu/executable.h"
#include "device/host/extensions.h"
#include "device/host/local_size.h"
#include "faults.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace clarity::discrete {
namespace {

using device::Properties;

/// Extensions without these, which follow each other.
std::string without(std::string_view some, std::string extensions) {
  const std::size_t at = extensions.find(some);
  return at == std::string::npos ? extensions : extensions.erase(at, some.size());
}

/// Another value than the CPU's wherever the specification and the CPU's code allow it: an answer of a query that is
/// the same for both devices is then no accident.
Properties propertiesFrom(const Properties& cpu, bool depth) {
  Properties p = cpu;
  p.name = "Clarity discrete test device";
  p.vendor = "Clarity's tests";
  p.vendorId = 0xC1A2;
  p.uuid.fill(0xC1);
  p.driverVersion = cpu.driverVersion + " (test)";
  p.type = CL_DEVICE_TYPE_ACCELERATOR;
  p.computeUnits = 2;
  p.partitionMaxSubDevices = 2;
  p.partitionByNuma = false;
  p.maxWorkGroupSize = 1024;
  p.maxWorkItemSizes[0] = 1024;
  p.maxWorkItemSizes[1] = 512;
  p.maxWorkItemSizes[2] = 64;
  p.preferredWorkGroupMultiple = 32;
  p.maxSubGroups = static_cast<cl_uint>(p.maxWorkGroupSize / p.subGroupSizes.front());
  p.clockMHz = 1234;
  p.execution = CL_EXEC_KERNEL;
  p.ordersOperations = true;
  p.hostUnifiedMemory = false;
  p.svmCapabilities = 0;
  // Those of devices that have the host's addresses.
  p.extensions = without(device::host::sharedMemoryExtensions, p.extensions);
  p.images.depth = depth;
  if (!depth) p.extensions = without("cl_khr_depth_images ", p.extensions);
  p.errorCorrection = true;
  p.globalMemBytes = std::uint64_t{3} << 30;
  p.maxAllocBytes = std::uint64_t{1} << 30;
  p.cacheType = CL_READ_ONLY_CACHE;
  p.cacheBytes = std::uint64_t{5} << 20;
  p.cacheLineBytes = 128;
  p.localMemType = CL_LOCAL;
  p.localMemBytes = 48u << 10;
  p.maxConstantBytes = 64u << 10;
  p.maxConstantArgs = 9;
  p.maxGlobalVariableBytes = 1u << 20;
  p.preferredGlobalVariableBytes = 128u << 10;
  p.maxParameterBytes = 2048;
  p.baseAddressAlignBits = 2048;
  p.printfBufferBytes = 2u << 20;
  p.globalAtomicAlignBytes = 8;
  p.images.maxReadArgs = 129;
  p.images.maxWriteArgs = 65;
  p.images.maxReadWriteArgs = 66;
  p.images.maxSamplers = 17;
  p.images.maxWidth2D = 20000;
  p.images.maxHeight2D = 18000;
  p.images.maxWidth3D = 3000;
  p.images.maxHeight3D = 2500;
  p.images.maxDepth3D = 2400;
  p.images.maxBufferTexels = std::size_t{1} << 20;
  p.images.maxArraySize = 2100;
  p.images.pitchAlignment = 16;
  p.images.baseAddressAlignment = 8;
  p.pipes.maxArgs = 17;
  p.pipes.maxActiveReservations = 33;
  p.pipes.maxPacketBytes = 2048;
  return p;
}

class DiscreteStream final : public device::Stream {
public:
  DiscreteStream(std::shared_ptr<device::host::Workers> workers, const device::StreamOptions& options)
      : state_{std::move(workers), options.profiled} {}
  void submit(device::Submission& submission, device::Start start,
              std::span<device::Submission* const> after) override {
    Engine::get().submit(&state_, submission, start, after);
  }
  void flush() override { Engine::get().release(&state_); }
  void help(const device::Submission&) override { flush(); }

private:
  Engine::StreamState state_;
};

}  // namespace

DiscreteDevice::DiscreteDevice(const device::Options& options, bool depth)
    : cpu_(device::cpu::createDevice(options)),
      properties_(propertiesFrom(cpu_->properties(), depth)),
      workers_(std::make_shared<device::host::Workers>(properties_.computeUnits)),
      pool_(std::make_shared<DiscretePool>(properties_.globalMemBytes, workers_)),
      variableMemory_(std::make_shared<device::cpu::Allocator>(properties_.globalMemBytes)) {}

DiscreteDevice::DiscreteDevice(const DiscreteDevice& parent, std::uint32_t units)
    : cpu_(parent.cpu_),
      properties_(parent.properties_),
      workers_(std::make_shared<device::host::Workers>(units)),
      pool_(parent.pool_),
      variableMemory_(parent.variableMemory_) {
  properties_.computeUnits = units;
  properties_.partitionMaxSubDevices = units > 1 ? units : 0;
}

std::unique_ptr<device::Executable> DiscreteDevice::load(std::shared_ptr<const compiler::CompiledProgram> compiled) {
  return std::make_unique<device::cpu::CpuExecutable>(
      std::move(compiled), target(), workers_, variableMemory_, properties_.printfBufferBytes,
      device::cpu::CacheSizes{.lastLevel = properties_.cacheBytes}, compiler::generateNative);
}

void DiscreteDevice::chooseLocalSize(const compiler::KernelInfo& info, device::NDRange& range) const {
  device::host::chooseLocalSize(info, properties_, range);
}

std::unique_ptr<device::Stream> DiscreteDevice::createStream(const device::StreamOptions& options) {
  return std::make_unique<DiscreteStream>(workers_, options);
}

std::vector<std::unique_ptr<device::Device>> DiscreteDevice::partition(const device::Partition& how) {
  std::vector<std::unique_ptr<device::Device>> parts;
  for (const std::uint32_t units : how.units)
    parts.push_back(std::unique_ptr<device::Device>(new DiscreteDevice(*this, units)));
  return parts;
}

}  // namespace clarity::discrete

using clarity::discrete::Faults;

#define CLARITY_EXPORT extern "C" __attribute__((visibility("default"), used))

CLARITY_EXPORT void clarityDiscreteFailOperation(unsigned n) { Faults::get().operation = n; }
CLARITY_EXPORT void clarityDiscreteFailAllocation(unsigned n) { Faults::get().allocation = n; }
CLARITY_EXPORT void clarityDiscreteCounts(ClarityDiscreteCounts* counts) {
  *counts = {Faults::get().operations, Faults::get().bytesFromHost, Faults::get().bytesToHost};
}
