// SPDX-License-Identifier: Apache-2.0
// This file is the CUDA driver's stub: a library with the functions that Clarity uses of libcuda.so.1, whose devices
// have host memory, and run copies, fills and kernels on a thread for each stream: kernels by their PTX (ptx/), or by a
// function of the test. Misuse of the real one is an error here too: an address outside of memory, a use after free.
#pragma once

#include "control.h"
#include "device/cuda/driver.h"
#include "ptx/program.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

// The functions, declared with the driver's own types: a definition that differs does not compile.
extern "C" {
namespace clarity::device::cuda {
#define CUDA_FUNCTION(name, symbol, parameters) \
  __attribute__((visibility("default"))) CuResult name parameters asm(symbol);
#include "device/cuda/driver.def"
}  // namespace clarity::device::cuda
}

namespace clarity::device::cuda {

inline constexpr CuResult invalidHandle = 400, noDevice = 100, illegalAddress = 700, notFound = 500, launchFailed = 719,
                          invalidContext = 201;

/// Ten times the compute capability of the GPUs: CLARITY_TEST_CUDA_MAJOR and CLARITY_TEST_CUDA_MINOR, by default 9.0.
int capability();
/// Why the driver's compiler does not take a text for these GPUs; 0 if it does.
CuResult refusalOf(std::string_view ptx);

namespace ptx = clarity::ptx;

struct CuModuleTag {
  std::string name;  ///< that the driver gave to its text
  std::shared_ptr<const ptx::Program> program;
  std::shared_ptr<bool> loaded = std::make_shared<bool>(true);
  std::vector<CuFunctionTag*> functions;
};

struct CuFunctionTag {
  std::string name;
  std::vector<std::size_t> parameterBytes;
  int maxThreads;
  std::shared_ptr<const ptx::Program> program;  ///< null: its module is not there any more
  const ptx::Entry* entry;
  bool signalsEnd;                     ///< its text writes to memory of the host behind all else
  std::shared_ptr<const bool> loaded;  ///< false: its module is not there any more
};

/// One record of an event.
struct Recorded {
  bool done = false;
  std::chrono::steady_clock::time_point at;
};

struct CuEventTag {
  bool timed;
  std::shared_ptr<Recorded> last;  ///< null before the first record
};

/// Runs operations in their order on a thread of its own.
struct CuStreamTag {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool running = false, ending = false, started = false;
  std::thread thread;
};

/// The whole state, one for the process; never destroyed, because streams' threads may still run at its end.
struct Stub {
  static Stub& get();

  std::mutex mutex;
  std::condition_variable changed;               ///< an event was done, kernels are not held any more
  CuResult failure = 0;                          ///< the context's failure, once a kernel has faulted
  std::map<CuPointer, std::size_t> memory;       ///< memory of the devices, by address
  std::map<CuPointer, std::size_t> variables;    ///< variables of modules, likewise
  std::atomic<std::uint64_t> memoryVersion = 0;  ///< changes with what is in these maps and in `pinned`
  // Blocks that are never given back live as long as the process: a check for leaks finds them here.
  std::map<CuPointer, void*> blocks;
  std::vector<std::unique_ptr<CuFunctionTag>> functions;
  std::map<const std::byte*, std::size_t> pinned;  ///< memory of the host
  std::map<std::string, void (*)(const struct ClarityCudaLaunch*), std::less<>> kernels;
  struct Failing {
    unsigned remaining;
    CuResult code;
  };
  std::map<std::string, Failing, std::less<>> failing;
  std::map<std::string, unsigned long long, std::less<>> calls;
  unsigned long long timedRecords = 0, operations = 0, running = 0, mostRunning = 0;
  bool held = false;
  std::atomic<ClarityCudaOccupancy> occupancy{nullptr};
  unsigned delay = 0;
  int maxThreads = 1024;
  CuStreamTag standard;  ///< the stream that is named by a null pointer

  /// Counts a call; an error that it is to return, or 0. `usesContext`: as every call after a fault does.
  CuResult enter(std::string_view symbol, bool usesContext = true);
  /// True if all of it is memory of a device; call with the mutex locked.
  bool isMemory(CuPointer, std::size_t bytes) const;
  bool isPinned(const void*, std::size_t bytes);
  /// Adds an operation to a stream; it may call fault().
  void add(CuStream, std::function<void()>);
  void wait(CuStream);
  void fault(CuResult);
};

/// The launch of cuLaunchKernel and of graphs.
CuResult launch(const CuKernelNode&, CuStream);

/// Addresses of the devices are not the host's, but for memory that both access.
inline constexpr CuPointer bias = CuPointer{1} << 47;
inline std::byte* hostOf(CuPointer address) {
  return reinterpret_cast<std::byte*>(address < bias ? address : address - bias);
}

/// A number of the environment, which says what there is before anything can be called.
long numberOf(const char* variable, long standard);

}  // namespace clarity::device::cuda
