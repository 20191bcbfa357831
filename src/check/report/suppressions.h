// SPDX-License-Identifier: Apache-2.0
// This file reads which findings are not to be reported.
#pragma once

#include "check/report/finding.h"

#include <string>
#include <string_view>
#include <vector>

namespace clarity::check {

/// Lines KIND:KERNEL:FILE:LINE or KIND:KERNEL:VARIABLE of patterns, in which * stands for any text; what is left out at
/// the end may be anything. A kind is a name of kinds.def, or same-value: races of work-items that write the same
/// value. Lines that begin with # are comments.
class Suppressions {
public:
  Suppressions() = default;
  explicit Suppressions(std::string_view text);

  bool contains(const Finding&) const;

private:
  struct Line {
    std::string kind, kernel, place, line;
  };
  std::vector<Line> lines_;
};

}  // namespace clarity::check
