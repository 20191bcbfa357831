// SPDX-License-Identifier: Apache-2.0
// This file is what an instruction's decoder works with: the statement, whose modifiers it takes one by one, and the
// instruction that it fills in. A modifier that none takes is an error: it would have meant something.
#pragma once

#include "program.h"

#include <initializer_list>

namespace clarity::ptx {

/// The names in the program that is being made, for the decoders of instructions.
class Names {
public:
  virtual ~Names() = default;
  /// 32 times the value, of 1, 16, 32 or 64 bits.
  virtual std::int32_t constant(unsigned bits, std::uint64_t value) = 0;
  /// Where results go that are not asked for.
  virtual std::int32_t sink() = 0;
  virtual std::int32_t slot(unsigned registerIndex) = 0;
  virtual Type typeOf(unsigned registerIndex) const = 0;
  virtual std::uint64_t addressOf(const Operand&, Space&) = 0;
  /// The index in Program::operandLists of slots that an instruction has no place for.
  virtual std::uint32_t list(std::vector<std::int32_t> slots) = 0;
  /// True, and where it is, for what is known to be among the parameters of a launch.
  virtual bool isOfLaunch(const Operand&, std::uint64_t& offset) = 0;
};

class Decoding {
public:
  Decoding(const Statement& statement, Names& names) : statement(statement), names(names) {}

  bool take(std::string_view modifier);
  /// The first of them that is there; an empty one if none is.
  std::string_view takeAny(std::initializer_list<std::string_view> modifiers);
  /// The next modifier that is a type. Fails if there is none.
  Type type();
  Space space(Space standard = Space::Generic);
  void finish() const;
  [[noreturn]] void fail(const std::string& what) const;

  const Operand& operand(std::size_t index) const;
  std::size_t operands() const { return statement.operands.size(); }
  /// A register of the type's width or a constant.
  std::int32_t source(std::size_t index, Type type) { return source(operand(index), type); }
  std::int32_t source(const Operand&, Type);
  std::int32_t destination(std::size_t index, unsigned bits) { return destination(operand(index), bits); }
  std::int32_t destination(const Operand&, unsigned bits);
  /// 0: no register.
  unsigned bitsOf(const Operand&) const;
  /// The address of loads, stores and atomics: from[0], immediate and isNarrow.
  void address(std::size_t index) { in.from[0] = addressSlot(operand(index)); }
  std::int32_t addressSlot(const Operand&);
  /// to[0] and from[0] on, all of a type.
  void simple(Type to, std::initializer_list<Type> from);

  const Statement& statement;
  Names& names;
  Instruction in;

private:
  std::uint64_t taken_ = 0;  ///< a bit for each modifier
};

using Decoder = void (*)(Decoding&);
using Opcodes = std::map<std::string_view, Decoder>;

// Each file of instructions adds its own.
void addArithmetic(Opcodes&);
void addIntegers(Opcodes&);
void addProducts(Opcodes&);
void addBits(Opcodes&);
void addFloats(Opcodes&);
void addComparisons(Opcodes&);
void addConversions(Opcodes&);
void addMoves(Opcodes&);
void addLoads(Opcodes&);
void addAtomics(Opcodes&);
void addCopies(Opcodes&);
void addControl(Opcodes&);
void addBarriers(Opcodes&);
void addCollectives(Opcodes&);
void addMatrices(Opcodes&);

const Opcodes& opcodes();

/// The instructions that program_builder.cpp makes itself, as it knows places.
enum class Control : std::uint8_t { Join, Branch, Table, Call, Results, Return, End };
Handler controlHandler(Control);
/// "bar.warp.sync".
void warpBarrier(Decoding&);

}  // namespace clarity::ptx
