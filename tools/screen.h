// SPDX-License-Identifier: Apache-2.0
// This file declares how text is laid out and coloured for the terminal that it goes to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace clarity::tools {

/// Columns of the terminal on standard output, from 40 to 140. Where it is none, COLUMNS in the environment or 80.
size_t screenWidth();

/// Whether standard output or standard error shows colours: a terminal, and neither NO_COLOR nor TERM=dumb.
bool standardOutputHasColour();
bool standardErrorHasColour();

/// Breaks every line of `text` at spaces so that it has at most `width` columns; a word that is longer stays whole.
/// The rest of a line is indented like its last column, the text after a run of spaces, or like the line itself.
std::string wrapped(std::string_view text, size_t width);

/// A text of at most so many characters, which ends with dots where it was longer.
std::string shortened(const std::string& text, size_t most);

/// Writes to standard error as far as it takes it: where it is closed or full, there is no place to say so.
void printError(std::string_view text) noexcept;

/// Takes the numbers of standard input, output and error where they are closed, so that no other file gets them and is
/// written to in their place. Reading and writing them still fails, and programs that are started find them closed.
void standInForClosed() noexcept;

/// Writes a log of the compiler to standard error, with colours where it shows them.
void printLog(std::string_view log);

}  // namespace clarity::tools
