// SPDX-License-Identifier: Apache-2.0
// This file declares how the report quotes a kernel's source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// The lines of a source. Lines and columns count from 1, as in debug locations.
class SourceText {
public:
  explicit SourceText(std::string_view source);

  /// The expression that an access at this place means, such as `a[row * n + k]`, `p->x` or `*q`; at an assignment's
  /// operator what stands to its left. Empty if nothing of that kind stands there, or if it is long.
  std::string expressionAt(unsigned line, unsigned column) const;
  /// The operator that stands at a place, such as `%` or `>>`; empty: none.
  std::string operatorAt(unsigned line, unsigned column) const;

private:
  std::vector<std::string_view> lines_;
};

}  // namespace clarity::compiler
