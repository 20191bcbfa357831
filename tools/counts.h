// SPDX-License-Identifier: Apache-2.0
// This file declares the parsing of sizes on a command line.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// One size: `1000`, `2^20`, `4k`, `16M`, `1G` (powers of 1024), and products `3*1024`. Nothing if it is invalid or too
/// large.
std::optional<size_t> parseCount(std::string_view text);

/// Several sizes with a separator between them, `1024x768`.
std::optional<std::vector<size_t>> parseShape(std::string_view text, char separator = 'x');

/// One to three sizes with commas or `x` between them, for NDRanges. Throws UsageError that names `option`.
std::vector<size_t> parseRange(const std::string& option, const std::string& text, bool zeroAllowed = false);

/// The parts of `text` between separators.
std::vector<std::string> split(std::string_view text, char separator);

/// "4096x4096".
std::string shapeText(const std::vector<size_t>& sizes);

}  // namespace clarity::tools
