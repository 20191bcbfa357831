// SPDX-License-Identifier: Apache-2.0
// This file writes text for people. A full disk, a closed file or a pipe that no one reads loses the text and nothing
// else: no exception, no signal.
#pragma once

#include <string_view>

namespace clarity::support {

/// Writes a text to a file descriptor, without stdio, which may be locked at a fork. errno stays as it is.
void writeAll(int file, std::string_view text) noexcept;

void writeToStandardError(std::string_view text) noexcept;

}  // namespace clarity::support
