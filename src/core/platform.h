// SPDX-License-Identifier: Apache-2.0
// This file is the one platform of the driver and its devices.
#pragma once

#include "core/device.h"
#include "core/object.h"
#include "core/ref.h"
#include "device/device.h"

#include <atomic>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace clarity::core {

/// "Clarity" (OpenCL 3.0, section 4.1). There is one for the process. It is created at the first use and never
/// destroyed, because applications use it from their own static destructors.
class Platform final : public ApiObject<Platform, _cl_platform_id> {
public:
  static Platform& get();

  // Hide the base's: the platform does not count references.
  void retain() noexcept {}
  bool release() noexcept { return true; }

  static constexpr const char* profile = "FULL_PROFILE";
  static constexpr const char* name = "Clarity";
  static constexpr const char* vendor = "Clarity";
  static constexpr const char* icdSuffix = "CLARITY";
  static constexpr cl_version numericVersion = CL_MAKE_VERSION(3, 1, 0);
  /// "OpenCL 3.1 Clarity <version of the driver>"
  const std::string& version() const { return version_; }
  /// Extensions that every device has, separated by spaces.
  const std::string& extensions() const { return extensions_; }

  /// Gives the platform, its devices and all objects that are made from now on the loader's word (cl_khr_icd 2).
  void setDispatchData(void* data);

  /// The root devices, found at the first call. By default GPUs are looked for, which takes a quarter of a second where
  /// there are some, only for a type with CL_DEVICE_TYPE_GPU in it: for other types they may be left out.
  std::span<const Ref<Device>> devices(cl_device_type wanted = CL_DEVICE_TYPE_ALL);

private:
  Platform();
  ~Platform() override = default;

  void findFirst();
  void findGpus();

  std::once_flag firstFound_, gpusFound_;
  std::atomic<bool> hasFirst_{false}, hasGpus_{false};
  /// The devices that are found first, and all of them if GPUs are looked for later.
  std::vector<Ref<Device>> first_, all_;
  device::Options options_;
  bool gpusLater_ = false;
  std::string version_, extensions_;
};

/// Lets the program of a cluster use the devices of this process, by the options of its environment, until that program
/// has ended (device::serve).
std::string serveCluster(void (*stuck)());

}  // namespace clarity::core
