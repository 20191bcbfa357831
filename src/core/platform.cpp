// SPDX-License-Identifier: Apache-2.0
// This file creates the platform and finds its devices.
#include "core/platform.h"
#include "compiler/pipeline/trace_request.h"

#include "compiler/driver/compiler.h"
#include "compiler/guard/limits.h"
#include "core/config.h"
#include "core/messages.h"
#include "device/options.h"
#include "support/disk_cache.h"
#include "support/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace clarity::core {
namespace {

/// Mistakes in the environment concern no call of the application's.
void complainToUser(const std::string& text) { support::writeToStandardError("clarity: " + text + "\n"); }

bool isInstrumented(const Config& options) {
  return !options.check.empty() || !options.observe.empty() || options.debug;
}

/// The kinds of devices of CLARITY_DEVICES without those whose kernels have no instrumented code, which checks and
/// observers rest on.
std::string instrumentedKinds(const Config& options) {
  if (options.devices == "auto") return "cpu";
  const auto names = [&](const char* kind) { return options.devices.contains(kind); };
  if (!isInstrumented(options) || (!names("nvidia") && !names("cluster"))) return options.devices;
  const std::string why = !options.check.empty()     ? fmt::format("CHECK='{}'", options.check)
                          : !options.observe.empty() ? fmt::format("OBSERVE='{}'", options.observe)
                                                     : "DEBUG=1";
  complainToUser(fmt::format("CLARITY_DEVICES='{}': with CLARITY_{} kernels run on the CPU device, GPUs are left out",
                             options.devices, why));
  return "cpu";
}

/// The parts of the driver that do not depend on the devices, and come before them.
void configureCompiler(const Config& options) {
  support::DiskCache::complainTo(complainToUser);
  if (options.debugInfo || options.debug) compiler::makeCodeKnown();
  if (!options.resolvedCacheFolder.empty())
    compiler::configureCache({options.resolvedCacheFolder, std::uint64_t{options.cacheMegabytes} << 20});
  if (options.verifyEach) compiler::verifyPasses();
  compiler::configureLimits(
      {std::uint64_t{options.compileMegabytes} << 20, std::chrono::seconds(options.compileSeconds)});
}

/// The options of devices of these kinds, of which `auto` is the CPU and the GPUs that can be used.
device::Options deviceOptions(const Config& options, std::string kinds) {
  device::Options made{.threads = options.threads,
                       .kinds = std::move(kinds),
                       .cpu = options.cpu,
                       .type = options.deviceType,
                       .firstLaunch = options.firstLaunch,
                       .mpi = options.mpi,
                       .joined = options.joined};
  constexpr std::string_view automatic = "auto";
  if (made.kinds != automatic && !made.kinds.starts_with("auto,")) return made;
  device::Options gpus = made;
  gpus.kinds = "nvidia";
  made.kinds.replace(0, automatic.size(), device::correct(gpus).empty() ? "cpu,nvidia" : "cpu");
  return made;
}

/// A root device. It is never destroyed.
Device& madeOf(std::unique_ptr<device::Device> backend) {
  auto* const device = new Device(std::move(backend));
  device->handOut();
  return *device;
}

}  // namespace

Platform& Platform::get() {
  static Platform* const instance = [] {
    auto* const made = new Platform;
    made->handOut();
    return made;
  }();
  return *instance;
}

Platform::Platform()
    : version_("OpenCL 3.1 Clarity " CLARITY_VERSION),
      // Loaders ask for this list before they know whether the platform is wanted at all, so it must not need the
      // devices, which take longer to find.
      extensions_(extensionsOf(device::commonExtensions())) {}

void Platform::setDispatchData(void* data) {
  dispatchData.store(data, std::memory_order_release);
  loaderData = data;
  // Loaders call this before anything else; there are devices if it is not the first loader of the process.
  const auto tell = [&](const std::atomic<bool>& has, const std::vector<Ref<Device>>& devices) {
    if (!has.load(std::memory_order_acquire)) return;
    for (const Ref<Device>& device : devices) device->handle()->loaderData = data;
  };
  tell(hasFirst_, first_);
  tell(hasGpus_, all_);
}

std::span<const Ref<Device>> Platform::devices(cl_device_type wanted) {
  // A library that is asked on the way may ask for devices itself: MPI asks hwloc, whose plug-in asks OpenCL.
  thread_local bool isLooking = false;
  if (isLooking) return {};
  std::call_once(firstFound_, [this] {
    struct Looking {
      Looking() { isLooking = true; }
      ~Looking() { isLooking = false; }
    } looking;
    findFirst();
  });
  if (!gpusLater_ || !(wanted & CL_DEVICE_TYPE_GPU)) return first_;
  std::call_once(gpusFound_, [this] { findGpus(); });
  return all_;
}

void Platform::findFirst() {
  const Config& options = config();
  for (const std::string& sentence : unknownVariables())
    options.messages == "auto" ? complainToUser(sentence) : showMessage(sentence);
  configureCompiler(options);
  const bool isAuto = options.devices == "auto";
  options_ = deviceOptions(options, instrumentedKinds(options));
  // GPUs have no instrumented code.
  gpusLater_ = isAuto && !isInstrumented(options);
  for (const std::string& complaint : device::correct(options_)) complainToUser(complaint);
  std::vector<Ref<Device>> found;
  for (auto& backend : device::discover(options_)) found.emplace_back(madeOf(std::move(backend)));
  first_ = std::move(found);
  hasFirst_.store(true, std::memory_order_release);
}

void Platform::findGpus() {
  std::vector<Ref<Device>> found = first_;
  device::Options gpus = options_;
  gpus.kinds = "nvidia";
  // No user has asked for them: nothing is said where there are none.
  if (device::correct(gpus).empty())
    for (auto& backend : device::discover(gpus)) found.emplace_back(madeOf(std::move(backend)));
  all_ = std::move(found);
  hasGpus_.store(true, std::memory_order_release);
}

std::string serveCluster(void (*stuck)()) {
  const Config& options = config();
  configureCompiler(options);
  device::Options given = deviceOptions(options, options.devices);
  for (const std::string& complaint : device::correct(given)) complainToUser(complaint);
  return device::serve(given, stuck);
}

}  // namespace clarity::core
