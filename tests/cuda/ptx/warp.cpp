// SPDX-License-Identifier: Apache-2.0
// This file is which threads of a warp execute what next.
#include "warp.h"

#include "block.h"
#include "results.h"

#include <algorithm>

namespace clarity::ptx {
namespace {

/// Instructions between two looks at whether others should go on: of a turn of the warp.
constexpr std::int64_t turnLength = 8192;
/// Turns after which threads that are behind let others of their warp go first: they may wait for these.
constexpr unsigned turnsAhead = 16;
/// How often those others wait once more where they want to know who is with them.
constexpr unsigned mostPatience = 256;

}  // namespace

const Launch& Warp::launch() const { return *block_->launch; }

void Warp::start(Block& block, unsigned number) {
  const Launch& launch = *block.launch;
  const Program& program = *launch.program;
  block_ = &block;
  index = number;
  const unsigned threads = block.threads(), first = number * warpSize;
  running = alive = threads - first >= warpSize ? allLanes : (Lanes{1} << (threads - first)) - 1;
  waiting = atBarrier = yielded_ = 0;
  turns_ = 0;
  patience_ = mostPatience;
  executed = 0;
  copies.clear();
  if (storage_.size() < program.registerBytes) storage_.resize(program.registerBytes);
  privateBytes_ = program.privateBytes;
  if (privateStorage_.size() < privateBytes_ * warpSize) privateStorage_.resize(privateBytes_ * warpSize);
  registers_ = storage_.data();
  private_ = privateStorage_.data();
  constants_ = const_cast<std::byte*>(program.constants.data() + program.constants.size());
  code_ = program.code.data();
  next = launch.entry->place;
  contexts.fill(0);
  recent_.fill({});
  uses_.fill({});
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    const unsigned thread = first + lane;
    ids[0][lane] = thread % launch.block[0];
    ids[1][lane] = thread / launch.block[0] % launch.block[1];
    ids[2][lane] = thread / launch.block[0] / launch.block[1];
  }
}

bool Warp::run() {
  budget_ = turnLength;
  polls_ = 0;
  isOver_ = false;
  if (!running && !select()) return false;
  while (running) {
    const Instruction& in = code_[next++];
    Lanes lanes = running;
    if (in.guard != noSlot) {
      const Lanes holds = predicate(in.guard);
      lanes &= in.guardNegated ? ~holds : holds;
      if (!lanes) continue;
    }
    in.run(*this, in, lanes);
    if (budget_ < 0 || isOver_) break;
  }
  executed += static_cast<std::uint64_t>(turnLength - budget_);
  if (running) {  // its turn is over
    forEachLane(running, [&](unsigned lane) { places[lane] = next; });
    const Lanes others = alive & ~waiting & ~running;
    if (others && ++turns_ % turnsAhead == 0) yielded_ |= running;
    running = 0;
  }
  return (alive & ~waiting) != 0;
}

bool Warp::select() {
  running = 0;
  Lanes ready = alive & ~waiting & ~yielded_;
  if (!ready) {
    yielded_ = 0;
    ready = alive & ~waiting;
  }
  if (!ready) return false;
  std::uint32_t lowest = ~std::uint32_t{0}, context = 0;
  forEachLane(ready, [&](unsigned lane) {
    if (places[lane] < lowest) {
      lowest = places[lane];
      context = contexts[lane];
    }
  });
  forEachLane(ready, [&](unsigned lane) {
    if (places[lane] == lowest && contexts[lane] == context) running |= Lanes{1} << lane;
  });
  next = lowest + (code_[lowest].run == joinBlocks ? 1 : 0);
  return true;
}

void Warp::join(const Instruction& in) {
  budget_ -= in.immediate;
  if (running == (alive & ~waiting)) return;
  --next;  // others begin with the block, too
  forEachLane(running, [&](unsigned lane) { places[lane] = next; });
  (void)select();
}

void Warp::branch(Lanes lanes, std::uint32_t place) {
  if (lanes == running) return jump(place);
  forEachLane(lanes, [&](unsigned lane) { places[lane] = place; });
  keepOthers(lanes);
  (void)select();
}

void Warp::endOthers() {
  Lanes ended = 0;
  forEachLane(alive & ~waiting & ~running, [&](unsigned lane) {
    const std::uint32_t place = places[lane] + (code_[places[lane]].run == joinBlocks ? 1 : 0);
    if (code_[place].run == endThreads && code_[place].guard == noSlot) ended |= Lanes{1} << lane;
  });
  if (ended) noteEnded(ended);
}

void Warp::noteEnded(Lanes ended) {
  alive &= ~ended;
  yielded_ &= ~ended;
  finishCopies(*this, ended, 0, true);
  resume(*this);
  block_->ended(static_cast<unsigned>(std::popcount(ended)));
}

bool Warp::putOff(Lanes lanes) {
  bool areBehind = false;
  forEachLane(alive & ~waiting & ~running, [&](unsigned lane) { areBehind |= places[lane] < next; });
  if (!areBehind || patience_ == 0) return false;
  --patience_;
  yielded_ = 0;
  forEachLane(lanes, [&](unsigned lane) { places[lane] = next - 1; });
  keepOthers(lanes);
  (void)select();
  return true;
}

void Warp::wait(Lanes lanes) {
  forEachLane(lanes, [&](unsigned lane) { places[lane] = next - 1; });
  keepOthers(lanes);
  waiting |= lanes;
  (void)select();
}

void Warp::release(Lanes lanes) {
  forEachLane(lanes, [&](unsigned lane) { ++places[lane]; });
  waiting &= ~lanes;
}

void Warp::exit(Lanes lanes) {
  keepOthers(lanes);
  noteEnded(lanes);
  (void)select();
}

std::string Warp::nameOf(unsigned lane) const {
  const auto& block = block_->id;
  const auto text = [](const auto& ids) {
    return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " + std::to_string(ids[2]) + ")";
  };
  return "thread " + text(std::array{ids[0][lane], ids[1][lane], ids[2][lane]}) + " of block " + text(block);
}

void Warp::fault(int code, const std::string& what, Lanes lanes, const Instruction* in) const {
  const Program& program = *launch().program;
  const auto place = in ? static_cast<std::uint32_t>(in - code_) : next - 1;
  throw Fault{code,
              what + ", " + nameOf(static_cast<unsigned>(std::countr_zero(lanes))) + ", " + program.describe(place)};
}

}  // namespace clarity::ptx
