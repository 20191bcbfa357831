// SPDX-License-Identifier: Apache-2.0
// This file finds the line of the application's source that a call stands in.
#pragma once

#include "check/host_call.h"
#include "compiler/instrument/site.h"

namespace clarity::check {

/// The addresses that this thread's functions return to.
void takeFrames(Frames& frames) noexcept;

/// Where the application called: the first line of a source file that is not one of the system's headers, with the
/// calls that lead to it. Without debugging information the site has no line, and its variable is the function or the
/// module with the offset.
compiler::Site placeOf(const Frames& frames);

}  // namespace clarity::check
