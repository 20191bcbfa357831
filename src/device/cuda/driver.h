// SPDX-License-Identifier: Apache-2.0
// This file is the CUDA driver API as far as it is used: types and functions, looked up in libcuda.so.1 at run time.
// The declarations are ours; nothing of CUDA's packages is needed to build.
#pragma once

#include "device/result.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace clarity::device::cuda {

using CuResult = int;  ///< CUresult; 0 is success
using CuDevice = int;
using CuPointer = std::uint64_t;
struct CuContextTag;
struct CuStreamTag;
struct CuEventTag;
struct CuModuleTag;
struct CuFunctionTag;
struct CuLinkStateTag;
struct CuGraphTag;
struct CuGraphNodeTag;
struct CuGraphExecTag;
using CuContext = CuContextTag*;
using CuStream = CuStreamTag*;
using CuEvent = CuEventTag*;
using CuModule = CuModuleTag*;
using CuFunction = CuFunctionTag*;
using CuLinkState = CuLinkStateTag*;
using CuGraph = CuGraphTag*;
using CuGraphNode = CuGraphNodeTag*;
using CuGraphExec = CuGraphExecTag*;

// Values of the API's enums.
inline constexpr CuResult cuNotReady = 600, cuOutOfMemory = 2, cuInvalidValue = 1;
inline constexpr unsigned cuStreamNonBlocking = 1, cuEventDefault = 0, cuEventDisableTiming = 2,
                          cuEventBlockingSync = 1;
inline constexpr unsigned cuMemoryHost = 1, cuMemoryDevice = 2;
inline constexpr CuDevice cuHost = -1;
inline constexpr unsigned cuManagedGlobal = 1, cuHostPortable = 1, cuHostMapped = 2;
inline constexpr int cuPointerMemoryType = 2;
inline constexpr int cuJitInputPtx = 1;
inline constexpr int cuJitInfoLogBuffer = 3, cuJitErrorLogBuffer = 5, cuJitErrorLogBytes = 6;
inline constexpr int cuFunctionMaxDynamicShared = 8, cuFunctionMaxThreads = 0, cuFunctionSharedBytes = 1,
                     cuFunctionLocalBytes = 3, cuFunctionRegisters = 4;

/// The driver of CUDA 12.0: the first that takes PTX 8.0, which kernels are made into.
inline constexpr int leastDriverVersion = 12000;

enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxBlockDimY = 3,
  MaxBlockDimZ = 4,
  MaxGridDimX = 5,
  MaxGridDimY = 6,
  MaxGridDimZ = 7,
  MaxSharedPerBlock = 8,
  TotalConstantMemory = 9,
  WarpSize = 10,
  MaxRegistersPerBlock = 12,
  ClockRate = 13,
  MultiprocessorCount = 16,
  KernelExecTimeout = 17,
  Integrated = 18,
  EccEnabled = 32,
  PciBusId = 33,
  PciDeviceId = 34,
  L2CacheBytes = 38,
  MaxThreadsPerMultiprocessor = 39,
  AsyncEngineCount = 40,
  PciDomainId = 50,
  ComputeMajor = 75,
  ComputeMinor = 76,
  ConcurrentManagedAccess = 89,
  MaxSharedPerBlockOptin = 97,
};

/// CUDA_MEMCPY2D.
struct CuMemcpy2D {
  std::size_t srcX = 0, srcY = 0;
  unsigned srcType = 0;
  const void* srcHost = nullptr;
  CuPointer srcDevice = 0;
  void* srcArray = nullptr;
  std::size_t srcPitch = 0;
  std::size_t dstX = 0, dstY = 0;
  unsigned dstType = 0;
  void* dstHost = nullptr;
  CuPointer dstDevice = 0;
  void* dstArray = nullptr;
  std::size_t dstPitch = 0;
  std::size_t widthBytes = 0, height = 0;
};

/// CUDA_KERNEL_NODE_PARAMS_v2.
struct CuKernelNode {
  CuFunction function = nullptr;
  unsigned grid[3] = {}, block[3] = {}, sharedBytes = 0;
  void** parameters = nullptr;
  void** extra = nullptr;
  void* kernel = nullptr;
  CuContext context = nullptr;
};

/// The functions, found once a process. Thread-safe.
struct Driver {
#define CUDA_FUNCTION(name, symbol, parameters) CuResult(*name) parameters = nullptr;
#include "device/cuda/driver.def"

  /// nullptr where there is no libcuda.so.1, it is too old, or it finds no device.
  static const Driver* get();
  /// Why get() returns nullptr: "there is no ...", "the CUDA driver ...". Empty if it does not.
  static const std::string& objection();
  /// The version of CUDA, as the driver that is there says it: "13.0".
  static std::string version();
  /// Success, or CL_OUT_OF_RESOURCES and a sentence in a process that was forked when its parent had opened the driver,
  /// which is for one process only.
  static Result ofThisProcess();
};

/// The driver, for code that runs only where there is one.
inline const Driver& driver() { return *Driver::get(); }

/// Exists while a thread has the driver compile or load code. exit() destroys what the driver's compiler has, also
/// while a thread is in it, which then ends the process with a fault: so exit() waits for that thread.
class MakingCode {
public:
  /// Call when the compiler has been loaded: exit() runs first what was registered last.
  static void compilerIsLoaded();
  /// Once exit() has begun, the constructor never returns. But exit() waits for threads that make code ahead of a
  /// launch, and where it destroys LLVM's objects for all that make code: these give up then, isAllowed() is false.
  explicit MakingCode(bool isAhead);
  ~MakingCode();
  MakingCode(const MakingCode&) = delete;
  /// False: the process ends.
  bool isAllowed() const { return isHeld_; }

private:
  bool isHeld_ = true;
};

/// Success, or an OpenCL error code and a sentence: what was tried and what the driver said.
Result resultOf(CuResult, std::string_view what);

}  // namespace clarity::device::cuda
