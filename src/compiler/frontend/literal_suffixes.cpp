// SPDX-License-Identifier: Apache-2.0
// This file shortens the suffixes of literals.
#include "compiler/frontend/literal_suffixes.h"

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cstddef>

namespace clarity::compiler {
namespace {

bool isFloatingPoint(llvm::StringRef digits) {
  return digits.starts_with_insensitive("0x") ? digits.find_first_of(".pP") != digits.npos
                                              : digits.find_first_of(".eE") != digits.npos;
}

}  // namespace

void shortenSuffix(clang::Token& token, clang::Preprocessor& preprocessor) {
  if (token.isNot(clang::tok::numeric_constant) || token.needsCleaning() || token.hasUDSuffix()) return;
  const char* data = token.getLiteralData();
  if (!data) return;
  const llvm::StringRef text(data, token.getLength()), digits = text.rtrim("lLuU");
  llvm::StringRef suffix = text.drop_front(digits.size());
  const std::size_t at =
      isFloatingPoint(digits) ? (suffix.equals_insensitive("l") ? 0 : suffix.npos) : suffix.find_insensitive("ll");
  if (at == suffix.npos) return;
  const std::size_t cut = digits.size() + at, length = text.size() - 1;
  // The text of the program stays as it is. Clang looks at the character behind a literal, which is no part of one.
  char* shorter = static_cast<char*>(preprocessor.getPreprocessorAllocator().Allocate(length + 1, 1));
  shorter[length] = '\0';
  std::copy(text.begin(), text.begin() + cut, shorter);
  std::copy(text.begin() + cut + 1, text.end(), shorter + cut);
  token.setLiteralData(shorter);
  token.setLength(static_cast<unsigned>(length));
}

}  // namespace clarity::compiler
