// SPDX-License-Identifier: Apache-2.0
// This file is where a thread's addresses are in the host's memory.
#include "block.h"
#include "results.h"

#include <cstdio>

namespace clarity::ptx {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string_view wordsFor(Space space) {
  switch (space) {
    case Space::Shared: return "shared memory";
    case Space::Local: return "the thread's local memory";
    case Space::Parameter: return "the parameters";
    default: return "memory";
  }
}

}  // namespace

/// Instructions mostly access one allocation each.
Range& Warp::recent() {
  if (const std::uint64_t version = block_->memory.version(); version != recentVersion_) {
    recent_.fill({});
    recentVersion_ = version;
  }
  return recent_[next % recent_.size()];
}

Range Warp::likely(const Instruction& in) {
  switch (in.space) {
    case Space::Shared: return {0, block_->sharedBytes, block_->shared.data()};
    case Space::Global:
    case Space::Constant:
    case Space::Generic: return recent();
    default: return {};
  }
}

void Warp::note(unsigned lane, std::uint64_t address, unsigned bytes, bool isWrite) {
  if (address >= sharedWindow) return;
  const Range& range = allocation(address, bytes, lane);
  auto& [begin, uses] = uses_[next % uses_.size()];
  if (begin != range.begin) {
    begin = range.begin;
    uses = block_->uses.of(range);
  }
  const std::uint8_t mine = isWrite ? 2 : 1, other = isWrite ? 1 : 2;
  for (std::uint64_t word = (address - begin) / 4; word <= (address - begin + bytes - 1) / 4; ++word) {
    if (__atomic_load_n(uses + word, __ATOMIC_RELAXED) == mine) continue;  // most words are loaded again and again
    if (__atomic_fetch_or(uses + word, mine, __ATOMIC_RELAXED) & other)
      fault(launchFailedFault,
            "memory at " + hexadecimal(address) + " is written and loaded through the read-only cache in one launch",
            Lanes{1} << lane);
  }
}

const Range& Warp::allocation(std::uint64_t address, unsigned bytes, unsigned lane) {
  Range& range = recent();
  const auto isIn = [&] { return address - range.begin < range.end - range.begin && bytes <= range.end - address; };
  if (!isIn()) {
    range = block_->memory.find(address);
    if (!isIn())
      fault(illegalAddressFault,
            "an access of " + std::to_string(bytes) + " bytes at " + hexadecimal(address) + " is outside of memory",
            Lanes{1} << lane);
  }
  return range;
}

std::byte* Warp::globalMemory(std::uint64_t address, unsigned bytes, unsigned lane) {
  const Range& range = allocation(address, bytes, lane);
  return range.host + (address - range.begin);
}

std::byte* Warp::memory(const Instruction& in, unsigned lane, std::uint64_t address, unsigned bytes) {
  return memory(in.space, lane, address, bytes);
}

void Warp::requireAligned(unsigned lane, std::uint64_t address, unsigned bytes) {
  if (address % bytes != 0)
    fault(misalignedAddressFault,
          "an access of " + std::to_string(bytes) + " bytes at " + hexadecimal(address) + " is not aligned",
          Lanes{1} << lane);
}

std::byte* Warp::memory(Space space, unsigned lane, std::uint64_t address, unsigned bytes) {
  requireAligned(lane, address, bytes);
  if (space == Space::Global || space == Space::Constant) return globalMemory(address, bytes, lane);
  if (space == Space::Generic) {
    if (address < sharedWindow) return globalMemory(address, bytes, lane);
    const auto isIn = [&](std::uint64_t window) { return address - window < windowBytes; };
    space = isIn(sharedWindow)      ? Space::Shared
            : isIn(localWindow)     ? Space::Local
            : isIn(parameterWindow) ? Space::Parameter
                                    : Space::Global;
    if (space == Space::Global) return globalMemory(address, bytes, lane);
    address &= windowBytes - 1;
  }
  const auto& given = launch().parameters;
  const bool isOfLaunch = space == Space::Parameter && address < given.size();
  const std::uint64_t room = space == Space::Shared ? block_->sharedBytes : isOfLaunch ? given.size() : privateBytes_;
  if (address >= room || bytes > room - address)
    fault(illegalAddressFault,
          "an access of " + std::to_string(bytes) + " bytes at " + hexadecimal(address) + " is outside of " +
              std::string(wordsFor(space)) + " of " + std::to_string(room) + " bytes",
          Lanes{1} << lane);
  if (space == Space::Shared) return block_->shared.data() + address;
  // Nothing writes a launch's parameters: stores to them are not decoded.
  if (isOfLaunch) return const_cast<std::byte*>(given.data()) + address;
  return ownMemory(lane, address);
}

}  // namespace clarity::ptx
