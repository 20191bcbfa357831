// SPDX-License-Identifier: Apache-2.0
#include "block.h"

#include "results.h"

#include <algorithm>

namespace clarity::ptx {

void Block::start(const Launch& given, std::array<unsigned, 3> number) {
  launch = &given;
  id = number;
  sharedBytes = given.program->sharedBytes + given.sharedBytes;
  if (shared.size() < sharedBytes) shared.resize(sharedBytes);
  alive_ = threads();
  barriers_.fill({});
  used_ = (alive_ + warpSize - 1) / warpSize;
  while (warps_.size() < used_) warps_.push_back(std::make_unique<Warp>());
  for (std::size_t i = 0; i < used_; ++i) warps_[i]->start(*this, static_cast<unsigned>(i));
}

bool Block::run(unsigned turns) {
  for (unsigned turn = 0; turn < turns; ++turn) {
    bool goesOn = false;
    for (std::size_t i = 0; i < used_; ++i) goesOn |= warps_[i]->run();
    if (alive_ == 0) return true;
    // A warp whose turn came earlier may have been released since.
    for (std::size_t i = 0; i < used_ && !goesOn; ++i) goesOn = (warps_[i]->alive & ~warps_[i]->waiting) != 0;
    if (!goesOn) failAsNoneGoesOn();
  }
  return false;
}

void Block::arrive(Warp& warp, Lanes lanes, unsigned number, unsigned expected) {
  Barrier& barrier = barriers_[number];
  if (barrier.arrived && barrier.expected != expected)
    warp.fault(launchFailedFault, "threads wait at the same barrier for different numbers of threads", lanes);
  barrier.arrived += static_cast<unsigned>(std::popcount(lanes));
  barrier.expected = expected;
  warp.atBarrier |= lanes;
  forEachLane(lanes, [&](unsigned lane) { warp.barriers[lane] = static_cast<std::uint8_t>(number); });
  open(number);
}

void Block::open(unsigned number) {
  Barrier& barrier = barriers_[number];
  if (barrier.arrived == 0 || barrier.arrived < (barrier.expected ? barrier.expected : alive_)) return;
  unsigned holds = 0;
  std::vector<Lanes> lanes(used_);
  for (std::size_t i = 0; i < used_; ++i) {
    forEachLane(warps_[i]->atBarrier, [&](unsigned lane) {
      if (warps_[i]->barriers[lane] == number) lanes[i] |= Lanes{1} << lane;
    });
    holds += static_cast<unsigned>(std::popcount(warps_[i]->answers & lanes[i]));
  }
  for (std::size_t i = 0; i < used_; ++i) {
    Warp& warp = *warps_[i];
    forEachLane(lanes[i], [&](unsigned lane) {
      answerAtBarrier(warp, warp.instructionAt(warp.places[lane]), lane, holds, barrier.arrived);
    });
    warp.atBarrier &= ~lanes[i];
    warp.release(lanes[i]);
  }
  barrier = {};
}

void Block::ended(unsigned threads) {
  alive_ -= threads;
  for (unsigned i = 0; i < barriers_.size(); ++i) open(i);
}

std::uint64_t Block::executed() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < used_; ++i) sum += warps_[i]->executed;
  return sum;
}

void Block::failAsNoneGoesOn() {
  constexpr std::size_t mostNamed = 3;
  std::string text = "no thread can go on: " + std::to_string(alive_) + " wait";
  std::vector<std::uint32_t> named;
  for (std::size_t i = 0; i < used_; ++i)
    forEachLane(warps_[i]->waiting, [&](unsigned lane) {
      const std::uint32_t place = warps_[i]->places[lane];
      if (named.size() == mostNamed || holds(named, place)) return;
      named.push_back(place);
      text += ", " + warps_[i]->nameOf(lane) + " at " + launch->program->describe(place);
    });
  throw Fault{launchTimeoutFault, text};
}

}  // namespace clarity::ptx
