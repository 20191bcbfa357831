// SPDX-License-Identifier: Apache-2.0
// This file knows the build options of other implementations, which applications pass to all of them.
#pragma once

#include <string_view>

namespace clarity::compiler {

/// Whether a word of the build options is accepted without effect. No result changes by that.
bool isIgnoredOption(std::string_view word);

}  // namespace clarity::compiler
