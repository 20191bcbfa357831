// SPDX-License-Identifier: Apache-2.0
// This file opens the CUDA driver.
#include "device/cuda/driver.h"

#include "support/process_end.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <shared_mutex>

namespace clarity::device::cuda {
namespace {

/// The result of opening the driver.
struct Opened {
  Driver driver;
  std::string objection;  ///< empty if it can be used
};

/// The first function that the library lacks, by its symbol; null if it has all.
const char* find(void* library, Driver& driver) {
  const char* missing = nullptr;
#define CUDA_FUNCTION(name, symbol, parameters)                                    \
  driver.name = reinterpret_cast<decltype(driver.name)>(::dlsym(library, symbol)); \
  if (!driver.name && !missing) missing = symbol;
#include "device/cuda/driver.def"
  return missing;
}

std::string nameOfVersion(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string textOf(const Driver& driver, CuResult code) {
  const char *name = nullptr, *text = nullptr;
  (void)driver.getErrorName(code, &name);
  (void)driver.getErrorString(code, &text);
  return fmt::format("{} ({}): {}", name ? name : "an unknown error", code, text ? text : "no text");
}

std::string open(Driver& driver) {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return "there is no driver for NVIDIA GPUs: libcuda.so.1 cannot be opened";
  const char* const missing = find(library, driver);
  int version = 0, devices = 0;
  std::string objection;
  if (driver.driverGetVersion && driver.driverGetVersion(&version) == 0 && version < leastDriverVersion)
    objection = fmt::format("the driver for NVIDIA GPUs is too old: it is that of CUDA {}, at least {} is needed",
                            nameOfVersion(version), nameOfVersion(leastDriverVersion));
  else if (missing)
    objection =
        fmt::format("the driver for NVIDIA GPUs, that of CUDA {}, has no function {}", nameOfVersion(version), missing);
  else if (const CuResult code = driver.init(0))
    objection = fmt::format("the driver for NVIDIA GPUs does not start: it reports {}", textOf(driver, code));
  else if (driver.deviceGetCount(&devices) != 0 || devices == 0)
    objection = "the driver for NVIDIA GPUs finds none";
  if (!objection.empty()) ::dlclose(library);
  return objection;
}

/// Held while the CUDA driver compiles and loads code; for good from exit() on.
std::shared_timed_mutex& makingCode() {
  static auto& mutex = *new std::shared_timed_mutex;
  return mutex;
}

/// This process was forked from one that had opened the driver.
std::atomic<bool> isForked{false};

const Opened& opened() {
  static const Opened* const result = [] {
    auto* const made = new Opened;
    made->objection = open(made->driver);
    if (made->objection.empty()) (void)::pthread_atfork(nullptr, nullptr, [] { isForked = true; });
    return made;
  }();
  return *result;
}

}  // namespace

void MakingCode::compilerIsLoaded() {
  [[maybe_unused]] static const bool isRegistered = [] {
    support::atProcessEnd([] {
      // A forked process does not have the thread.
      if (!isForked) (void)makingCode().try_lock_for(std::chrono::seconds(30));
    });
    return true;
  }();
}

MakingCode::MakingCode(bool isAhead) {
  if (!isAhead && support::staticObjectsArePermanent)
    makingCode().lock_shared();
  else
    isHeld_ = makingCode().try_lock_shared();
}
MakingCode::~MakingCode() {
  if (isHeld_) makingCode().unlock_shared();
}

const Driver* Driver::get() { return opened().objection.empty() ? &opened().driver : nullptr; }
const std::string& Driver::objection() { return opened().objection; }

Result Driver::ofThisProcess() {
  if (!isForked.load(std::memory_order_relaxed)) [[likely]]
    return {};
  return {CL_OUT_OF_RESOURCES,
          "this process was forked from one that had looked for NVIDIA GPUs; their driver serves that process only"};
}

std::string Driver::version() {
  int version = 0;
  (void)driver().driverGetVersion(&version);
  return nameOfVersion(version);
}

namespace {

/// Whether a kernel has done what it may not do: CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_ASSERT, and
/// CUDA_ERROR_HARDWARE_STACK_ERROR to CUDA_ERROR_LAUNCH_FAILED.
bool isFault(CuResult code) {
  constexpr CuResult illegalAddress = 700, assertion = 710, hardwareStackError = 714, launchFailed = 719;
  return code == illegalAddress || code == assertion || (code >= hardwareStackError && code <= launchFailed);
}

}  // namespace

Result resultOf(CuResult code, std::string_view what) {
  if (code == 0) return {};
  return {code == cuOutOfMemory ? CL_MEM_OBJECT_ALLOCATION_FAILURE
          : isFault(code)       ? faultCode
                                : CL_OUT_OF_RESOURCES,
          fmt::format("{}: the CUDA driver reports {}", what, textOf(driver(), code))};
}

}  // namespace clarity::device::cuda
