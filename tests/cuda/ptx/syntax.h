// SPDX-License-Identifier: Apache-2.0
// This file is a PTX module as its text has it: variables, functions, and the operands of every instruction by register
// and by name. Views point into the text, which outlives all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::ptx {

/// Text that is no PTX, or PTX that is not known here. what() names the line.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { Predicate, Bits, Unsigned, Signed, Float, BFloat };

struct Type {
  Kind kind = Kind::Bits;
  std::uint8_t bits = 0;   ///< bits of an element; 0: no type
  std::uint8_t count = 1;  ///< 2 in f16x2
  unsigned width() const { return unsigned{bits} * count; }
  bool isFloat() const { return kind == Kind::Float || kind == Kind::BFloat; }
  bool isInteger() const { return kind == Kind::Unsigned || kind == Kind::Signed; }
  friend bool operator==(const Type&, const Type&) = default;
};

inline constexpr Type predicate{Kind::Predicate, 1}, b16{Kind::Bits, 16}, b32{Kind::Bits, 32}, b64{Kind::Bits, 64},
    u32{Kind::Unsigned, 32}, s32{Kind::Signed, 32}, u64{Kind::Unsigned, 64};

/// The type of a modifier without its dot, such as "u32"; nothing if it names none.
std::optional<Type> typeNamed(std::string_view);

enum class Space : std::uint8_t { Generic, Global, Shared, Local, Constant, Parameter };

struct Variable {
  std::string_view name;
  Space space = Space::Global;
  std::uint64_t bytes = 0, alignment = 1;
  bool isExternal = false;
  std::vector<std::byte> contents;  ///< empty: zeros
  struct Pointer {
    std::uint64_t offset;
    std::string_view target;
    std::int64_t addend;
    bool isGeneric;
  };
  std::vector<Pointer> pointers;
};

struct Operand {
  enum class Form : std::uint8_t { Register, Variable, Name, Integer, Real, Address, Vector, Pair, List, Sink };
  Form form = Form::Sink;
  bool isNegated = false;     ///< "!%p1"
  unsigned index = 0;         ///< the index of the function's register or variable
  std::string_view name;      ///< the name of something of the module, a special register or a label
  std::uint64_t value = 0;    ///< an integer, or the bits of a real
  std::uint8_t realBits = 0;  ///< 32 or 64
  std::int64_t displacement = 0;
  /// Elements of a vector or list, both destinations of a pair, the base of an address if that is no number.
  std::vector<Operand> parts;
};

struct Statement {
  std::string_view text;  ///< "setp.lt.s32"
  std::string_view opcode;
  std::vector<std::string_view> modifiers;  ///< without dots
  std::vector<Operand> operands;
  std::optional<Operand> guard;
  unsigned line = 0;
};

struct FunctionText {
  std::string_view name;
  bool isEntry = false;
  unsigned line = 0;
  std::vector<Type> registers;
  std::vector<Variable> variables;            ///< parameters, results and local variables
  std::vector<unsigned> parameters, results;  ///< among the variables
  std::vector<Statement> statements;
  std::map<std::string_view, unsigned> labels;                        ///< the statement that follows each
  std::map<std::string_view, std::vector<std::string_view>> targets;  ///< targets of .branchtargets
  unsigned maxThreads = 0;                                            ///< threads of .maxntid and .reqntid; 0: not said
};

struct ModuleText {
  std::vector<Variable> variables;
  std::vector<FunctionText> functions;
};

template <class Range, class Value>
bool holds(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

/// Throws Error.
ModuleText parse(std::string_view text);

}  // namespace clarity::ptx
