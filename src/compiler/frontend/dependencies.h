// SPDX-License-Identifier: Apache-2.0
// This file describes which files a compile depended on, so that a cached result can be checked against the files that
// exist later.
#pragma once

#include "support/fields.h"

#include <cstdint>
#include <string>

namespace clarity::compiler {

/// One query to the file system and its result. Absence is a result too: a header that is added to an earlier -I folder
/// changes the program. The path is as clang wrote it; relative paths refer to the working folder.
struct Dependency {
  enum class State : std::uint8_t {
    Absent,   ///< no such file or folder
    Folder,   ///< a folder exists
    Exists,   ///< a file exists; its content was not read
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

/// Whether the file system would return the same result now.
bool isUnchanged(const Dependency&);

}  // namespace clarity::compiler
