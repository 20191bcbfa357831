// SPDX-License-Identifier: Apache-2.0
// This file creates the platform and finds its devices.
#include "core/platform.h"

#include "compiler/compiler.h"
#include "compiler/limits.h"
#include "compiler/opt.h"
#include "core/config.h"
#include "core/messages.h"
#include "device/options.h"
#include "support/disk_cache.h"
#include "support/without_signals.h"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>

namespace clarity::core {
namespace {

/// What is wrong with the environment concerns no call of the application's.
void complainToUser(const std::string& text) {
  support::WithoutSignals guard;
  try {
    fmt::print(stderr, "clarity: {}\n", text);
  } catch (const std::exception&) {
    guard.failed(errno);  // its other end is closed
  }
}

}  // namespace

Platform& Platform::get() {
  static Platform* const instance = new Platform;
  return *instance;
}

Platform::Platform()
    : version_("OpenCL 3.0 Clarity " CLARITY_VERSION),
      // Loaders ask for this list before they know whether the platform is wanted at all, so it must not need the
      // devices, which take longer to find.
      extensions_(extensionsOf(device::commonExtensions())) {}

cl_ulong Platform::hostTime() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<cl_ulong>(time.tv_sec) * 1'000'000'000u + static_cast<cl_ulong>(time.tv_nsec);
}

cl_ulong Platform::hostTimerResolution() {
  timespec resolution{};
  return clock_getres(CLOCK_MONOTONIC, &resolution) == 0
             ? std::max<cl_ulong>(1, static_cast<cl_ulong>(resolution.tv_nsec))
             : 1;
}

void Platform::setDispatchData(void* data) {
  dispatchData.store(data, std::memory_order_release);
  loaderData = data;
  // Loaders call this before anything else; there are devices if it is not the first loader of the process.
  if (!hasDevices_.load(std::memory_order_acquire)) return;
  for (const Ref<Device>& device : devices_) device->handle()->loaderData = data;
}

std::span<const Ref<Device>> Platform::devices() {
  std::call_once(discovered_, [this] {
    const Config& options = config();
    for (const std::string& sentence : misspeltVariables()) showMessage(sentence);
    support::DiskCache::complainTo(complainToUser);
    if (!options.resolvedCacheFolder.empty())
      compiler::configureCache({options.resolvedCacheFolder, std::uint64_t{options.cacheMegabytes} << 20});
    if (options.verifyEach) compiler::verifyPasses();
    compiler::configureLimits({std::uint64_t{options.compileMegabytes} << 20, options.compileSeconds});
    std::vector<Ref<Device>> found;
    // GPUs have no instrumented code.
    const bool isInstrumented = !options.check.empty() || !options.observe.empty();
    device::Options wanted{.threads = options.threads,
                           .kinds = options.devices == "auto" && isInstrumented ? "cpu" : options.devices,
                           .cpu = options.cpu,
                           .type = options.deviceType,
                           .firstLaunch = options.firstLaunch};
    for (const std::string& complaint : device::correct(wanted)) complainToUser(complaint);
    for (auto& backend : device::discover(wanted)) found.emplace_back(*new Device(std::move(backend)));
    devices_ = std::move(found);
    hasDevices_.store(true, std::memory_order_release);
  });
  return devices_;
}

}  // namespace clarity::core
