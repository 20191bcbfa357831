// SPDX-License-Identifier: Apache-2.0
// This file is branches, calls and ends.
#include "block.h"
#include "decoding.h"
#include "lanes.h"
#include "results.h"

namespace clarity::ptx {
namespace {

void branchTo(Warp& warp, const Instruction& in, Lanes lanes) { warp.branch(lanes, in.target); }

void branchByTable(Warp& warp, const Instruction& in, Lanes lanes) {
  const auto& table = warp.launch().program->tables[in.target];
  const std::uint32_t* const index = warp.at<std::uint32_t>(in.from[0]);
  forEachLane(lanes, [&](unsigned lane) {
    if (index[lane] >= table.size())
      warp.fault(illegalInstructionFault, "a branch has no target " + std::to_string(index[lane]), Lanes{1} << lane);
    warp.places[lane] = table[index[lane]];
  });
  warp.scatter(lanes);
}

std::uint32_t* returnsOf(Warp& warp, std::int32_t slot) { return warp.at<std::uint32_t>(slot); }

void enterCall(Warp& warp, const Call& call, Lanes lanes) {
  std::uint32_t *const places = returnsOf(warp, call.returnSlot), *const contexts = places + warpSize;
  constexpr std::uint32_t factor = 0x01000193;
  forEachLane(lanes, [&](unsigned lane) {
    places[lane] = warp.next;
    contexts[lane] = warp.contexts[lane];
    warp.contexts[lane] = warp.contexts[lane] * factor + warp.next;
    for (const Call::Copy& copy : call.arguments)
      std::memcpy(warp.ownMemory(lane, copy.to), warp.ownMemory(lane, copy.from), copy.bytes);
    warp.places[lane] = call.place;
  });
}

void callFunction(Warp& warp, const Instruction& in, Lanes lanes) {
  enterCall(warp, warp.launch().program->calls[in.target], lanes);
  warp.scatter(lanes);
}

void returnFromCall(Warp& warp, const Instruction& in, Lanes lanes) {
  const std::uint32_t *const places = returnsOf(warp, in.from[0]), *const contexts = places + warpSize;
  forEachLane(lanes, [&](unsigned lane) {
    warp.places[lane] = places[lane];
    warp.contexts[lane] = contexts[lane];
  });
  warp.scatter(lanes);
}

/// Behind a call: the results become the caller's.
void takeResults(Warp& warp, const Instruction& in, Lanes lanes) {
  for (const Call::Copy& copy : warp.launch().program->calls[in.target].results)
    forEachLane(lanes, [&](unsigned lane) {
      std::memcpy(warp.ownMemory(lane, copy.to), warp.ownMemory(lane, copy.from), copy.bytes);
    });
}

void trap(Warp& warp, const Instruction&, Lanes lanes) { warp.fault(launchFailedFault, "a trap was executed", lanes); }

void sleep(Warp& warp, const Instruction&, Lanes) { warp.yield(); }

}  // namespace

void endThreads(Warp& warp, const Instruction&, Lanes lanes) { warp.exit(lanes); }

void joinBlocks(Warp& warp, const Instruction& in, Lanes) { warp.join(in); }

Handler controlHandler(Control control) {
  switch (control) {
    case Control::Join: return joinBlocks;
    case Control::Branch: return branchTo;
    case Control::Table: return branchByTable;
    case Control::Call: return callFunction;
    case Control::Results: return takeResults;
    case Control::Return: return returnFromCall;
    case Control::End: return endThreads;
  }
}

void addControl(Opcodes& opcodes) {
  opcodes["trap"] = [](Decoding& decoding) { decoding.in.run = trap; };
  opcodes["brkpt"] = opcodes["trap"];
  opcodes["nanosleep"] = [](Decoding& decoding) {
    (void)decoding.type();
    decoding.in.run = sleep;
  };
  opcodes["pmevent"] = [](Decoding& decoding) { decoding.in.run = [](Warp&, const Instruction&, Lanes) {}; };
}

}  // namespace clarity::ptx
