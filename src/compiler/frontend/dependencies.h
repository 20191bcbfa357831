// SPDX-License-Identifier: Apache-2.0
// This file says what a compile asked the file system, so that a cached result can be checked against the files of
// another day.
#pragma once

#include "support/fields.h"

#include <cstdint>
#include <string>

namespace clarity::compiler {

/// One question to the file system and its answer. Absence is an answer too: a header that appears in an earlier -I
/// folder changes the program. A path is as the compiler asked for it; relative ones mean the working folder.
struct Dependency {
  enum class State : std::uint8_t {
    Absent,   ///< nothing there
    Folder,   ///< a folder is there
    Exists,   ///< a file is there; its content was not looked at
    Content,  ///< a file with this hash was read
  };
  std::string path;
  State state = State::Absent;
  support::Hash128 hash{};

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("path", &Dependency::path), field("state", &Dependency::state),
                              field("hash", &Dependency::hash));
  }
  bool operator==(const Dependency&) const = default;
};
static_assert(support::listsEveryField<Dependency>);

/// Whether the file system would give the same answer now.
bool stillHolds(const Dependency&);

}  // namespace clarity::compiler
