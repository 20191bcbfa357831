// SPDX-License-Identifier: Apache-2.0
// This file is the versions of the kernel language.
#pragma once

#include <optional>
#include <string_view>

namespace clarity::compiler {

/// A version of the language as -cl-std names it.
enum class Language { C10 = 100, C11 = 110, C12 = 120, C20 = 200, C30 = 300, C31 = 310, Cxx10 = 1000, Cxx2021 = 2021 };

/// OpenCL C of a version: 120 is C12, 210 is C20.
Language languageOfC(int version);

/// The name of a language as in -cl-std: "CL1.2".
std::string_view nameOf(Language);

/// The language of such a name, in letters of any case; none if there is none.
std::optional<Language> languageNamed(std::string_view name);

}  // namespace clarity::compiler
