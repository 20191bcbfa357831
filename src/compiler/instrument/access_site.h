// SPDX-License-Identifier: Apache-2.0
// This file describes the places of a program that instrumented code reports from.
#pragma once

#include "support/fields.h"

#include <cstdint>
#include <string>

namespace clarity::compiler {

enum class AccessKind : std::uint8_t { Read, Write, AtomicRead, AtomicWrite, AtomicUpdate };
inline bool reads(AccessKind kind) {
  return kind == AccessKind::Read || kind == AccessKind::AtomicRead || kind == AccessKind::AtomicUpdate;
}
inline bool writes(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::AtomicWrite || kind == AccessKind::AtomicUpdate;
}
inline bool isAtomic(AccessKind kind) { return kind >= AccessKind::AtomicRead; }

/// One access to memory as it stands in the source. Functions of the builtin library access memory where they are
/// called.
struct AccessSite {
  AccessKind kind = AccessKind::Read;
  std::uint32_t addressSpace = 0;      ///< of spir64: 1 global, 2 constant, 3 local, 4 generic
  std::uint32_t line = 0, column = 0;  ///< from 1; 0: unknown
  std::string variable;                ///< what the address was computed from: a parameter, a variable; empty: unknown
  std::string text;                    ///< the source line, without blanks around it; empty: unknown

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &AccessSite::kind), field("addressSpace", &AccessSite::addressSpace),
                              field("line", &AccessSite::line), field("column", &AccessSite::column),
                              field("variable", &AccessSite::variable), field("text", &AccessSite::text));
  }
  bool operator==(const AccessSite&) const = default;
};
static_assert(support::listsEveryField<AccessSite>);

}  // namespace clarity::compiler
