// SPDX-License-Identifier: Apache-2.0
// This file lists build options of other implementations: whole words, and how others begin.
#include "compiler/frontend/ignored_options.h"

#include <algorithm>
#include <iterator>

namespace clarity::compiler {
namespace {

constexpr std::string_view ignoredPrefixes[] = {
    "-cl-nv-",
    "-cl-intel-",
    "-cl-amd-",
    "-cl-arm-",
    "-cl-mali-",
    "-qcom-",
    "-cl-poclbuild-",
    "-ze-",
    "-fbin-",
    "-save-temps",
    "-fno-bin-",
    "-m32",
    "-m64",
    "-spir-std=",
    "-cl-ext=",
    "-cl-store-cache-default=",
    "-cl-load-cache-default=",
    "-dump-opt-",
};
constexpr std::string_view ignoredWords[] = {"-s",
                                             "-spir",
                                             "-O0",
                                             "-O1",
                                             "-O2",
                                             "-O3",
                                             "-O4",
                                             "-O5",
                                             "-O",
                                             "-Os",
                                             "-profiling",
                                             "-gline-tables-only",
                                             "-cl-match-sincospi",
                                             "-cl-fp64-gen-emu",
                                             "-cl-fp64-gen-conv-emu",
                                             "-cl-take-global-address",
                                             "-cl-poison-unsupported-fp64-kernels",
                                             "-cl-replace-global-offsets-by-zero"};

}  // namespace

bool isIgnoredOption(std::string_view word) {
  const auto begins = [&](std::string_view prefix) { return word.starts_with(prefix); };
  return std::ranges::any_of(ignoredPrefixes, begins) ||
         std::ranges::find(ignoredWords, word) != std::end(ignoredWords);
}

}  // namespace clarity::compiler
