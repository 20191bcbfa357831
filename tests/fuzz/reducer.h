// SPDX-License-Identifier: Apache-2.0
// This file makes failing programs small: it deletes statements and simplifies expressions for as long as the program
// still fails in the same way.
#pragma once

#include <functional>
#include <string>

#include "program.h"

namespace clarity::fuzz {

/// Whether a program fails as the first one did.
using StillFails = std::function<bool(const Program&)>;
/// Called now and then with how far the reduction is.
using Progress = std::function<void(std::size_t tests, std::size_t lines)>;

/// The program after all the changes that keep the failure. The trees of the given program are changed.
Program reduce(Program program, const StillFails& stillFails, const Progress& progress, int seconds);

}  // namespace clarity::fuzz
