// SPDX-License-Identifier: Apache-2.0
// This file takes the place of device/discover/discover.cpp in the driver that has the discrete test device alone.
#include "../discrete_device/device.h"

#include "compiler/host/target.h"
#include "device/cpu/device.h"
#include "device/host/extensions.h"

#include <string>
#include <string_view>

namespace clarity::device {

std::string_view commonExtensions() {
  static const std::string all = std::string(compiler::hostExtensions()) + std::string(host::runtimeExtensions);
  return all;
}

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<discrete::DiscreteDevice>(options));
  return devices;
}

}  // namespace clarity::device
