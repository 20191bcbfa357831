// SPDX-License-Identifier: Apache-2.0
// This file declares the median and the formatting of measured numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// The median; 0 without values.
double median(std::vector<double> values);

/// "12.3 us", "4.56 ms": three digits and the unit that suits.
std::string timeText(double seconds);

/// "25.4 GB/s", "128 B/s"; without a unit "25.4 G", "128": three digits and the prefix that suits.
std::string siText(double value, std::string_view unit = {});

/// Parts of less round to 0 %.
inline constexpr double leastPercent = 0.005;
/// "12 %"; "<1 %" where it would be 0 % of something that is there.
std::string percentText(double part);

/// Three digits without exponent: "0.0123", "1.23", "123", "12345".
std::string shortText(double value);

}  // namespace clarity::tools
