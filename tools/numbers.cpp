// SPDX-License-Identifier: Apache-2.0
// This file formats measured numbers.
#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string shortText(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::fabs(value);
  if (size == 0) return "0";
  const int digitsBefore = static_cast<int>(std::floor(std::log10(size))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(3 - digitsBefore, 0, 6));
}

std::string percentText(double part) {
  return part > 0 && part < leastPercent ? "<1 %" : fmt::format("{:.0f} %", 100 * part);
}

std::string timeText(double seconds) {
  if (seconds < 1e-6) return shortText(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return shortText(seconds * 1e6) + " us";
  if (seconds < 1) return shortText(seconds * 1e3) + " ms";
  return shortText(seconds) + " s";
}

std::string siText(double value, std::string_view unit) {
  constexpr std::pair<double, const char*> prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [size, prefix] : prefixes)
    if (value >= size) return fmt::format("{} {}{}", shortText(value / size), prefix, unit);
  return fmt::format("{}{}{}", shortText(value), unit.empty() ? "" : " ", unit);
}

}  // namespace clarity::tools
