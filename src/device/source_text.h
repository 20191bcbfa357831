// SPDX-License-Identifier: Apache-2.0
// This file is the text that a program was compiled from, as far as the application gave it, to quote lines of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::device {

/// Files by the names that the compiler knows them by. Cheap to copy.
class SourceText {
public:
  /// `text` is null where it is not known.
  void add(std::string file, std::shared_ptr<const std::string> text);
  void add(const SourceText& other);

  /// A line, from 1, as #line directives count, without blanks around it and cut to 80 columns. Empty: not known, or
  /// not certain, as different texts have this line.
  std::string line(std::string_view file, std::uint32_t line) const;

  using File = std::pair<std::string, std::shared_ptr<const std::string>>;
  const std::vector<File>& files() const { return files_; }

private:
  std::vector<File> files_;
};

}  // namespace clarity::device
