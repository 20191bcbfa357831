// SPDX-License-Identifier: Apache-2.0
// This file lists the properties of a device once, to write and to read them.
#include "device/cluster/device_message.h"

#include "support/field_bytes.h"
#include "support/fields.h"

#include <string>
#include <type_traits>
#include <vector>

namespace clarity::device::cluster {
namespace {

/// Calls with every member of Properties.
template <class P, class Visit>
void forEach(P& p, Visit&& visit) {
  const auto all = [&](auto&... each) {
    static_assert(sizeof...(each) == decltype(support::detail::countMembers(std::declval<Properties&>()))::value,
                  "a member of Properties is missing in this list");
    (visit(each), ...);
  };
  all(p.name, p.vendor, p.driverVersion, p.vendorId, p.uuid, p.pciBus, p.nvidia, p.type, p.available, p.computeUnits,
      p.maxWorkGroupSize, p.maxWorkItemSizes, p.preferredWorkGroupMultiple, p.nonUniformWorkGroups, p.clockMHz,
      p.execution, p.ordersOperations, p.queueProperties, p.timerResolutionNs, p.printfBufferBytes, p.endsLaunches,
      p.subGroupSizes, p.maxSubGroups, p.subGroupForwardProgress, p.subGroupMatrices, p.addressBits, p.littleEndian,
      p.hostUnifiedMemory, p.errorCorrection, p.svmCapabilities, p.sharesAllMemory, p.globalMemBytes, p.maxAllocBytes,
      p.cacheType, p.cacheBytes, p.cacheLineBytes, p.localMemType, p.localMemBytes, p.maxConstantBytes,
      p.maxConstantArgs, p.maxGlobalVariableBytes, p.preferredGlobalVariableBytes, p.maxParameterBytes,
      p.baseAddressAlignBits, p.minDataAlignBytes, p.platformAtomicAlignBytes, p.globalAtomicAlignBytes,
      p.localAtomicAlignBytes, p.images, p.pipes, p.onDeviceQueues, p.vectorBits, p.singleFpConfig, p.doubleFpConfig,
      p.halfFpConfig, p.dotProduct8Bit, p.dotProduct4x8BitPacked, p.extensions, p.openclCVersions, p.openclCVersion,
      p.partitionMaxSubDevices, p.partitionByNuma);
}

template <class T>
void put(Writer& to, const T& value) {
  if constexpr (support::detail::IsVector<T>::value) {
    to.put<std::uint64_t>(value.size());
    for (const auto& each : value) put(to, each);
  } else if constexpr (std::is_same_v<T, std::string>) {
    to.text(value);
  } else if constexpr (support::detail::IsOptional<T>::value) {
    to.put(value.has_value());
    if (value) to.put(*value);
  } else {
    to.put(value);
  }
}

template <class T>
void get(Reader& from, T& value) {
  if constexpr (support::detail::IsVector<T>::value) {
    value.clear();
    for (auto left = from.get<std::uint64_t>(); left != 0 && from.ok(); --left) get(from, value.emplace_back());
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = from.text();
  } else if constexpr (support::detail::IsOptional<T>::value) {
    value.reset();
    if (from.get<bool>()) from.get(value.emplace());
  } else if constexpr (std::is_array_v<T>) {
    for (auto& each : value) from.get(each);
  } else {
    from.get(value);
  }
}

}  // namespace

void writeFacts(Writer& to, const DeviceFacts& facts) {
  forEach(facts.properties, [&](const auto& each) { put(to, each); });
  support::ByteWriter target;
  support::write(target, facts.target);
  to.text(target.take());
}

void readFacts(Reader& from, DeviceFacts& facts) {
  forEach(facts.properties, [&](auto& each) { get(from, each); });
  support::ByteReader target(from.text());
  support::read(target, facts.target);
}

}  // namespace clarity::device::cluster
