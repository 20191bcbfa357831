// SPDX-License-Identifier: Apache-2.0
// This file declares the colours of diagnostics on terminals.
#pragma once

#include <string>
#include <string_view>

namespace clarity::support {

/// `text` with the escape sequences of a terminal: "error:", "warning:", "note:" and names of OpenCL's error codes, the
/// location before them, and the carets under lines of source, in the colours of compilers.
std::string coloured(std::string_view text);

}  // namespace clarity::support
