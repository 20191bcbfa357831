// SPDX-License-Identifier: Apache-2.0
// This file reads calls in the application's source: their arguments, and the variable that their result goes to.
#pragma once

#include "check/host/debug_lines.h"
#include "compiler/ir/site.h"

#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::check {

/// Whether a character may be in a name of C.
inline bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Lines of a file, from the first one on, as one, without comments.
std::string sourceText(const std::string& file, std::uint32_t first, std::uint32_t count);

/// The arguments of the call of a function that begins in this line, at the column or behind it, without blanks; none
/// if there is no such call.
std::vector<std::string> argumentsInSource(const compiler::SiteCall& line, std::string_view function);

/// "items" of "Item* items = (Item*)clEnqueueMapBuffer(...", without blanks; else empty.
std::string nameOfResult(const compiler::SiteCall& line, std::string_view function);

/// "n" of "&n" and "(void*)&n"; else empty.
std::string nameOfAddressed(std::string_view argument);

/// The pointer that an expression without blanks is; none for expressions that are not followed.
std::optional<DebugPointer> pointerOf(std::string_view text);

/// The type of a number as the source writes it: 1, 0.5f, 2.0; none for other text.
std::optional<DebugVariable> typeOfNumber(std::string_view text);

}  // namespace clarity::check
