// SPDX-License-Identifier: Apache-2.0
// This file holds the texts of the kinds.
#include "check/report/finding.h"

namespace clarity::check {

const KindText& textOf(Kind kind) {
  static constexpr KindText texts[] = {
#define CHECK_KIND(Name, name, group, title, help) {name, Group::group, title, help},
#include "check/report/kinds.def"
#undef CHECK_KIND
  };
  return texts[static_cast<std::size_t>(kind)];
}

}  // namespace clarity::check
