// SPDX-License-Identifier: Apache-2.0
// This file makes a joined device and says what it is like.
#include "device/joined/device.h"

#include "device/host/extensions.h"
#include "device/host/local_size.h"
#include "device/joined/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace clarity::device::joined {
namespace {

/// Extensions without these, which follow each other.
std::string without(std::string_view some, std::string extensions) {
  const std::size_t at = extensions.find(some);
  return at == std::string::npos ? extensions : extensions.erase(at, some.size());
}

/// "2 x NVIDIA H200", or the names with plus signs between.
std::string nameOf(const std::vector<std::unique_ptr<Device>>& parts) {
  std::string name = parts[0]->properties().name;
  const bool areSame = std::ranges::all_of(parts, [&](const auto& each) { return each->properties().name == name; });
  if (areSame) return fmt::format("{} x {}", parts.size(), name);
  for (std::size_t i = 1; i < parts.size(); ++i) name += " + " + parts[i]->properties().name;
  return name;
}

/// No more than each part can, of what a launch or an allocation needs of the part that gets it.
void limitTo(Properties& p, const Properties& part) {
  const auto least = [](auto& mine, const auto& its) { mine = std::min(mine, its); };
  least(p.maxWorkGroupSize, part.maxWorkGroupSize);
  for (std::size_t d = 0; d < 3; ++d) least(p.maxWorkItemSizes[d], part.maxWorkItemSizes[d]);
  least(p.globalMemBytes, part.globalMemBytes);
  least(p.maxAllocBytes, part.maxAllocBytes);
  least(p.localMemBytes, part.localMemBytes);
  least(p.maxConstantBytes, part.maxConstantBytes);
  least(p.maxConstantArgs, part.maxConstantArgs);
  least(p.maxParameterBytes, part.maxParameterBytes);
  p.baseAddressAlignBits = std::max(p.baseAddressAlignBits, part.baseAddressAlignBits);
  p.minDataAlignBytes = std::max(p.minDataAlignBytes, part.minDataAlignBytes);
  p.endsLaunches &= part.endsLaunches;
  p.available &= part.available;
}

Properties propertiesOf(const std::vector<std::unique_ptr<Device>>& parts, bool shareMemory) {
  Properties p = parts[0]->properties();
  p.name = nameOf(parts);
  p.computeUnits = 0;
  for (const auto& each : parts) {
    limitTo(p, each->properties());
    p.computeUnits += each->properties().computeUnits;
  }
  p.uuid[0] ^= static_cast<cl_uchar>(parts.size());  // not that of a part
  p.pciBus.reset();
  p.ordersOperations =
      !shareMemory && std::ranges::all_of(parts, [](const auto& each) { return each->properties().ordersOperations; });
  p.partitionMaxSubDevices = 0;
  p.partitionByNuma = false;
  if (shareMemory) return p;
  p.execution = CL_EXEC_KERNEL;
  p.hostUnifiedMemory = false;
  p.svmCapabilities = 0;
  p.extensions = without(host::sharedMemoryExtensions, p.extensions);
  return p;
}

}  // namespace

JoinedDevice::JoinedDevice(std::vector<std::unique_ptr<Device>> parts, std::shared_ptr<Device> divided,
                           std::string_view shares) {
  parts_.shareMemory = parts[0]->memory().hostAccessible() && std::ranges::all_of(parts, [&](const auto& each) {
                         return &each->memory() == &parts[0]->memory();
                       });
  (void)ShareRule::parse(shares, parts.size(), parts_.rule);
  properties_ = propertiesOf(parts, parts_.shareMemory);
  if (!parts_.shareMemory) {
    std::vector<MemoryPool*> pools;
    for (const auto& each : parts) pools.push_back(&each->memory());
    parts_.pool = std::make_unique<JoinedPool>(std::move(pools));
  }
  parts_.divided = std::move(divided);
  parts_.devices = std::move(parts);
}

Result JoinedDevice::start() {
  for (const auto& each : parts_.devices)
    if (Result result = each->start(); !result) return result;
  return {};
}

MemoryPool& JoinedDevice::memory() const { return parts_.pool ? *parts_.pool : parts_.devices[0]->memory(); }

std::unique_ptr<Executable> JoinedDevice::load(std::shared_ptr<const compiler::CompiledProgram> compiled) {
  return std::make_unique<JoinedExecutable>(std::move(compiled), parts_);
}

void JoinedDevice::chooseLocalSize(const compiler::KernelInfo& info, NDRange& range) const {
  host::chooseLocalSize(info, properties_, range);
}

std::unique_ptr<Stream> JoinedDevice::createStream(const StreamOptions& options) {
  return std::make_unique<JoinedStream>(parts_, options);
}

void JoinedDevice::flush() {
  for (const auto& each : parts_.devices) each->flush();
}

void JoinedDevice::endLaunches(const std::atomic<bool>& ended) {
  for (const auto& each : parts_.devices) each->endLaunches(ended);
}

std::unique_ptr<Device> joinPartsOf(std::unique_ptr<Device> whole, std::size_t count, std::string_view shares) {
  const std::shared_ptr<Device> divided = std::move(whole);
  const std::size_t units = divided->properties().computeUnits;
  Partition how;
  for (std::size_t i = 0; i < count; ++i)
    how.units.push_back(
        static_cast<std::uint32_t>(std::max<std::size_t>(units * (i + 1) / count - units * i / count, 1)));
  return std::make_unique<JoinedDevice>(divided->partition(how), divided, shares);
}

}  // namespace clarity::device::joined
