// SPDX-License-Identifier: Apache-2.0
// This file has the names of the kernel language's versions.
#include "compiler/frontend/language.h"

#include <algorithm>

namespace clarity::compiler {
namespace {

struct LanguageName {
  std::string_view name;
  Language language;
};
constexpr LanguageName languages[] = {
    {"CL1.0", Language::C10},      {"CL1.1", Language::C11},   {"CL1.2", Language::C12},
    {"CL2.0", Language::C20},      {"CL3.0", Language::C30},   {"CL3.1", Language::C31},
    {"CLC++1.0", Language::Cxx10}, {"CLC++", Language::Cxx10}, {"CLC++2021", Language::Cxx2021},
    {"CL", Language::C10},
};

}  // namespace

Language languageOfC(int version) {
  return version >= 300   ? Language::C30
         : version >= 200 ? Language::C20
         : version >= 120 ? Language::C12
         : version >= 110 ? Language::C11
                          : Language::C10;
}

std::string_view nameOf(Language language) {
  return std::ranges::find(languages, language, &LanguageName::language)->name;
}

std::optional<Language> languageNamed(std::string_view name) {
  const auto equal = [](char a, char b) { return (a | 32) == (b | 32); };
  const auto found = std::ranges::find_if(
      languages, [&](const LanguageName& known) { return std::ranges::equal(known.name, name, equal); });
  if (found == std::end(languages)) return std::nullopt;
  return found->language;
}

}  // namespace clarity::compiler
