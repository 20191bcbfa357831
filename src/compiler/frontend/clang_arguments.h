// SPDX-License-Identifier: Apache-2.0
// This file declares what clang is called with: the arguments, the macros and the pragmas that follow from the options
// of a build and from the target.
#pragma once

#include "compiler/frontend/options.h"
#include "compiler/ir/source.h"
#include "compiler/ir/target.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class OpenCLOptions;
}  // namespace clang

namespace clarity::compiler {

/// The folder of the in-memory files. No file on disk has such a path, and it is removed from the log.
inline constexpr std::string_view virtualRoot = "/<clarity>/";
/// Deep below the root, as names of headers may begin with "../".
inline constexpr std::string_view headerFolder = "/<clarity>/1/2/3/4/5/6/7/8/headers";
inline constexpr std::string_view baseHeaderText = "/<clarity>/opencl-c-base.h";

/// The arguments of `clang -cc1` for a program, with the macros that declare what it may use.
std::vector<std::string> clangArguments(std::string_view source, std::span<const Header> headers,
                                        const Options& options, const Target& target);

/// The text that the preprocessor reads after the base header: the application's -D and -U. They come last, so that
/// they override the header's macros and cannot break the header. Types that the device supports need no pragma, as in
/// OpenCL C 1.2.
std::string macroText(const Options& options, const Target& target);

/// Suppresses warnings for `#pragma OPENCL EXTENSION name : enable` of every extension that the device has. Clang warns
/// of extensions that need no pragma or that it does not know, which -Werror would turn into errors although the
/// standard allows it.
void acceptPragmas(clang::OpenCLOptions& known, const Target& target);

}  // namespace clarity::compiler
