// SPDX-License-Identifier: Apache-2.0
// This file is the list of back ends.
#include "compiler/host/host_backend.h"
#include "compiler/ir/backend.h"
#include "compiler/ptx/nvptx_backend.h"

#include <algorithm>
#include <stdexcept>

namespace clarity::compiler {

std::span<const BackEnd* const> backEnds() {
  static const BackEnd* const all[] = {&hostBackEnd(), &nvptxBackEnd()};
  return all;
}

const BackEnd* findBackEnd(std::string_view name) {
  const auto found = std::ranges::find(backEnds(), name, [](const BackEnd* each) { return each->name(); });
  return found == backEnds().end() ? nullptr : *found;
}

const BackEnd& backEndOf(const Target& target) {
  if (const BackEnd* found = findBackEnd(target.backEnd)) return *found;
  throw std::logic_error("there is no back end '" + target.backEnd + "'");
}

}  // namespace clarity::compiler
