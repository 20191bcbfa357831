// SPDX-License-Identifier: Apache-2.0
// This file declares how --device names a device.
#pragma once

#include "cl_api.h"

#include <span>
#include <string>
#include <vector>

namespace clarity::tools {

/// The names that a user knows a device by.
struct DeviceName {
  std::string name, vendor;
  cl_ulong type = 0;
};

/// The values of --device, for help texts.
inline constexpr const char* deviceHelp =
    "Device to use: its number in `clarity info`, its type (cpu, gpu), or a part of its name or of its vendor's; the "
    "first one by default";

/// All devices of all platforms that the loader reports, in the order in which `clarity info` numbers them. Throws
/// Failure that names the missing driver if there is none.
std::vector<cl::Device> allDevices();
std::vector<DeviceName> namesOf(std::span<const cl::Device> devices);

/// The first device that `which` fits, the first of all if it is empty. Throws Failure with the list of the devices;
/// `ownDriver`: the driver is Clarity's, which knows why there are no GPUs.
size_t chooseDevice(const std::string& which, std::span<const DeviceName> devices, bool ownDriver);
/// The same of allDevices().
cl::Device chosenDevice(const std::string& which, bool ownDriver);

bool hasNvidiaGpu(std::span<const DeviceName> devices);
/// Why Clarity's driver shows no NVIDIA GPUs to this process: a sentence without its full stop.
std::string whyNoNvidiaGpus();

}  // namespace clarity::tools
