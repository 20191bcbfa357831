// SPDX-License-Identifier: Apache-2.0
// This file says which devices there are. Alone in its file, so that a test can link others in its place.
#include "device/cpu/device.h"

namespace clarity::device {

std::string_view commonExtensions() { return compiler::hostExtensions(); }

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(cpu::createDevice(options));
  return devices;
}

}  // namespace clarity::device
