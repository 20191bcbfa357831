// SPDX-License-Identifier: Apache-2.0
// This file divides devices into sub-devices.
#include "core/device.h"

#include "core/constant_names.h"
#include "core/error.h"

#include <algorithm>
#include <string>

namespace clarity::core {
namespace {

/// Whether a word is in a list separated by spaces.
bool hasWord(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

std::string extensionsOf(std::string_view names) {
  // Extensions of the runtime, whatever the device: section 4.2 (cl_name_version queries), the ICD loader's, and ours.
  std::string result =
      "cl_khr_icd cl_khr_extended_versioning cl_khr_create_command_queue cl_khr_priority_hints cl_khr_throttle_hints "
      "cl_khr_suggested_local_work_size cl_khr_device_uuid cl_khr_command_buffer "
      "cl_khr_command_buffer_mutable_dispatch cl_khr_command_buffer_multi_device cl_khr_semaphore "
      "cl_khr_external_semaphore cl_khr_external_semaphore_opaque_fd "
      "cl_clarity_last_error";
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    // The list holds OpenCL C features as well, which begin with "__opencl_c_".
    if (name.starts_with("cl_") && !hasWord(result, name)) result.append(" ").append(name);
  }
  return result;
}

Device::Device(std::unique_ptr<device::Device> backend) : backend_(std::move(backend)) {}

Device::Device(std::unique_ptr<device::Device> backend, Device& parent, std::vector<cl_device_partition_property> type)
    : parent_(&parent), backend_(std::move(backend)), partitionType_(std::move(type)) {}

device::Stream& Device::transfers() const {
  std::call_once(transfersMade_, [this] { transfers_ = backend_->createStream({.outOfOrder = true}); });
  return *transfers_;
}

void Device::retain() noexcept {
  if (!isRoot()) ApiObject::retain();
}

bool Device::release() noexcept { return isRoot() || ApiObject::release(); }

bool Device::supports(std::string_view extension) const { return hasWord(properties().extensions, extension); }

std::vector<cl_device_partition_property> Device::partitionProperties() const {
  if (maxSubDevices() <= 1) return {0};
  std::vector<cl_device_partition_property> kinds{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (properties().partitionByNuma) kinds.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return kinds;
}

namespace {

using Property = cl_device_partition_property;

/// CL_DEVICE_PARTITION_EQUALLY, units
void addEqually(const Property*& at, std::uint32_t computeUnits, device::Partition& partition) {
  const Property units = *at++;
  // CL_INVALID_VALUE if values specified in properties are not valid.
  failIf(units <= 0, CL_INVALID_VALUE, "CL_DEVICE_PARTITION_EQUALLY: {} compute units for each sub-device", units);
  // CL_INVALID_DEVICE_PARTITION_COUNT if more compute units are requested than in_device has.
  failIf(units > static_cast<Property>(computeUnits), CL_INVALID_DEVICE_PARTITION_COUNT,
         "CL_DEVICE_PARTITION_EQUALLY: {} compute units for each sub-device of a device that has {}", units,
         computeUnits);
  // CL_DEVICE_PARTITION_FAILED if the device could not be divided in this way: one part that is the whole divides
  // nothing.
  failIf(units == static_cast<Property>(computeUnits), CL_DEVICE_PARTITION_FAILED,
         "CL_DEVICE_PARTITION_EQUALLY: one sub-device would have all {} compute units", computeUnits);
  partition.units.assign(computeUnits / static_cast<std::uint32_t>(units), static_cast<std::uint32_t>(units));
}

/// CL_DEVICE_PARTITION_BY_COUNTS, units, units, ..., CL_DEVICE_PARTITION_BY_COUNTS_LIST_END. `at` stays at the end of
/// the list, which is 0 and may be the end of the properties as well: other drivers read no further, so that
/// applications leave the last 0 out.
void addCounts(const Property*& at, const device::Properties& properties, device::Partition& partition) {
  Property total = 0;
  for (; *at != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++at) {
    // CL_INVALID_DEVICE_PARTITION_COUNT if a count is negative, if there are more sub-devices than
    // CL_DEVICE_PARTITION_MAX_SUB_DEVICES, or if they need more compute units than in_device has.
    failIf(*at < 0 || *at > static_cast<Property>(properties.computeUnits), CL_INVALID_DEVICE_PARTITION_COUNT,
           "CL_DEVICE_PARTITION_BY_COUNTS: a sub-device of {} compute units of a device that has {}", *at,
           properties.computeUnits);
    total += *at;
    failIf(total > static_cast<Property>(properties.computeUnits), CL_INVALID_DEVICE_PARTITION_COUNT,
           "CL_DEVICE_PARTITION_BY_COUNTS: the first {} sub-devices need {} compute units, the device has {}",
           partition.units.size() + 1, total, properties.computeUnits);
    partition.units.push_back(static_cast<std::uint32_t>(*at));
    failIf(partition.units.size() > properties.partitionMaxSubDevices, CL_INVALID_DEVICE_PARTITION_COUNT,
           "CL_DEVICE_PARTITION_BY_COUNTS: more than the {} sub-devices that the device can be divided into",
           properties.partitionMaxSubDevices);
  }
  failIf(partition.units.empty(), CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_COUNTS: the list of counts is empty");
}

/// CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain
void addAffinity(const Property*& at, device::Partition& partition) {
  const Property domain = *at++;
  // CL_INVALID_VALUE if values are valid but not supported by in_device.
  failIf(domain != CL_DEVICE_AFFINITY_DOMAIN_NUMA && domain != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
         CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN: domain {:#x} is not one the device is divided by",
         domain);
  partition.byNuma = true;
}

}  // namespace

device::Partition Device::checkedPartition(const Property* how, std::vector<Property>& type) const {
  // CL_INVALID_VALUE if values specified in properties are not valid, or valid but not supported by in_device.
  failIf(!how || *how == 0, CL_INVALID_VALUE, "the list of partition properties is empty");
  device::Partition partition;
  const Property* at = how + 1;
  const bool knownName = *how == CL_DEVICE_PARTITION_EQUALLY || *how == CL_DEVICE_PARTITION_BY_COUNTS ||
                         (*how == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN && properties().partitionByNuma);
  const bool isDivisible = maxSubDevices() > 0 || properties().computeUnits == 1 || !isRoot();
  failIf(!knownName || !isDivisible, CL_INVALID_VALUE, "partition property {} is not one of the device's",
         ConstantName{static_cast<std::uint64_t>(*how)});

  if (*how == CL_DEVICE_PARTITION_EQUALLY) addEqually(at, properties().computeUnits, partition);
  if (*how == CL_DEVICE_PARTITION_BY_COUNTS) addCounts(at, properties(), partition);
  if (*how == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) addAffinity(at, partition);
  failIf(*at != 0, CL_INVALID_VALUE, "{} follows the partition property {}: only one is possible",
         ConstantName{static_cast<std::uint64_t>(*at)}, ConstantName{static_cast<std::uint64_t>(*how)});

  // CL_DEVICE_PARTITION_FAILED if the partition name is supported but in_device cannot be divided further.
  failIf(maxSubDevices() <= 1, CL_DEVICE_PARTITION_FAILED, "the device has {} compute unit and cannot be divided",
         properties().computeUnits);

  type.assign(how, at + 1);
  if (*how == CL_DEVICE_PARTITION_BY_COUNTS) type.push_back(0);
  if (partition.byNuma) type[1] = CL_DEVICE_AFFINITY_DOMAIN_NUMA;
  return partition;
}

std::vector<Device*> Device::partition(const Property* how) {
  std::vector<Property> type;
  const device::Partition wanted = checkedPartition(how, type);
  std::vector<std::unique_ptr<device::Device>> parts = backend_->partition(wanted);
  failIf(parts.empty(), CL_DEVICE_PARTITION_FAILED, "the device could not be divided");

  std::vector<Device*> devices;
  devices.reserve(parts.size());
  try {
    for (auto& part : parts) devices.push_back(new Device(std::move(part), *this, type));
  } catch (...) {
    for (Device* device : devices) device->release();
    throw;
  }
  return devices;
}

}  // namespace clarity::core
