// SPDX-License-Identifier: Apache-2.0
// This file is the stub's devices and its control.
#include "control.h"
#include "stub.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace clarity::device::cuda {

Stub& Stub::get() {
  static Stub* const stub = new Stub;
  return *stub;
}

long numberOf(const char* variable, long standard) {
  const char* const text = std::getenv(variable);
  return text ? std::atol(text) : standard;
}

CuResult Stub::enter(std::string_view symbol, bool usesContext) {
  const std::lock_guard lock(mutex);
  ++calls[std::string(symbol)];
  if (const auto found = failing.find(symbol); found != failing.end() && --found->second.remaining == 0) {
    const CuResult code = found->second.code;
    failing.erase(found);
    return code;
  }
  return usesContext ? failure : 0;
}

namespace {

const long devices = numberOf("CLARITY_TEST_CUDA_DEVICES", 1);

}  // namespace

int capability() {
  return static_cast<int>(10 * numberOf("CLARITY_TEST_CUDA_MAJOR", 9) + numberOf("CLARITY_TEST_CUDA_MINOR", 0));
}

CuResult init(unsigned) {
  return static_cast<CuResult>(numberOf("CLARITY_TEST_CUDA_INIT", devices == 0 ? noDevice : 0));
}

CuResult driverGetVersion(int* version) {
  *version = static_cast<int>(numberOf("CLARITY_TEST_CUDA_VERSION", 13000));
  return 0;
}

CuResult getErrorName(CuResult error, const char** text) {
  *text = error == cuOutOfMemory    ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == 702            ? "CUDA_ERROR_LAUNCH_TIMEOUT"
          : error == 715            ? "CUDA_ERROR_ILLEGAL_INSTRUCTION"
          : error == 716            ? "CUDA_ERROR_MISALIGNED_ADDRESS"
          : error == launchFailed   ? "CUDA_ERROR_LAUNCH_FAILED"
          : error == noDevice       ? "CUDA_ERROR_NO_DEVICE"
                                    : "CUDA_ERROR_OF_THE_STUB";
  return 0;
}

CuResult getErrorString(CuResult, const char** text) {
  *text = "a sentence of the stub";
  return 0;
}

CuResult deviceGetCount(int* count) {
  *count = static_cast<int>(devices);
  return 0;
}

CuResult deviceGet(CuDevice* device, int ordinal) {
  *device = ordinal;
  return ordinal < devices ? 0 : cuInvalidValue;
}

CuResult deviceGetName(char* name, int room, CuDevice device) {
  std::snprintf(name, static_cast<std::size_t>(room), "Stub GPU %d", device);
  return 0;
}

CuResult deviceGetAttribute(int* value, int attribute, CuDevice) {
  static const auto& values = *new const std::map<int, int>{
      {MaxThreadsPerBlock, 1024},
      {MaxBlockDimX, 1024},
      {MaxBlockDimY, 1024},
      {MaxBlockDimZ, 64},
      {MaxGridDimX, 0x7fffffff},
      {MaxGridDimY, 65535},
      {MaxGridDimZ, 65535},
      {MaxSharedPerBlock, 49152},
      {MaxSharedPerBlockOptin, capability() >= 70 ? 232448 : 0},
      {TotalConstantMemory, 65536},
      {WarpSize, 32},
      {MaxRegistersPerBlock, 65536},
      {ClockRate, 1980000},
      {MultiprocessorCount, 132},
      {PciBusId, 0x1b},
      {PciDeviceId, 2},
      {L2CacheBytes, 50 << 20},
      {MaxThreadsPerMultiprocessor, 2048},
      {AsyncEngineCount, 3},
      {PciDomainId, 3},
      {ComputeMajor, capability() / 10},
      {ComputeMinor, capability() % 10},
      {ConcurrentManagedAccess, static_cast<int>(numberOf("CLARITY_TEST_CUDA_MANAGED", capability() >= 60))},
  };
  const auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  return 0;
}

CuResult deviceTotalMem(std::size_t* bytes, CuDevice) {
  *bytes = static_cast<std::size_t>(numberOf("CLARITY_TEST_CUDA_MEGABYTES", 4096)) << 20;
  return 0;
}

CuResult deviceGetUuid(unsigned char* uuid, CuDevice device) {
  std::memset(uuid, 0x40 + device, 16);
  return 0;
}

CuResult primaryCtxRetain(CuContext* context, CuDevice device) {
  *context = reinterpret_cast<CuContext>(static_cast<std::uintptr_t>(device) + 1);
  return Stub::get().enter("cuDevicePrimaryCtxRetain");
}

CuResult primaryCtxRelease(CuDevice) { return 0; }
CuResult ctxSetCurrent(CuContext context) { return context ? 0 : invalidContext; }

CuResult ctxEnablePeerAccess(CuContext peer, unsigned) {
  if (const CuResult failure = Stub::get().enter("cuCtxEnablePeerAccess")) return failure;
  return peer ? 0 : invalidContext;
}

}  // namespace clarity::device::cuda

using clarity::device::cuda::Stub;

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void clarityCudaDefineKernel(const char* name, ClarityCudaKernel function) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  stub.kernels[name] = function;
}

EXPORTED void clarityCudaFault(void) { Stub::get().fault(clarity::device::cuda::illegalAddress); }

EXPORTED void* clarityCudaMemory(uint64_t address) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  return stub.isMemory(address, 1) ? clarity::device::cuda::hostOf(address) : nullptr;
}

EXPORTED void clarityCudaFailCall(const char* symbol, unsigned n, int code) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  if (symbol)
    stub.failing[symbol] = {n, code};
  else
    stub.failing.clear();
}

EXPORTED unsigned long long clarityCudaCalls(const char* symbol) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  const auto found = stub.calls.find(symbol);
  return found == stub.calls.end() ? 0 : found->second;
}

EXPORTED unsigned long long clarityCudaTimedRecords(void) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  return stub.timedRecords;
}

EXPORTED void clarityCudaHoldKernels(int held) {
  Stub& stub = Stub::get();
  {
    const std::lock_guard lock(stub.mutex);
    stub.held = held != 0;
  }
  stub.changed.notify_all();
}

EXPORTED void clarityCudaDelay(unsigned microseconds) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  stub.delay = microseconds;
}

EXPORTED void clarityCudaMaxThreads(int threads) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  stub.maxThreads = threads;
}

EXPORTED void clarityCudaDefineOccupancy(ClarityCudaOccupancy function) { Stub::get().occupancy = function; }

EXPORTED void clarityCudaCounts(ClarityCudaCounts* counts) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  *counts = {};
  for (const auto& [address, bytes] : stub.memory) counts->deviceBytes += bytes;
  for (const auto& [address, bytes] : stub.pinned) counts->hostBytes += bytes;
  counts->operations = stub.operations;
  counts->mostRunning = stub.mostRunning;
}

EXPORTED void clarityCudaResetMostRunning(void) {
  Stub& stub = Stub::get();
  const std::lock_guard lock(stub.mutex);
  stub.mostRunning = 0;
}
