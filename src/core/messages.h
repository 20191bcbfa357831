// SPDX-License-Identifier: Apache-2.0
// This file declares where the sentences that explain errors go when no callback of the application takes them:
// CLARITY_MESSAGES, CLARITY_TRACE and the last error of each thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace clarity::core {

/// Shows a sentence for a person: on standard error if it is a terminal, or as CLARITY_MESSAGES says. The same text is
/// shown once, in this process and in those forked from it. Standard error gets the beginning and the first error of a
/// long text, such as a build log; a file gets all of it. Any thread; holds no lock while it writes.
void showMessage(const std::string& text) noexcept;

/// Makes ready what a process shares with those that are forked from it. To be called before errors are expected.
void prepareMessages() noexcept;

/// The part of `text` for standard error: all of it, or of a long one the first line, the first error with its lines of
/// source, and the number of lines that are left out.
std::string briefly(std::string_view text);

/// The sentence that explains the last error of this thread; empty if there was none.
std::string_view lastError() noexcept;
/// The number of errors that this thread has had, to tell whether a call added one.
unsigned errorsOfThread() noexcept;
void setLastError(std::string text) noexcept;

/// Whether calls are traced (CLARITY_TRACE).
bool isTraced();
/// Writes a line of the trace: seconds since the first line, thread, `what`.
void traceLine(std::chrono::steady_clock::time_point at, std::string_view what) noexcept;

}  // namespace clarity::core
