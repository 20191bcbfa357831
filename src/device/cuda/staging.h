// SPDX-License-Identifier: Apache-2.0
// This file copies between the GPU and memory of the host that the GPU cannot access by itself, through memory that it
// can (pinned memory), in parts: the GPU copies one part while threads of the host copy another.
#pragma once

#include "device/cuda/memory.h"
#include "device/host/workers.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clarity::device::cuda {

/// Buffers of pinned memory of one size. Thread-safe. Some that are not in use are kept for the next one who needs one:
/// making one takes longer than copying it.
class PinnedBuffers {
public:
  PinnedBuffers(std::shared_ptr<const Gpu> gpu, std::size_t bytes, std::size_t kept)
      : gpu_(std::move(gpu)), bytes_(bytes), kept_(kept) {}
  ~PinnedBuffers();
  PinnedBuffers(const PinnedBuffers&) = delete;
  PinnedBuffers& operator=(const PinnedBuffers&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// nullptr when the driver has none.
  std::byte* acquire();
  void release(std::byte*);

private:
  std::shared_ptr<const Gpu> gpu_;
  std::size_t bytes_, kept_;
  std::mutex mutex_;
  std::vector<std::byte*> free_;
};

/// One of them, released when this goes.
class StagingBuffer {
public:
  explicit StagingBuffer(PinnedBuffers& pool) : pool_(&pool), memory_(pool.acquire()) {}
  StagingBuffer(StagingBuffer&& other) noexcept : pool_(other.pool_), memory_(std::exchange(other.memory_, nullptr)) {}
  StagingBuffer& operator=(StagingBuffer&&) = delete;
  ~StagingBuffer() {
    if (memory_) pool_->release(memory_);
  }
  std::byte* memory() const { return memory_; }

private:
  PinnedBuffers* pool_;
  std::byte* memory_;
};

/// Buffers that the streams of a GPU share for it.
struct Staging {
  explicit Staging(const std::shared_ptr<const Gpu>& gpu);

  /// Reads of up to so many bytes need one small buffer and no thread that waits.
  static constexpr std::size_t smallBytes = 64 << 10;
  /// Bytes of a large buffer: so many that the threads of the host share it, and so few that the first one is there
  /// soon.
  static constexpr std::size_t largeBytes = 4 << 20;

  PinnedBuffers small, large;
  host::Workers workers;
};

/// Whether the GPU accesses this memory of the host by itself.
bool isPinned(const std::byte* host, std::size_t bytes);

/// A transfer in pieces, each of which a large staging buffer has room for.
struct Pieces {
  std::size_t count = 0;
  std::uint64_t bytes = 0;                                              ///< those of all pieces
  std::function<Result(std::byte* buffer, std::size_t piece)> copy;     ///< between the buffer and the host's memory
  std::function<CuResult(std::byte* buffer, std::size_t piece)> start;  ///< between the buffer and the GPU
  std::string text;                                                     ///< the message if the driver refuses one
};

/// Copies to the GPU in the order of a stream. Returns when the host's memory has been read; `kept` has what the GPU
/// may still be reading. nullopt, and nothing is done, if there is no pinned memory. The context is in use (Gpu::use).
std::optional<Result> upload(Staging&, const Pieces&, CuStream, std::vector<StagingBuffer>& kept);
/// Copies from the GPU in the order of a stream. Returns when the host has the bytes; otherwise as upload().
std::optional<Result> download(Staging&, const Pieces&, CuStream);

/// The same for bytes one behind the other, also without pinned memory.
Result upload(Staging&, CuPointer to, const std::byte* from, std::size_t bytes, CuStream,
              std::vector<StagingBuffer>& kept);
Result download(Staging&, std::byte* to, CuPointer from, std::size_t bytes, CuStream);

}  // namespace clarity::device::cuda
