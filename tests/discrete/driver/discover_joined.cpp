// SPDX-License-Identifier: Apache-2.0
// This file takes the place of device/discover/discover.cpp in the driver that has one device, joined of discrete test
// devices: as many as CLARITY_JOINED has numbers, or three.
#include "../discrete_device/device.h"

#include "compiler/host/target.h"
#include "device/host/extensions.h"
#include "device/joined/device.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace clarity::device {

std::string_view commonExtensions() {
  static const std::string all = std::string(compiler::hostExtensions()) + std::string(host::runtimeExtensions);
  return all;
}

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  const auto separators = static_cast<std::size_t>(std::ranges::count(options.joined, ':'));
  std::vector<std::unique_ptr<Device>> parts, devices;
  for (std::size_t i = 0; i < (separators ? separators + 1 : 3); ++i)
    parts.push_back(std::make_unique<discrete::DiscreteDevice>(options));
  devices.push_back(std::make_unique<joined::JoinedDevice>(std::move(parts), nullptr, options.joined));
  return devices;
}

}  // namespace clarity::device
