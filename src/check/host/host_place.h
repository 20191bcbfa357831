// SPDX-License-Identifier: Apache-2.0
// This file finds the line of the application's source that a call stands in.
#pragma once

#include "check/host/debug_lines.h"
#include "check/host/host_call.h"
#include "compiler/ir/site.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clarity::check {

/// The addresses that this thread's functions return to.
void takeFrames(Frames& frames) noexcept;

/// The place where the application called: the first line of a source file that is not one of the system's headers,
/// with the calls that lead to it. Without debugging information the site has no line, and its variable is the function
/// or the module with the offset.
compiler::Site placeOf(const Frames& frames);

/// Whether a method of opencl.hpp's classes makes the call.
bool isOfClasses(const Frames& frames);
/// Whether an instruction is one of a library whose file begins with this name: "libc.so".
bool isOfLibrary(const void* instruction, std::string_view name);
/// Whether an instruction is one of the driver.
bool isOfOwnLibrary(const void* instruction);

/// A variable of the application, as debugging information describes it.
struct GivenVariable {
  std::string name;
  DebugVariable type;
};

/// The use of a pointer in the source: by which function, as which argument.
struct PointerUse {
  static constexpr unsigned result = ~0u;  ///< in place of an argument: what the result is assigned to
  std::string_view function;
  unsigned argument = 0;
};
/// The variable whose address the application's call gives so (`&name`), or that it gives to a method of opencl.hpp
/// (`name`, `0.5f`); none where debugging information or the source is not there, or the argument is of another form.
std::optional<GivenVariable> variableGiven(const Frames& frames, std::span<const PointerUse> uses);
/// The elements that such a pointer points at (`items`, `&items[0]`, `state->items.data()`), by the name of the
/// pointer; none as above. Calls through the classes of opencl.hpp are those that the application makes of them.
std::optional<GivenVariable> elementsGiven(const Frames& frames, std::span<const PointerUse> uses);

/// A call as the application's source has it.
struct CallInSource {
  std::string module;        ///< the path of the file with the code
  std::string before, text;  ///< the lines before, and those from its own on, as one each, without comments
  std::uint32_t column = 0;  ///< in `text`, from 1; 0: unknown
};
/// Without debugging information the module alone.
std::optional<CallInSource> callInSource(const Frames& frames);

/// The use that the source makes of the error of a call (host_error_use.cpp).
enum class ErrorUse : std::uint8_t {
  Unknown,   ///< there is no debugging information, or the source is of another form
  Dropped,   ///< it goes nowhere, or is overwritten before anything reads it
  LookedAt,  ///< something reads it: a condition, a function, a library that makes an exception of it
};
ErrorUse errorUse(const Frames& frames, std::string_view function);

}  // namespace clarity::check
