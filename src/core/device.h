// SPDX-License-Identifier: Apache-2.0
// This file is the OpenCL device object: a root device of the platform or a sub-device.
#pragma once

#include "core/object.h"
#include "core/ref.h"
#include "device/device.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::built_in {
struct Kernel;
}

namespace clarity::core {

/// The extensions, separated by spaces, of a device whose compiler has these extensions and features.
std::string extensionsOf(std::string_view compilerNames);

/// OpenCL 3.0, sections 4.2 and 4.3. Root devices live as long as the process and do not count references; a
/// sub-device counts them and keeps its parent.
class Device final : public ApiObject<Device, _cl_device_id> {
public:
  /// A root device.
  explicit Device(std::unique_ptr<device::Device> backend);

  /// The sub-devices of a partition (clCreateSubDevices); `how` is a list of partition properties that ends
  /// with 0. CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT. The caller owns the
  /// application's one reference to each of them and gives it away or releases it.
  std::vector<Device*> partition(const cl_device_partition_property* how);

  device::Device& backend() const { return *backend_; }
  /// A stream for copies that belong to no command-queue: content that moves between devices and the host.
  device::Stream& transfers() const;
  const device::Properties& properties() const { return backend_->properties(); }
  const compiler::Target& target() const { return backend_->target(); }
  /// CL_DEVICE_EXTENSIONS: what the compiler supports for it and what this runtime supports for all devices.
  std::string extensions() const { return extensionsOf(properties().extensions); }
  /// True if the name is one of properties().extensions: an extension or an OpenCL C feature.
  bool supports(std::string_view extension) const;

  /// Whether it has this built-in kernel.
  bool hasBuiltIn(const built_in::Kernel& kernel) const;

  Device* parent() const { return parent_.get(); }  ///< null for a root device
  bool isRoot() const { return !parent_; }
  /// This device or, for a sub-device of any depth, the root device it is a part of.
  const Device& root() const { return parent_ ? parent_->root() : *this; }
  /// CL_DEVICE_PARTITION_TYPE: what clCreateSubDevices was given; empty for a root device.
  const std::vector<cl_device_partition_property>& partitionType() const { return partitionType_; }
  /// CL_DEVICE_PARTITION_PROPERTIES: the ways this device can be divided; one 0 if there is none.
  std::vector<cl_device_partition_property> partitionProperties() const;
  std::uint32_t maxSubDevices() const { return properties().partitionMaxSubDevices; }

  // Hide the base's: only sub-devices count.
  void retain() noexcept;
  bool release() noexcept;

private:
  Device(std::unique_ptr<device::Device> backend, Device& parent, std::vector<cl_device_partition_property> type);
  /// Checks a list of partition properties and says the same as the device interface; `type` becomes what
  /// CL_DEVICE_PARTITION_TYPE will report.
  device::Partition checkedPartition(const cl_device_partition_property* how,
                                     std::vector<cl_device_partition_property>& type) const;

  // The backend of a sub-device may use its parent's: the parent is declared first and so goes last.
  RefPtr<Device> parent_;
  std::unique_ptr<device::Device> backend_;
  std::vector<cl_device_partition_property> partitionType_;
  mutable std::once_flag transfersMade_;
  mutable std::unique_ptr<device::Stream> transfers_;
};

}  // namespace clarity::core
