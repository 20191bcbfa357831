// SPDX-License-Identifier: Apache-2.0
// This file keeps each worker's memory, and tells generated code which of it an address lies in.
#include "device/cpu/worker_memory.h"

#include "device/cpu/device_range.h"
#include "device/cpu/kernel_stack.h"
#include "device/cpu/sub_groups.h"
#include "device/cpu/turns.h"
#include "support/address_space_hook.h"

#include <algorithm>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// The alignment of the largest type of OpenCL C.
constexpr std::size_t blockAlignment = 128;

/// One growing piece of memory of a thread.
class Scratch {
public:
  constexpr Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void release() { DeviceRange::get().release(std::exchange(piece_, {})); }

  /// The last bytes of the piece, so that what is behind them faults; nullptr when there is no memory.
  std::byte* last(std::uint64_t bytes) {
    bytes = roundUp(bytes, blockAlignment);
    if ((bytes > piece_.bytes || !piece_) && !grow(bytes)) return nullptr;
    return piece_.end() - bytes;
  }

  bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(piece_.begin) < piece_.bytes;
  }

private:
  bool grow(std::uint64_t bytes);

  Piece piece_;
};

/// The memory of a thread for the work-groups that it executes.
struct Worker {
  Scratch local, spill, reductions;
};
constinit thread_local Worker worker [[gnu::tls_model("initial-exec")]];

/// Frees it when the thread ends. Apart from it, so that a launch need not ask whether it is registered.
struct WorkerEnd {
  ~WorkerEnd() {
    worker.local.release();
    worker.spill.release();
    worker.reductions.release();
  }
};

bool Scratch::grow(std::uint64_t bytes) {
  static thread_local const WorkerEnd end;
  (void)end;
  release();
  piece_ = DeviceRange::get().take(bytes);
  return static_cast<bool>(piece_);
}

}  // namespace

compiler::WorkerMemory workerMemory(std::uint64_t localBytes, std::uint64_t groups, std::uint64_t spillBytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (localBytes > most || spillBytes > most) return {};
  constexpr std::uint64_t beside = compiler::localBeside;
  std::byte* const local = worker.local.last(beside + localBytes * groups + compiler::localBehind);
  std::byte* const spill = worker.spill.last(beside + spillBytes + beside);
  if (!local || !spill) return {};
  return {local + beside, spill + beside, localBytes, groups};
}

std::byte* reductionMemory(std::uint64_t bytes) { return worker.reductions.last(bytes); }

}  // namespace clarity::device::cpu

bool __clarity_is_local(const void* address) {
  return clarity::device::cpu::worker.local.contains(address) || clarity::device::cpu::isLocalToWorkItem(address);
}

bool __clarity_is_private(const void* address) {
  using namespace clarity::device::cpu;
  return KernelStack::mine().contains(address) || SubGroups::mine().stacksContain(address) ||
         worker.spill.contains(address);
}
