// SPDX-License-Identifier: Apache-2.0
// This file is a warp: 32 threads, which execute an instruction together as long as they are at the same place, and
// apart, those furthest behind first, when they are not.
#pragma once

#include "program.h"

#include <array>
#include <bit>
#include <cstring>

namespace clarity::ptx {

class Block;

/// The data that a launch gives to its threads.
struct Launch {
  const Program* program = nullptr;
  const Entry* entry = nullptr;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  unsigned sharedBytes = 0;
  std::vector<std::byte> parameters;
  /// Compute capability, ten times. Below 70 the threads of a warp have one place in the program: what asks for others
  /// by a mask has to be executed by all of these together.
  unsigned capability = 90;
  std::uint64_t mostInstructions = std::uint64_t{20} << 30;  ///< a warp's counts once for all its threads
};

constexpr unsigned warpSize = 32;
constexpr Lanes allLanes = ~Lanes{0};

template <class F>
void forEachLane(Lanes lanes, const F& f) {
  for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

class Warp {
public:
  void start(Block& block, unsigned index);
  /// Until no thread can go on or its turn is over; true if it may go on.
  bool run();

  // ---- for instructions
  template <class T>
  T* at(std::int32_t slot) {
    return reinterpret_cast<T*>((slot < 0 ? constants_ : registers_) + slot);
  }
  Lanes predicate(std::int32_t slot) { return *at<Lanes>(slot); }
  void setPredicate(std::int32_t slot, Lanes lanes, Lanes values) {
    Lanes& old = *at<Lanes>(slot);
    old = (old & ~lanes) | (values & lanes);
  }
  /// The host's address of `bytes` at an address of the instruction's space; faults where there are none.
  std::byte* memory(const Instruction&, unsigned lane, std::uint64_t address, unsigned bytes);
  std::byte* memory(Space, unsigned lane, std::uint64_t address, unsigned bytes);
  std::byte* globalMemory(std::uint64_t address, unsigned bytes, unsigned lane);  ///< at any address
  /// Faults unless the address is a multiple of so many bytes.
  void requireAligned(unsigned lane, std::uint64_t address, unsigned bytes);
  /// The range of most of the instruction's addresses; others are for memory() to judge.
  Range likely(const Instruction&);
  std::byte* memory(const Range& likely, const Instruction& in, unsigned lane, std::uint64_t address, unsigned bytes) {
    if (address - likely.begin < likely.end - likely.begin && bytes <= likely.end - address && address % bytes == 0)
      return likely.host + (address - likely.begin);
    return memory(in, lane, address, bytes);
  }
  /// Memory that a launch loads through the read-only cache is not to be written by it: a load may give what was there
  /// before. Faults where it does both with a word of global memory; memory() has found the address.
  void note(unsigned lane, std::uint64_t address, unsigned bytes, bool isWrite);
  bool notesWrites(const Instruction& in) const {
    return launch().program->loadsReadOnly && (in.space == Space::Global || in.space == Space::Generic);
  }
  std::uint64_t addressOf(const Instruction& in, unsigned lane, std::int32_t slot) {
    const std::uint64_t base = in.isNarrow ? at<std::uint32_t>(slot)[lane] : at<std::uint64_t>(slot)[lane];
    return base + static_cast<std::uint64_t>(in.immediate);
  }
  std::byte* ownMemory(unsigned lane, std::uint64_t offset) { return private_ + lane * privateBytes_ + offset; }

  /// All threads that run now go on at `place`.
  void jump(std::uint32_t place) { next = place; }
  /// `lanes` of the threads that run now go on at `place` and others with the next instruction.
  void branch(Lanes lanes, std::uint32_t place);
  /// Each of `lanes` goes on at its place in `places`.
  void scatter(Lanes lanes) {
    keepOthers(lanes);
    select();
  }
  /// `lanes` wait at this instruction until release(); others go on.
  void wait(Lanes lanes);
  void release(Lanes lanes);
  void exit(Lanes lanes);
  /// Where blocks join: threads that are behind go first.
  void join(const Instruction&);
  /// Threads whose next instruction ends them do so: GPUs do not have them wait for others of the warp.
  void endOthers();
  /// True if the instruction was put off, because threads that are behind had a turn without coming here.
  bool putOff(Lanes lanes);
  /// Threads that run something else may have what this waits for.
  void yield() { isOver_ = true; }
  /// Counts the iterations of loops that wait for other threads.
  void poll() {
    constexpr unsigned most = 64;  // in a turn
    if (++polls_ == most) yield();
  }
  [[noreturn]] void fault(int code, const std::string& what, Lanes lanes, const Instruction* = nullptr) const;
  /// "thread (1, 0, 0) of block (0, 0, 0)".
  std::string nameOf(unsigned lane) const;

  Lanes running = 0;  ///< the threads that execute the instruction, guard aside
  Lanes alive = 0;    ///< those that have not ended
  Lanes waiting = 0;
  std::uint32_t next = 0;                          ///< place of the next instruction
  std::array<std::uint32_t, warpSize> places{};    ///< places of threads that do not run now
  std::array<std::uint32_t, warpSize> contexts{};  ///< which calls a thread is in
  std::array<Lanes, warpSize> masks{};             ///< the threads that one waits for, if these are of its warp
  Lanes atBarrier = 0, answers = 0;                ///< waiting for the block, and their predicates
  std::array<std::uint8_t, warpSize> barriers{};   ///< for which barrier
  Lanes carry = 0;                                 ///< carries of the threads' last .cc
  std::array<std::array<std::uint32_t, warpSize>, 3> ids{};
  struct Copy {
    unsigned lane, bytes, zeros;
    std::uint64_t to, from;
    std::uint32_t place;
    unsigned groupsSince;  ///< groups that were committed since, its own among them
  };
  std::vector<Copy> copies;  ///< copies of cp.async: they happen as late as they may
  unsigned index = 0;
  std::uint64_t executed = 0;
  Block& block() const { return *block_; }
  const Launch& launch() const;
  const Instruction& instructionAt(std::uint32_t place) const { return code_[place]; }

private:
  /// These have ended.
  void noteEnded(Lanes ended);
  bool select();
  void keepOthers(Lanes lanes) {
    forEachLane(running & ~lanes, [&](unsigned lane) { places[lane] = next; });
    running = 0;
  }
  Range& recent();
  /// The one that has these bytes; faults if none does.
  const Range& allocation(std::uint64_t address, unsigned bytes, unsigned lane);

  std::byte* registers_ = nullptr;
  std::byte* constants_ = nullptr;  ///< written only by what makes them
  const Instruction* code_ = nullptr;
  Block* block_ = nullptr;
  std::byte* private_ = nullptr;
  std::uint64_t privateBytes_ = 0;
  std::vector<std::byte> storage_, privateStorage_;
  std::array<Range, 16> recent_{};
  std::uint64_t recentVersion_ = 0;
  std::array<std::pair<std::uint64_t, std::uint8_t*>, 16> uses_{};  ///< uses of allocations, by their addresses
  std::int64_t budget_ = 0;
  unsigned polls_ = 0;
  bool isOver_ = false;  ///< its turn, before its budget
  Lanes yielded_ = 0;
  unsigned turns_ = 0, patience_ = 0;
};

}  // namespace clarity::ptx
