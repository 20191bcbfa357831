// SPDX-License-Identifier: Apache-2.0
// This file declares the search for what a misspelt word may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace clarity::support {

/// The word of `known` that is most similar to `word`, by the number of letters to change, add or remove; empty if none
/// is similar.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// " (did you mean 'saxpy'?)", or an empty text.
std::string didYouMean(std::string_view word, std::span<const std::string> known);

}  // namespace clarity::support
