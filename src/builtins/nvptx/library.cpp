// SPDX-License-Identifier: Apache-2.0
// This file finds the bitcode that the build embeds.
#include "builtins/nvptx/library.h"

extern "C" const char clarity_nvptx_library_begin[], clarity_nvptx_library_end[];

namespace clarity::builtins {

std::string_view nvptxLibrary() {
  return {clarity_nvptx_library_begin,
          static_cast<std::size_t>(clarity_nvptx_library_end - clarity_nvptx_library_begin)};
}

}  // namespace clarity::builtins
