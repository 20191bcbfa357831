// SPDX-License-Identifier: Apache-2.0
// This file begins and merges a thread's private copies of reductions.
#include "device/cpu/private_reductions.h"

#include "device/cpu/allocator.h"
#include "device/cpu/worker_memory.h"
#include "device/distinct_buffers.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

namespace clarity::device::cpu {
namespace {

using compiler::Combination;

/// Bytes that stay in a core's cache beside the rest.
constexpr std::uint64_t mostReductionBytes = 128u << 10;
/// For each integer of a copy, which has to be begun and merged.
constexpr std::uint64_t leastItemsOfInteger = 16;
/// A launch of fewer may run on one thread, with no contention for cache lines.
constexpr std::uint64_t leastItemsAtAll = 16384;
/// As buffers are.
constexpr std::uint64_t alignment = Allocator::alignment;

constexpr std::uint64_t rounded(std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// The value that changes nothing.
template <class Int>
Int identityOf(Combination combination) {
  using Signed = std::make_signed_t<Int>;
  switch (combination) {
    case Combination::And:
    case Combination::UnsignedMin: return std::numeric_limits<Int>::max();
    case Combination::SignedMin: return static_cast<Int>(std::numeric_limits<Signed>::max());
    case Combination::SignedMax: return static_cast<Int>(std::numeric_limits<Signed>::min());
    case Combination::Mul: return 1;
    default: return 0;
  }
}

template <class Int>
Int combine(Combination combination, Int a, Int b) {
  using Signed = std::make_signed_t<Int>;
  switch (combination) {
    case Combination::Add: return a + b;
    case Combination::Mul: return a * b;
    case Combination::And: return a & b;
    case Combination::Or: return a | b;
    case Combination::Xor: return a ^ b;
    case Combination::UnsignedMin: return std::min(a, b);
    case Combination::UnsignedMax: return std::max(a, b);
    case Combination::SignedMin: return static_cast<Int>(std::min(static_cast<Signed>(a), static_cast<Signed>(b)));
    case Combination::SignedMax: return static_cast<Int>(std::max(static_cast<Signed>(a), static_cast<Signed>(b)));
  }
  return a;
}

template <class Int>
void begin(std::byte* copy, std::uint64_t bytes, Combination combination) {
  std::fill_n(reinterpret_cast<Int*>(copy), bytes / sizeof(Int), identityOf<Int>(combination));
}

template <class Int>
void merge(std::byte* buffer, const std::byte* copy, std::uint64_t bytes, Combination combination) {
  const auto* const own = reinterpret_cast<const Int*>(copy);
  const Int nothing = identityOf<Int>(combination);
  for (std::uint64_t i = 0; i < bytes / sizeof(Int); ++i) {
    if (own[i] == nothing) continue;
    const std::atomic_ref<Int> place(reinterpret_cast<Int*>(buffer)[i]);
    Int found = place.load(std::memory_order_relaxed);
    while (!place.compare_exchange_weak(found, combine(combination, found, own[i]))) {
    }
  }
}

/// Calls with each reduction's argument, its copy and how many bytes that has. Copies lie one after the other.
template <class Work>
void forEachCopy(const Launch& launch, const Reductions& reductions, std::byte* copies, const Work& work) {
  for (const ReductionBuffer& buffer : reductions) {
    work(launch.info->args[buffer.argument], copies, buffer.bytes);
    copies += rounded(buffer.bytes);
  }
}

}  // namespace

std::uint64_t addressOf(const Launch& launch, const BufferArgument& buffer) {
  const Allocation* const allocation = buffer.memory.allocation;
  if (allocation && allocation->hostAddress()) return reinterpret_cast<std::uintptr_t>(buffer.memory.hostAddress());
  std::uint64_t address = 0;
  std::memcpy(&address, launch.args.data() + launch.info->args[buffer.argument].offset, sizeof address);
  return address;
}

Reductions reductionsOf(const Launch& launch) {
  const auto rangeOf = [&](const BufferArgument& buffer) {
    const std::uint64_t begin = addressOf(launch, buffer);
    return AddressRange{begin, begin + buffer.bytes};
  };
  Reductions reductions;
  std::size_t wanted = 0;
  for (const compiler::KernelArg& arg : launch.info->args) wanted += bool(arg.reduction);
  for (const BufferArgument& buffer : launch.buffers) {
    const compiler::Reduction reduction = launch.info->args[buffer.argument].reduction;
    if (!reduction) continue;
    if (buffer.isInside) return {};
    const AddressRange its = rangeOf(buffer);
    if (its.begin % reduction.bytes != 0) return {};
    for (const BufferArgument& other : launch.buffers)
      if (other.argument != buffer.argument && its.overlaps(rangeOf(other))) return {};
    reductions.push_back({buffer.argument, buffer.bytes});
  }
  return reductions.size() == wanted ? reductions : Reductions{};
}

bool PrivateReductions::areWorth(const Launch& launch, const Reductions& reductions, unsigned threads) {
  if (reductions.empty()) return false;
  std::uint64_t items = 1, bytes = 0, integers = 0, bufferBytes = 0;
  for (const std::size_t size : launch.range.global) items *= size;
  for (const BufferArgument& buffer : launch.buffers) bufferBytes += buffer.bytes;
  // Each of few work-items may count often.
  if (launch.info->queriesSize) items = std::max(items, bufferBytes / sizeof(std::uint32_t));
  for (const ReductionBuffer& buffer : reductions) {
    bytes += buffer.bytes;
    integers += buffer.bytes / launch.info->args[buffer.argument].reduction.bytes;
  }
  return bytes <= mostReductionBytes && items >= std::max(leastItemsAtAll, leastItemsOfInteger * integers * threads);
}

bool PrivateReductions::begin() {
  std::uint64_t bytes = 0;
  for (const ReductionBuffer& buffer : reductions_) bytes += rounded(buffer.bytes);
  copies_ = reductionMemory(bytes);
  if (!copies_) return false;
  try {
    args_ = launch_.args;
  } catch (const std::bad_alloc&) {
    return false;
  }
  forEachCopy(launch_, reductions_, copies_, [&](const compiler::KernelArg& arg, std::byte* copy, std::uint64_t size) {
    arg.reduction.bytes == 8 ? cpu::begin<std::uint64_t>(copy, size, arg.reduction.combination)
                             : cpu::begin<std::uint32_t>(copy, size, arg.reduction.combination);
    std::memcpy(args_.data() + arg.offset, &copy, sizeof copy);
  });
  return true;
}

bool PrivateReductions::merge(support::Fault& fault) const {
  return support::FaultGuard::run(
      [&] {
        forEachCopy(launch_, reductions_, copies_,
                    [&](const compiler::KernelArg& arg, const std::byte* copy, std::uint64_t size) {
                      std::byte* target = nullptr;
                      std::memcpy(&target, launch_.args.data() + arg.offset, sizeof target);
                      arg.reduction.bytes == 8
                          ? cpu::merge<std::uint64_t>(target, copy, size, arg.reduction.combination)
                          : cpu::merge<std::uint32_t>(target, copy, size, arg.reduction.combination);
                    });
      },
      fault);
}

}  // namespace clarity::device::cpu
