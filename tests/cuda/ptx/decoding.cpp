// SPDX-License-Identifier: Apache-2.0
#include "decoding.h"

#include <algorithm>
#include <bit>

namespace clarity::ptx {

const Opcodes& opcodes() {
  // Never destroyed: threads may decode while the process ends. So are all tables of this kind.
  static const Opcodes& all = [] -> const Opcodes& {
    Opcodes& made = *new Opcodes;
    for (const auto add :
         {addArithmetic, addIntegers, addProducts, addBits, addFloats, addComparisons, addConversions, addMoves,
          addLoads, addAtomics, addCopies, addControl, addBarriers, addCollectives, addMatrices})
      add(made);
    return made;
  }();
  return all;
}

void Decoding::fail(const std::string& what) const {
  throw Error("line " + std::to_string(statement.line) + ": '" + std::string(statement.text) + "': " + what);
}

bool Decoding::take(std::string_view modifier) {
  for (std::size_t i = 0; i < statement.modifiers.size(); ++i)
    if (statement.modifiers[i] == modifier && (taken_ >> i & 1) == 0) {
      taken_ |= std::uint64_t{1} << i;
      return true;
    }
  return false;
}

std::string_view Decoding::takeAny(std::initializer_list<std::string_view> modifiers) {
  for (const std::string_view each : modifiers)
    if (take(each)) return each;
  return {};
}

Type Decoding::type() {
  for (std::size_t i = 0; i < statement.modifiers.size(); ++i) {
    const auto named = (taken_ >> i & 1) == 0 ? typeNamed(statement.modifiers[i]) : std::nullopt;
    if (!named) continue;
    taken_ |= std::uint64_t{1} << i;
    return *named;
  }
  fail("it has no type, or too few");
}

Space Decoding::space(Space standard) {
  static const std::map<std::string_view, Space>& spaces = *new std::map<std::string_view, Space>{
      {"global", Space::Global},          {"shared", Space::Shared},
      {"shared::cta", Space::Shared},     {"local", Space::Local},
      {"const", Space::Constant},         {"param", Space::Parameter},
      {"param::entry", Space::Parameter}, {"param::func", Space::Parameter},
  };
  for (const std::string_view each : statement.modifiers)
    if (const auto found = spaces.find(each); found != spaces.end() && take(each)) return found->second;
  return standard;
}

void Decoding::finish() const {
  for (std::size_t i = 0; i < statement.modifiers.size(); ++i)
    if ((taken_ >> i & 1) == 0) fail("modifier '." + std::string(statement.modifiers[i]) + "' is not known");
}

const Operand& Decoding::operand(std::size_t index) const {
  if (index >= statement.operands.size()) fail("it has " + std::to_string(operands()) + " operands");
  return statement.operands[index];
}

unsigned Decoding::bitsOf(const Operand& operand) const {
  return operand.form == Operand::Form::Register ? names.typeOf(operand.index).width() : 0;
}

std::int32_t Decoding::source(const Operand& operand, Type type) {
  const unsigned bits = type.width();
  switch (operand.form) {
    case Operand::Form::Register:
      if (bitsOf(operand) != bits) fail("a source has " + std::to_string(bitsOf(operand)) + " bits");
      return names.slot(operand.index);
    case Operand::Form::Integer: return names.constant(bits, operand.value);
    case Operand::Form::Real:
      if (bits == operand.realBits) return names.constant(bits, operand.value);
      if (bits == 32)
        return names.constant(32,
                              std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.value))));
      return names.constant(64, std::bit_cast<std::uint64_t>(static_cast<double>(
                                    std::bit_cast<float>(static_cast<std::uint32_t>(operand.value)))));
    case Operand::Form::Name:
      if (operand.name == "WARP_SZ") return names.constant(bits, 32);
      [[fallthrough]];
    case Operand::Form::Variable: {
      Space space{};
      return names.constant(bits, names.addressOf(operand, space));
    }
    default: fail("an operand has another form");
  }
}

std::int32_t Decoding::destination(const Operand& operand, unsigned bits) {
  if (operand.form == Operand::Form::Sink) return names.sink();
  if (operand.form != Operand::Form::Register) fail("a destination is no register");
  if (bitsOf(operand) != bits) fail("a destination has " + std::to_string(bitsOf(operand)) + " bits");
  return names.slot(operand.index);
}

std::int32_t Decoding::addressSlot(const Operand& operand) {
  const bool isAddress = operand.form == Operand::Form::Address;
  in.immediate = operand.displacement;
  if (isAddress && operand.parts.empty()) return names.constant(64, 0);
  const Operand& base = isAddress ? operand.parts[0] : operand;
  if (base.form == Operand::Form::Register) {
    in.isNarrow = bitsOf(base) == 32;
    return source(base, in.isNarrow ? b32 : b64);
  }
  Space space{};
  const std::uint64_t address = names.addressOf(base, space);
  in.immediate = 0;
  // A name in a generic access is that of a variable in its own space.
  if (in.space == Space::Generic && space != Space::Global && space != Space::Constant) in.space = space;
  return names.constant(64, address);
}

void Decoding::simple(Type to, std::initializer_list<Type> from) {
  if (operands() != from.size() + 1) fail("it has " + std::to_string(operands()) + " operands");
  in.to[0] = destination(0, to.width());
  std::size_t index = 0;
  for (const Type& each : from) {
    in.from[index] = source(index + 1, each);
    ++index;
  }
}

}  // namespace clarity::ptx
