// SPDX-License-Identifier: Apache-2.0
// This file describes the places of a program that instrumented code reports from.
#pragma once

#include "support/fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clarity::compiler {

enum class SiteKind : std::uint8_t {
  Read,
  Write,
  AtomicRead,
  AtomicWrite,
  AtomicUpdate,
  Barrier,     ///< a barrier, or a function that the whole work-group has to call
  Division,    ///< a quotient of integers, or their remainder
  Shift,       ///< a shift of integers
  Conversion,  ///< a conversion of a floating-point number to an integer
  Overflow,    ///< signed arithmetic
  NotFinite,   ///< an operation that makes NaN or an infinity of finite numbers
  // Uses of a value that was never written.
  Branch,
  Address,
  Divisor,
  Output,       ///< stored in global memory, printed, or handed to a function of the work-group
  Declaration,  ///< not a use: where the variable is declared
  EndedScope,   ///< not a use: the declaration of a variable whose scope has ended, or what reads it afterwards
  Loop,         ///< the branch back
};
inline bool reads(SiteKind kind) {
  return kind == SiteKind::Read || kind == SiteKind::AtomicRead || kind == SiteKind::AtomicUpdate;
}
inline bool writes(SiteKind kind) {
  return kind == SiteKind::Write || kind == SiteKind::AtomicWrite || kind == SiteKind::AtomicUpdate;
}
inline bool isAtomic(SiteKind kind) { return kind >= SiteKind::AtomicRead && kind <= SiteKind::AtomicUpdate; }

/// The place that a function was called from.
struct SiteCall {
  std::string function;  ///< the caller, as the source names it
  std::string file;
  std::uint32_t line = 0, column = 0;

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("function", &SiteCall::function), field("file", &SiteCall::file),
                              field("line", &SiteCall::line), field("column", &SiteCall::column));
  }
  bool operator==(const SiteCall&) const = default;
};

/// The origin of the address of an access, as far as the code says.
enum class SiteObject : std::uint8_t {
  Unknown,   ///< a pointer from memory, or one of several
  Argument,  ///< a buffer, or local memory, among the kernel's arguments
  Local,     ///< a variable in local memory
  Private,   ///< a private variable
  Global,    ///< a program-scope variable
  Constant,  ///< one in constant memory
  Member,    ///< an array in a structure
};

/// One access, division, ... as it stands in the source. Functions of the builtin library access memory where they are
/// called.
struct Site {
  SiteKind kind = SiteKind::Read;
  std::uint32_t addressSpace = 0;      ///< the number in spir64: 0 private, 1 global, 2 constant, 3 local, 4 generic
  std::uint32_t line = 0, column = 0;  ///< from 1; 0: unknown
  std::string variable;                ///< the parameter or variable that the address was computed from; empty: unknown
  std::string text;                    ///< the source line, without blanks around it; empty: unknown
  std::uint32_t indent = 0;            ///< blanks ahead of it, which `column` counts
  std::string file;                    ///< as diagnostics name it; empty: unknown
  SiteObject object = SiteObject::Unknown;
  std::uint32_t argument = 0;      ///< an Argument's index in KernelInfo::args
  std::uint32_t elementBytes = 0;  ///< bytes of what the address points at; 0: unknown
  std::uint32_t alignment = 1;     ///< in bytes, that the type asks for
  bool isCopy = false;             ///< by a copy of the work-group: async_work_group_copy and the like
  std::vector<SiteCall> calls;     ///< from the function that the place is in outwards, the last one is the kernel

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(
        field("kind", &Site::kind), field("addressSpace", &Site::addressSpace), field("line", &Site::line),
        field("column", &Site::column), field("variable", &Site::variable), field("text", &Site::text),
        field("indent", &Site::indent), field("file", &Site::file), field("object", &Site::object),
        field("argument", &Site::argument), field("elementBytes", &Site::elementBytes),
        field("alignment", &Site::alignment), field("isCopy", &Site::isCopy), field("calls", &Site::calls));
  }
  bool operator==(const Site&) const = default;
};
static_assert(support::listsEveryField<SiteCall> && support::listsEveryField<Site>);

}  // namespace clarity::compiler
