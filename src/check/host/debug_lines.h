// SPDX-License-Identifier: Apache-2.0
// This file reads the debugging information of an executable or a library: which lines of the application's source a
// machine instruction comes from.
#pragma once

#include "compiler/ir/site.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clarity::check {

/// A number in a variable.
struct DebugNumber {
  enum class Kind : std::uint8_t { Integer, Float, Other };
  Kind kind = Kind::Other;
  std::uint64_t offset = 0, bytes = 0;
  bool operator==(const DebugNumber&) const = default;
};

/// A variable of the source, or what a pointer of it points at.
struct DebugVariable {
  std::string type;  ///< as the source names it; empty: it has no name
  std::uint64_t bytes = 0;
  bool isScalar = false;
  std::vector<DebugNumber> numbers;  ///< in the order of their offsets; none where the type is not followed
  bool isArray = false;
};

/// A pointer as the source writes it, such as `items`, `&items[0]`, `state->items.data()`: a name, and what is done
/// with it.
struct DebugPointer {
  struct Step {
    enum class Kind : std::uint8_t {
      Member,   ///< `.name`
      Through,  ///< `->`; the member is the next step
      Element,  ///< `[...]`
      Data,     ///< `.data()`, `.get()`: of a container or a smart pointer, the last step
    };
    Kind kind = Kind::Member;
    std::string name{};
  };
  std::string name;
  std::vector<Step> steps;
  bool isAddress = false;  ///< `&`
};

/// Not for several threads at once.
class DebugLines {
public:
  /// Null if the file cannot be read or is no object file.
  static std::unique_ptr<DebugLines> open(const std::string& path);
  virtual ~DebugLines() = default;
  /// The line of an instruction and those of the calls through which it was inlined, innermost first; empty if it is
  /// not known. `address` as the file counts it.
  virtual std::vector<compiler::SiteCall> linesAt(std::uint64_t address) = 0;
  /// The variable that a name means where the instruction stands, in one of the functions that were inlined there, as
  /// linesAt() names it; none if that is not known.
  virtual std::optional<DebugVariable> variableAt(std::uint64_t address, const std::string& function,
                                                  const std::string& name) = 0;
  /// The same of what a pointer points at.
  virtual std::optional<DebugVariable> elementAt(std::uint64_t address, const std::string& function,
                                                 const DebugPointer& pointer) = 0;
};

}  // namespace clarity::check
