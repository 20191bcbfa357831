// SPDX-License-Identifier: Apache-2.0
// This file says which devices there are. Alone in its file, so that a test can link others in its place.
#include "compiler/host/target.h"
#include "device/cluster/join_cluster.h"
#include "device/cpu/device.h"
#include "device/cuda/device.h"
#include "device/device.h"
#include "device/joined/device.h"
#include "device/options.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace clarity::device {
namespace {

/// The parts of a CPU are joined again; of GPUs and of devices of other nodes, those that execute the same code.
std::vector<std::unique_ptr<Device>> join(const std::vector<std::string_view>& kinds, const Options& options) {
  std::vector<std::unique_ptr<Device>> found;
  if (kinds[0] == "cpu") {
    found.push_back(kinds.size() > 1 ? joined::joinPartsOf(cpu::createDevice(options), kinds.size(), options.joined)
                                     : cpu::createDevice(options));
    return found;
  }
  std::vector<std::unique_ptr<Device>> parts;
  for (auto& each : kinds[0] == "cluster" ? cluster::discover() : cuda::discover(options))
    (parts.empty() || each->target() == parts[0]->target() ? parts : found).push_back(std::move(each));
  if (parts.size() == 1)
    found.insert(found.begin(), std::move(parts[0]));
  else if (!parts.empty())
    found.insert(found.begin(), std::make_unique<joined::JoinedDevice>(std::move(parts), nullptr, options.joined));
  return found;
}

}  // namespace

std::string_view commonExtensions() {
  static const std::string all = std::string(compiler::hostExtensions()) + std::string(cpu::systemExtensions());
  return all;
}

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  std::vector<std::unique_ptr<Device>> devices;
  for (const std::string_view kind : kindsIn(options.kinds)) {
    if (const auto parts = joinedKinds(kind))
      std::ranges::move(join(kindsIn(*parts), options), std::back_inserter(devices));
    if (kind == "cpu") devices.push_back(cpu::createDevice(options));
    if (kind == "nvidia") std::ranges::move(cuda::discover(options), std::back_inserter(devices));
    if (kind == "cluster") std::ranges::move(cluster::discover(), std::back_inserter(devices));
  }
  if (devices.empty()) devices.push_back(cpu::createDevice(options));
  return devices;
}

}  // namespace clarity::device
