// SPDX-License-Identifier: Apache-2.0
// This file says which devices there are. Alone in its file, so that a test can link others in its place.
#include "compiler/host/target.h"
#include "device/cluster/join_cluster.h"
#include "device/cpu/device.h"
#include "device/cuda/device.h"
#include "device/device.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>

namespace clarity::device {

std::string_view commonExtensions() {
  static const std::string all = std::string(compiler::hostExtensions()) + std::string(cpu::systemExtensions());
  return all;
}

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  std::vector<std::unique_ptr<Device>> devices;
  for (const auto part : options.kinds | std::views::split(',')) {
    const std::string_view kind(part.begin(), part.end());
    if (kind == "cpu") devices.push_back(cpu::createDevice(options));
    if (kind == "nvidia") std::ranges::move(cuda::discover(options), std::back_inserter(devices));
    if (kind == "cluster") std::ranges::move(cluster::discover(), std::back_inserter(devices));
  }
  if (devices.empty()) devices.push_back(cpu::createDevice(options));
  return devices;
}

}  // namespace clarity::device
