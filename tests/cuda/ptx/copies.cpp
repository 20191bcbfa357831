// SPDX-License-Identifier: Apache-2.0
// This file is cp.async, whose copies happen when they are waited for and not before, fences, and prefetches.
#include "decoding.h"
#include "lanes.h"
#include "results.h"

#include <atomic>

namespace clarity::ptx {
namespace {

void copyLater(Warp& warp, const Instruction& in, Lanes lanes) {
  const unsigned bytes = in.target;
  forEachLane(lanes, [&](unsigned lane) {
    unsigned used = bytes;
    if (in.from[2] != noSlot) used = std::min(bytes, warp.at<std::uint32_t>(in.from[2])[lane]);
    warp.copies.push_back({lane, used, bytes - used, warp.addressOf(in, lane, in.from[0]),
                           warp.at<std::uint64_t>(in.from[1])[lane] + static_cast<std::uint64_t>(in.from[3]),
                           warp.next - 1, 0});
  });
}

void nothing(Warp&, const Instruction&, Lanes) {}

void waitForAll(Warp& warp, const Instruction&, Lanes lanes) { finishCopies(warp, lanes, 0, true); }
void waitForGroups(Warp& warp, const Instruction& in, Lanes lanes) { finishCopies(warp, lanes, in.target, false); }

/// Copies belong to a group once that is committed: it is counted how many have been since.
void commit(Warp& warp, const Instruction&, Lanes lanes) {
  for (Warp::Copy& each : warp.copies)
    if (lanes >> each.lane & 1) ++each.groupsSince;
}

void cp(Decoding& decoding) {
  if (!decoding.take("async")) decoding.fail("its form is not known");
  if (decoding.take("wait_all")) {
    decoding.in.run = waitForAll;
  } else if (decoding.take("wait_group")) {
    decoding.in.target = static_cast<std::uint32_t>(decoding.operand(0).value);
    decoding.in.run = waitForGroups;
  } else if (decoding.take("commit_group")) {
    decoding.in.run = commit;
  } else {
    (void)decoding.takeAny({"ca", "cg"});
    (void)decoding.takeAny({"L2::64B", "L2::128B", "L2::256B"});
    decoding.in.space = decoding.space();
    if (decoding.in.space != Space::Shared || decoding.space() != Space::Global)
      decoding.fail("it copies from global to shared memory");
    decoding.in.from[1] = decoding.addressSlot(decoding.operand(1));
    const std::int64_t displacement = decoding.in.immediate;
    if (decoding.in.isNarrow) decoding.fail("addresses have 64 bits");
    decoding.in.from[0] = decoding.addressSlot(decoding.operand(0));
    decoding.in.from[3] = static_cast<std::int32_t>(displacement);
    decoding.in.target = static_cast<std::uint32_t>(decoding.operand(2).value);
    if (decoding.operands() > 3) decoding.in.from[2] = decoding.source(3, b32);
    decoding.in.run = copyLater;
  }
}

void orderAll(Warp&, const Instruction&, Lanes) { std::atomic_thread_fence(std::memory_order_seq_cst); }

void fence(Decoding& decoding) {
  for (const std::string_view word : {"sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "sys", "gl",
                                      "proxy", "alias", "async", "async::generic", "sync_restrict::shared::cta"})
    (void)decoding.take(word);
  (void)decoding.space();
  decoding.in.run = orderAll;
}

void prefetch(Decoding& decoding) {
  (void)decoding.space();
  (void)decoding.takeAny({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"});
  decoding.in.run = nothing;
}

}  // namespace

void finishCopies(Warp& warp, Lanes lanes, unsigned pending, bool withUncommitted) {
  std::erase_if(warp.copies, [&](const Warp::Copy& copy) {
    // The group that was committed last counts 1.
    const bool isDue = copy.groupsSince == 0 ? withUncommitted : withUncommitted || copy.groupsSince > pending;
    if ((lanes >> copy.lane & 1) == 0 || !isDue) return false;
    std::byte* const to = warp.memory(Space::Shared, copy.lane, copy.to, copy.bytes + copy.zeros);
    // The address of a part is as that of the whole has to be.
    if (copy.bytes) {
      warp.requireAligned(copy.lane, copy.from, copy.bytes + copy.zeros);
      std::memcpy(to, warp.globalMemory(copy.from, copy.bytes, copy.lane), copy.bytes);
    }
    std::memset(to + copy.bytes, 0, copy.zeros);
    return true;
  });
}

void addCopies(Opcodes& opcodes) {
  opcodes["cp"] = cp;
  opcodes["fence"] = opcodes["membar"] = fence;
  opcodes["prefetch"] = opcodes["prefetchu"] = prefetch;
}

}  // namespace clarity::ptx
