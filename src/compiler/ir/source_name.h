// SPDX-License-Identifier: Apache-2.0
// This file says what a program itself asks of its build options.
#pragma once

#include <string>
#include <string_view>

namespace clarity::compiler {

/// The name of a source that is compiled with these build options, in diagnostics and line tables.
std::string sourceName(std::string_view options);

/// Whether arguments of kernels are to be described, whatever the program was made from.
bool describesArguments(std::string_view options);

}  // namespace clarity::compiler
