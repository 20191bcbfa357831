// SPDX-License-Identifier: Apache-2.0
// This file is the pipeline of staging buffers between pageable memory and the GPU.
#include "device/cuda/staging.h"

#include "device/cpu/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace clarity::device::cuda {
namespace {

/// As large that the threads of the host share it, and as small that the first one is there soon.
constexpr std::size_t largeBytes = 4 << 20;
/// Of a transfer, so that one is filled while others are on their way.
constexpr std::size_t bufferCount = 4;
/// Threads that copy: so many take what PCI Express gives.
constexpr unsigned mostThreads = 8;
constexpr std::size_t smallKept = 64, largeKept = 2 * bufferCount;

/// A buffer and the event of its copy.
class Step {
public:
  explicit Step(PinnedBuffers& pool) : buffer(pool) {
    (void)driver().eventCreate(&event_, cuEventBlockingSync | cuEventDisableTiming);
  }
  Step(Step&& other) noexcept
      : buffer(std::move(other.buffer)),
        offset(other.offset),
        bytes(other.bytes),
        event_(std::exchange(other.event_, nullptr)) {}
  Step& operator=(Step&&) = delete;
  ~Step() {
    if (event_) (void)driver().eventDestroy(event_);
  }
  bool usable() const { return event_ && buffer.memory(); }
  void record(CuStream stream) const { (void)driver().eventRecord(event_, stream); }
  Result wait() const { return resultOf(driver().eventSynchronize(event_), "a transfer failed"); }

  StagingBuffer buffer;
  std::size_t offset = 0, bytes = 0;  ///< what it has; no bytes: nothing

private:
  CuEvent event_ = nullptr;
};

/// As many buffers as the transfer can use; empty if there is no pinned memory.
std::vector<Step> stepsFor(Staging& staging, std::size_t bytes) {
  std::vector<Step> steps;
  const std::size_t wanted = std::min(bufferCount, (bytes + largeBytes - 1) / largeBytes);
  while (steps.size() < wanted) {
    steps.emplace_back(staging.large);
    if (steps.back().usable()) continue;
    steps.pop_back();
    break;
  }
  return steps;
}

std::string textOf(std::size_t bytes, const char* way) {
  return fmt::format("{} bytes could not be copied {} the GPU", bytes, way);
}

}  // namespace

PinnedBuffers::~PinnedBuffers() {
  gpu_->use();
  for (std::byte* const each : free_) (void)driver().memFreeHost(each);
}

std::byte* PinnedBuffers::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::byte* const buffer = free_.back();
      free_.pop_back();
      return buffer;
    }
  }
  void* memory = nullptr;
  gpu_->use();
  return driver().memAllocHost(&memory, bytes_) == 0 ? static_cast<std::byte*>(memory) : nullptr;
}

void PinnedBuffers::giveBack(std::byte* buffer) {
  {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kept_) return free_.push_back(buffer);
  }
  gpu_->use();
  (void)driver().memFreeHost(buffer);
}

Staging::Staging(const std::shared_ptr<const Gpu>& gpu)
    : small(gpu, smallBytes, smallKept),
      large(gpu, largeBytes, largeKept),
      workers(std::clamp(std::thread::hardware_concurrency(), 1u, mostThreads)) {}

bool isPinned(const std::byte* host, std::size_t bytes) {
  const auto isHost = [](const std::byte* address) {
    unsigned type = 0;
    return driver().pointerGetAttribute(&type, cuPointerMemoryType, reinterpret_cast<CuPointer>(address)) == 0 &&
           type == cuMemoryHost;
  };
  return bytes > 0 && isHost(host) && isHost(host + bytes - 1);
}

Result upload(Staging& staging, CuPointer to, const std::byte* from, std::size_t bytes, CuStream stream,
              std::vector<StagingBuffer>& kept) {
  std::vector<Step> steps = stepsFor(staging, bytes);
  if (steps.empty()) return resultOf(driver().memcpyHtoDAsync(to, from, bytes, stream), textOf(bytes, "to"));
  Result result;
  for (std::size_t offset = 0, i = 0; result && offset < bytes; ++i) {
    Step& step = steps[i % steps.size()];
    if (step.bytes) result = step.wait();
    if (!result) break;
    step.bytes = std::min(largeBytes, bytes - offset);
    result = cpu::copy(staging.workers, step.buffer.memory(), from + offset, step.bytes);
    if (result)
      result = resultOf(driver().memcpyHtoDAsync(to + offset, step.buffer.memory(), step.bytes, stream),
                        textOf(bytes, "to"));
    step.record(stream);
    offset += step.bytes;
  }
  for (Step& step : steps) kept.push_back(std::move(step.buffer));
  return result;
}

Result download(Staging& staging, std::byte* to, CuPointer from, std::size_t bytes, CuStream stream) {
  std::vector<Step> steps = stepsFor(staging, bytes);
  if (steps.empty()) return resultOf(driver().memcpyDtoHAsync(to, from, bytes, stream), textOf(bytes, "from"));
  Result result;
  const auto begin = [&](Step& step, std::size_t offset) {
    step.offset = offset;
    step.bytes = std::min(largeBytes, bytes - offset);
    result = resultOf(driver().memcpyDtoHAsync(step.buffer.memory(), from + offset, step.bytes, stream),
                      textOf(bytes, "from"));
    step.record(stream);
    return step.bytes;
  };
  std::size_t begun = 0;
  for (Step& step : steps)
    if (result && begun < bytes) begun += begin(step, begun);
  for (std::size_t done = 0, i = 0; result && done < bytes; ++i) {
    Step& step = steps[i % steps.size()];
    if (result = step.wait(); !result) break;
    result = cpu::copy(staging.workers, to + step.offset, step.buffer.memory(), step.bytes);
    done += step.bytes;
    if (result && begun < bytes) begun += begin(step, begun);
  }
  // What is under way may not find its buffer in other hands.
  if (!result) (void)driver().streamSynchronize(stream);
  return result;
}

}  // namespace clarity::device::cuda
