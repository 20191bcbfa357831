// SPDX-License-Identifier: Apache-2.0
// This file keeps the records of a thread, one behind the other, in few pieces of memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace clarity::profile {

class ByteLog {
public:
  /// Room for so many bytes; add() says how many of them a record took. Throws std::bad_alloc.
  std::byte* room(std::size_t bytes) {
    if (bytes > left_) [[unlikely]]
      begin(bytes);
    return next_;
  }
  void add(const std::byte* end) {
    left_ -= static_cast<std::size_t>(end - next_);
    next_ += end - next_;
  }
  std::size_t bytes() const {
    std::size_t all = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) all += chunk(i).size();
    return all;
  }
  std::size_t chunks() const { return chunks_.size(); }
  std::span<const std::byte> chunk(std::size_t number) const {
    const Chunk& it = chunks_[number];
    const bool isLast = number + 1 == chunks_.size();
    return {it.memory.get(), isLast ? static_cast<std::size_t>(next_ - it.memory.get()) : it.used};
  }

private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t used = 0;  ///< bytes of all but the last
  };

  void begin(std::size_t bytes) {
    constexpr std::size_t first = std::size_t{1} << 14, most = std::size_t{1} << 20;
    std::size_t size = first << (2 * (chunks_.size() < 3 ? chunks_.size() : 3));
    if (size > most) size = most;
    if (size < bytes) size = bytes;
    auto memory = std::make_unique_for_overwrite<std::byte[]>(size);
    chunks_.reserve(chunks_.size() + 1);
    if (!chunks_.empty()) chunks_.back().used = chunk(chunks_.size() - 1).size();
    next_ = memory.get();
    left_ = size;
    chunks_.push_back({.memory = std::move(memory)});
  }

  std::vector<Chunk> chunks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace clarity::profile
