// SPDX-License-Identifier: Apache-2.0
// This file is a PTX module as it is executed: one array of instructions for all functions, whose operands are slots of
// a warp's registers. A slot has the values of 32 threads, one after another; a predicate is a word, a bit a thread.
//
// Blocks of instructions lie in an order in which a loop's lie together and each behind those that lead to it, and
// functions ahead of those that call them. So the threads of a warp that are furthest behind are those with the lowest
// place, and if these run first, threads that took different branches meet again where the branches do.
#pragma once

#include "syntax.h"

#include <memory>

namespace clarity::ptx {

class Warp;
using Lanes = std::uint32_t;  ///< a bit for each thread of a warp

struct Instruction;
using Handler = void (*)(Warp&, const Instruction&, Lanes);

inline constexpr std::int32_t noSlot = 0x7fffffff;

struct Instruction {
  Handler run = nullptr;
  /// Bytes from the warp's first register; negative: bytes back from the end of the constants.
  std::int32_t to[4] = {noSlot, noSlot, noSlot, noSlot}, from[4] = {noSlot, noSlot, noSlot, noSlot};
  std::int32_t guard = noSlot;  ///< executes in threads that have this predicate
  std::uint32_t target = 0;     ///< a place, or an index that the handler knows
  std::int64_t immediate = 0;   ///< a displacement or another number that the handler knows
  std::uint32_t line = 0;
  Space space = Space::Generic;
  std::uint8_t count = 1;                       ///< the number of a vector's elements
  bool guardNegated = false, isNarrow = false;  ///< isNarrow: the address has 32 bits
  bool polls = false;                           ///< may be what a thread waits by for another
  bool isReadOnly = false;                      ///< a load of what nothing writes in the launch
};

struct Fault {
  int code;  ///< a CUresult
  std::string text;
};

/// A part of the memory that the device's addresses from `begin` to `end` are.
struct Range {
  std::uint64_t begin = 0, end = 0;
  std::byte* host = nullptr;
};

/// The device's memory.
class Memory {
public:
  virtual ~Memory() = default;
  /// The allocation with this address; an empty range if there is none.
  virtual Range find(std::uint64_t address) = 0;
  /// Changes when memory was allocated or given back.
  virtual std::uint64_t version() const = 0;
  /// For a variable of a module. 0: there is no room.
  virtual std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment, std::byte*& host) = 0;
  virtual void release(std::uint64_t address) = 0;
};

// Where what is not global memory is among generic addresses: beyond what the host and the stub give.
inline constexpr std::uint64_t sharedWindow = std::uint64_t{1} << 56, localWindow = std::uint64_t{2} << 56,
                               parameterWindow = std::uint64_t{3} << 56, functionWindow = std::uint64_t{4} << 56,
                               windowBytes = std::uint64_t{1} << 40;

struct Parameter {
  std::uint64_t offset, bytes;
};

struct Entry {
  std::string name;
  std::uint32_t place = 0;            ///< the place of its first instruction
  std::vector<Parameter> parameters;  ///< in the bytes that a launch gives
  std::uint64_t parameterBytes = 0;
  unsigned maxThreads = 0;  ///< 0: not said
};

/// The values that a call copies, and where they go.
struct Call {
  struct Copy {
    std::uint64_t from, to, bytes;  ///< places in a thread's own memory
  };
  std::uint32_t place = 0;
  std::int32_t returnSlot = 0;  ///< the slot for where the function returns to; behind it, in what call the caller is
  std::vector<Copy> arguments, results;
};

struct GlobalVariable {
  std::uint64_t address, bytes;
};

class Program {
public:
  /// Throws Error where the text is no PTX. Instructions that are not known are in `unknown`: they fault.
  Program(std::string text, Memory& memory);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Entry* entry(std::string_view name) const;
  /// "line 12: 'add.s32 %r1, %r2, %r3'", for messages.
  std::string describe(std::uint32_t place) const;

  std::string text;
  std::vector<Instruction> code;
  std::vector<std::byte> constants;  ///< values of operands, each 32 times
  std::vector<Entry> entries;
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> tables;  ///< tables of indirect branches
  std::vector<std::vector<std::int32_t>> operandLists;
  std::map<std::string, GlobalVariable, std::less<>> variables;
  std::vector<std::string> unknown;
  bool loadsReadOnly = false;       ///< has loads through the read-only cache
  std::uint64_t registerBytes = 0;  ///< bytes of a warp
  std::uint64_t privateBytes = 0;   ///< bytes of a thread: local variables and parameters of functions
  std::uint64_t sharedBytes = 0;    ///< bytes of a block, without what a launch adds

private:
  Memory& memory_;
};

}  // namespace clarity::ptx
