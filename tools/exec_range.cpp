// SPDX-License-Identifier: Apache-2.0
// This file compares ranges with buffers.
#include "exec_range.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include "command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {
namespace {

// The largest buffer of those that are wanted; null if there is none.
const Array* largest(const std::vector<Argument>& arguments, const std::vector<ArgumentValue>& values, bool written) {
  const Array* found = nullptr;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Array* array = std::get_if<Array>(&values[i]);
    if (array && (!written || !arguments[i].readOnly) && (!found || array->count() > found->count())) found = array;
  }
  return found;
}

}  // namespace

std::vector<size_t> fittingRange(const std::vector<Argument>& arguments, const std::vector<ArgumentValue>& values) {
  const Array* array = largest(arguments, values, true);
  if (!array) array = largest(arguments, values, false);
  if (!array) return {};
  if (const auto picture = pictureSize(*array)) return {picture->width, picture->height};
  return {array->count()};
}

std::string misfitText(const std::vector<size_t>& range, const std::vector<Argument>& arguments,
                       const std::vector<ArgumentValue>& values) {
  const size_t items = std::accumulate(range.begin(), range.end(), size_t{1}, std::multiplies<>());
  const Array* all = largest(arguments, values, false);
  if (!all) return {};
  const bool noneIsEnough = all->count() < items;
  std::vector<std::string> small;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (const Array* array = std::get_if<Array>(&values[i]); array && array->count() < items)
      if (noneIsEnough || array->count() > items / 2)
        small.push_back(fmt::format("'{}' has {}", arguments[i].name, Counted{array->count(), "element"}));
  if (small.empty()) return {};
  return fmt::format(
      "the range has {}, but {}. If the kernel does not compare its ids with a size, it accesses memory "
      "behind the buffer. Without --global the range fits.",
      Counted{items, "work-item"}, fmt::join(small, " and "));
}

}  // namespace clarity::tools
