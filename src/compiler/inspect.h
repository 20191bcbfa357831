// SPDX-License-Identifier: Apache-2.0
// This file shows what the compiler has made to people (`clarity compile --emit`). No LLVM type is visible.
#pragma once

#include "compiler/compiler.h"

#include <string>
#include <string_view>

namespace clarity::compiler {

/// The IR of an image as text: portable IR of an Object or Library, kernel IR of an Executable. Empty with a reason
/// in `log` when the image is damaged.
std::string imageText(const Image& image, std::string& log);

enum class NativeForm { IR, Assembly, Object };

/// One kernel for one shape behind the whole pipeline, as text (or an ELF object). Empty with a reason in `log` when
/// it cannot be made.
std::string generateText(const Image& image, std::string_view kernel, const Shape& shape, const Target& target,
                         NativeForm form, std::string& log);

}  // namespace clarity::compiler
