// SPDX-License-Identifier: Apache-2.0
// This file splits build options as a POSIX shell splits a command line, as applications expect: -I"/a b"
// -DNAME='"text"' -D X=a\ b. Nothing is expanded.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::support {

/// The words of `text`; or an error text if a quote is not closed or the text ends in a backslash.
std::expected<std::vector<std::string>, std::string> shellWords(std::string_view text);

}  // namespace clarity::support
