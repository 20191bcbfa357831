// SPDX-License-Identifier: Apache-2.0
// This file reserves the shadow, and is what instrumented code calls of it.
#include "device/cpu/shadow.h"

#include "device/cpu/device_range.h"
#include "device/host/transfers.h"
#include "support/observer_hooks.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace clarity::device::cpu {
namespace {

/// From here on pages are released, not set to zero.
constexpr std::uint64_t worthReleasing = std::uint64_t{1} << 20;
/// The largest value that is loaded or stored at once, double16, and some.
constexpr std::size_t shadowedBytes = 256;

std::atomic<bool> made{false};

alignas(64) constinit std::array<std::byte, shadowedBytes> zeros{};
alignas(64) constinit std::array<std::byte, shadowedBytes> ignored{};

std::byte* at(std::uint64_t address) {
  return reinterpret_cast<std::byte*>(address + Shadow::get().distance);  // NOLINT(performance-no-int-to-ptr)
}

/// Copied bytes count as written where their source does; filled bytes count as written.
void noteTransfer(const std::byte* to, const std::byte* from, std::size_t bytes) {
  __clarity_shadow_copy(reinterpret_cast<std::uint64_t>(to), reinterpret_cast<std::uint64_t>(from), bytes);
}

Shadow reserve() {
  const DeviceRange& range = DeviceRange::get();
  made.store(true, std::memory_order_relaxed);
  host::observeTransfers(noteTransfer);
  if (range.bytes() == 0) return {};
  void* const place =
      mmap(nullptr, range.bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return {};
  madvise(place, range.bytes(), MADV_DONTDUMP);
  const auto begin = reinterpret_cast<std::uint64_t>(range.base());
  return {.begin = begin, .bytes = range.bytes(), .distance = reinterpret_cast<std::uint64_t>(place) - begin};
}

void release(std::byte* begin, std::uint64_t bytes) {
  const std::size_t page = pageSize();
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(begin) & (page - 1);
  std::memset(begin, 0, head);
  const std::uint64_t whole = (bytes - head) / page * page;
  if (madvise(begin + head, whole, MADV_DONTNEED) != 0) std::memset(begin + head, 0, whole);
  std::memset(begin + head + whole, 0, bytes - head - whole);
}

}  // namespace

const Shadow& Shadow::get() {
  static const Shadow shadow = reserve();
  return shadow;
}

bool Shadow::exists() noexcept { return made.load(std::memory_order_relaxed); }

void setWritten(std::uint64_t address, std::uint64_t bytes, bool isWritten) {
  if (bytes == 0 || !Shadow::get().covers(address, bytes)) return;
  if (isWritten && bytes >= worthReleasing)
    release(at(address), bytes);
  else
    std::memset(at(address), isWritten ? 0 : 0xff, bytes);
}

void noteWritten(const void* address, std::size_t bytes) {
  if (Shadow::exists()) setWritten(reinterpret_cast<std::uint64_t>(address), bytes, true);
}

}  // namespace clarity::device::cpu

using clarity::device::cpu::Shadow;

std::uint64_t __clarity_shadowed_begin() { return Shadow::get().begin; }
std::uint64_t __clarity_shadowed_bytes() {
  // A value that begins within lies within: behind the last piece are addresses that no piece gets.
  return Shadow::get().bytes;
}
std::uint64_t __clarity_shadow_distance() { return Shadow::get().distance; }
std::uint64_t __clarity_shadow_zeros() { return reinterpret_cast<std::uint64_t>(clarity::device::cpu::zeros.data()); }
std::uint64_t __clarity_shadow_ignored() {
  return reinterpret_cast<std::uint64_t>(clarity::device::cpu::ignored.data());
}

std::uint32_t __clarity_shadow_any(std::uint64_t address, std::uint64_t bytes) {
  if (!Shadow::get().covers(address, bytes)) return 0;
  const std::byte* const shadow = clarity::device::cpu::at(address);
  return std::any_of(shadow, shadow + bytes, [](std::byte byte) { return byte != std::byte{0}; });
}

std::uint32_t __clarity_shadow_all(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || !Shadow::exists() || !Shadow::get().covers(address, bytes)) return 0;
  const std::byte* const shadow = clarity::device::cpu::at(address);
  return std::all_of(shadow, shadow + bytes, [](std::byte byte) { return byte == std::byte{0xff}; });
}

void __clarity_shadow_set(std::uint64_t address, std::uint64_t bytes, std::uint32_t isWritten) {
  clarity::device::cpu::setWritten(address, bytes, isWritten != 0);
}

void __clarity_shadow_copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  const Shadow& shadow = Shadow::get();
  if (bytes == 0 || !shadow.covers(to, bytes)) return;
  if (shadow.covers(from, bytes))
    std::memmove(clarity::device::cpu::at(to), clarity::device::cpu::at(from), bytes);
  else
    clarity::device::cpu::setWritten(to, bytes, true);
}
