// SPDX-License-Identifier: Apache-2.0
// This file makes the platform and finds its devices.
#include "core/platform.h"

#include "compiler/compiler.h"
#include "core/config.h"

#include <algorithm>
#include <string_view>

namespace clarity::core {
namespace {

/// The names that begin with "cl_": the list of a device holds OpenCL C features as well.
std::string extensionsOnly(std::string_view names) {
  std::string result;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    if (!name.starts_with("cl_")) continue;
    if (!result.empty()) result += ' ';
    result += name;
  }
  return result;
}

}  // namespace

Platform& Platform::get() {
  static Platform* const instance = new Platform;
  return *instance;
}

Platform::Platform()
    : version_("OpenCL 3.0 Clarity " CLARITY_VERSION),
      // Loaders ask for this list before they know whether the platform is wanted at all, so it comes from what the
      // compiler supports on this processor and not from the devices, which take longer to find. They are the same.
      extensions_(extensionsOnly(compiler::hostTarget(config().cpu).extensions)) {}

std::span<const Ref<Device>> Platform::devices() {
  std::call_once(discovered_, [this] {
    const Config& options = config();
    if (!options.resolvedCacheFolder.empty())
      compiler::configureCache({options.resolvedCacheFolder, std::uint64_t{options.cacheMegabytes} << 20});
    std::vector<Ref<Device>> found;
    for (auto& backend : device::discover({.threads = options.threads, .cpu = options.cpu}))
      found.emplace_back(*new Device(std::move(backend)));
    devices_ = std::move(found);
  });
  return devices_;
}

}  // namespace clarity::core
