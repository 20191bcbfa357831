// SPDX-License-Identifier: Apache-2.0
// This file finds the line of the application's source that a call stands in.
#pragma once

#include "check/host_call.h"
#include "compiler/instrument/debug_lines.h"
#include "compiler/instrument/site.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clarity::check {

/// The addresses that this thread's functions return to.
void takeFrames(Frames& frames) noexcept;

/// Where the application called: the first line of a source file that is not one of the system's headers, with the
/// calls that lead to it. Without debugging information the site has no line, and its variable is the function or the
/// module with the offset.
compiler::Site placeOf(const Frames& frames);

/// A variable whose address the application's call gives as an argument (`&name`, the index from 0), as debugging
/// information describes it; none where this or the source is not there, or the argument is of another form.
struct GivenVariable {
  std::string name;
  compiler::DebugVariable type;
};
std::optional<GivenVariable> variableGiven(const Frames& frames, std::string_view function, unsigned argument);

/// How a pointer is given in the source: to which function, as which argument.
struct PointerUse {
  static constexpr unsigned result = ~0u;  ///< in place of an argument: what the result is assigned to
  std::string_view function;
  unsigned argument = 0;
};
/// What such a pointer points at (`items`, `&items[0]`, `state->items.data()`), by the name of the pointer; none as
/// above. Calls through the classes of opencl.hpp are those that the application makes of them.
std::optional<GivenVariable> elementsGiven(const Frames& frames, std::span<const PointerUse> uses);

}  // namespace clarity::check
