// SPDX-License-Identifier: Apache-2.0
// This file recognises text that is not UTF-8.
#pragma once

#include <string_view>

namespace clarity::compiler {

/// "UTF-16" or "UTF-32" if a source is text of that encoding, by its byte order mark or by the zeros between its first
/// characters; empty for all other content.
std::string_view wideEncodingOf(std::string_view source);

}  // namespace clarity::compiler
