// SPDX-License-Identifier: Apache-2.0
// This file is the pipeline of staging buffers between pageable memory and the GPU.
#include "device/cuda/staging.h"

#include "device/gpu_launches.h"
#include "device/host/transfers.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace clarity::device::cuda {
namespace {

/// Buffers of a transfer, so that one is filled while others are on their way.
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
      : buffer(std::move(other.buffer)), isUsed(other.isUsed), event_(std::exchange(other.event_, nullptr)) {}
  Step& operator=(Step&&) = delete;
  ~Step() {
    if (event_) (void)driver().eventDestroy(event_);
  }
  bool usable() const { return event_ && buffer.memory(); }
  void record(CuStream stream) const { (void)driver().eventRecord(event_, stream); }
  Result wait() const { return resultOf(driver().eventSynchronize(event_), "a transfer failed"); }

  StagingBuffer buffer;
  bool isUsed = false;

private:
  CuEvent event_ = nullptr;
};

/// As many buffers as the transfer can use; empty if there is no pinned memory.
std::vector<Step> stepsFor(Staging& staging, std::size_t pieces) {
  std::vector<Step> steps;
  const std::size_t wanted = std::min(bufferCount, pieces);
  while (steps.size() < wanted) {
    steps.emplace_back(staging.large);
    if (steps.back().usable()) continue;
    steps.pop_back();
    break;
  }
  return steps;
}

std::string textOf(std::size_t bytes, const char* direction) {
  return fmt::format("{} bytes could not be copied {} the GPU", bytes, direction);
}

}  // namespace

PinnedBuffers::~PinnedBuffers() {
  gpu_->use();
  for (std::byte* const each : free_) (void)driver().memFreeHost(each);
}

std::byte* PinnedBuffers::acquire() {
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

void PinnedBuffers::release(std::byte* buffer) {
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

namespace {

void tellStaged(std::uint64_t bytes) {
  if (StagedTransferListener* const listener = stagedTransferListener.load(std::memory_order_acquire)) listener(bytes);
}

}  // namespace

std::optional<Result> upload(Staging& staging, const Pieces& pieces, CuStream stream,
                             std::vector<StagingBuffer>& kept) {
  std::vector<Step> steps = stepsFor(staging, pieces.count);
  if (steps.empty()) return std::nullopt;
  tellStaged(pieces.bytes);
  kept.reserve(kept.size() + steps.size());
  Result result;
  for (std::size_t piece = 0; result && piece < pieces.count; ++piece) {
    Step& step = steps[piece % steps.size()];
    if (step.isUsed) result = step.wait();
    if (!result) break;
    step.isUsed = true;
    result = pieces.copy(step.buffer.memory(), piece);
    if (result) result = resultOf(pieces.start(step.buffer.memory(), piece), pieces.text);
    step.record(stream);
  }
  for (Step& step : steps) kept.push_back(std::move(step.buffer));
  return result;
}

std::optional<Result> download(Staging& staging, const Pieces& pieces, CuStream stream) {
  std::vector<Step> steps = stepsFor(staging, pieces.count);
  if (steps.empty()) return std::nullopt;
  tellStaged(pieces.bytes);
  Result result;
  std::size_t begun = 0;
  const auto begin = [&](Step& step) {
    result = resultOf(pieces.start(step.buffer.memory(), begun++), pieces.text);
    step.record(stream);
  };
  for (Step& step : steps)
    if (result && begun < pieces.count) begin(step);
  for (std::size_t piece = 0; result && piece < pieces.count; ++piece) {
    Step& step = steps[piece % steps.size()];
    if (result = step.wait(); !result) break;
    result = pieces.copy(step.buffer.memory(), piece);
    if (result && begun < pieces.count) begin(step);
  }
  // A buffer that is under way may not get into other hands.
  if (!result) (void)driver().streamSynchronize(stream);
  return result;
}

Result upload(Staging& staging, CuPointer to, const std::byte* from, std::size_t bytes, CuStream stream,
              std::vector<StagingBuffer>& kept) {
  constexpr std::size_t most = Staging::largeBytes;
  const Pieces pieces{
      .count = (bytes + most - 1) / most,
      .bytes = bytes,
      .copy =
          [&](std::byte* buffer, std::size_t piece) {
            return host::copy(staging.workers, buffer, from + piece * most, std::min(most, bytes - piece * most));
          },
      .start =
          [&](std::byte* buffer, std::size_t piece) {
            return driver().memcpyHtoDAsync(to + piece * most, buffer, std::min(most, bytes - piece * most), stream);
          },
      .text = textOf(bytes, "to")};
  if (std::optional<Result> done = upload(staging, pieces, stream, kept)) return *std::move(done);
  if (Result result = host::canAccess(from, bytes, false); !result) return result;
  return resultOf(driver().memcpyHtoDAsync(to, from, bytes, stream), pieces.text);
}

Result download(Staging& staging, std::byte* to, CuPointer from, std::size_t bytes, CuStream stream) {
  constexpr std::size_t most = Staging::largeBytes;
  const Pieces pieces{
      .count = (bytes + most - 1) / most,
      .bytes = bytes,
      .copy =
          [&](std::byte* buffer, std::size_t piece) {
            return host::copy(staging.workers, to + piece * most, buffer, std::min(most, bytes - piece * most));
          },
      .start =
          [&](std::byte* buffer, std::size_t piece) {
            return driver().memcpyDtoHAsync(buffer, from + piece * most, std::min(most, bytes - piece * most), stream);
          },
      .text = textOf(bytes, "from")};
  if (std::optional<Result> done = download(staging, pieces, stream)) return *std::move(done);
  if (Result result = host::canAccess(to, bytes, true); !result) return result;
  return resultOf(driver().memcpyDtoHAsync(to, from, bytes, stream), pieces.text);
}

}  // namespace clarity::device::cuda
