// SPDX-License-Identifier: Apache-2.0
// This file splits PTX into words, numbers and punctuation.
#pragma once

#include "syntax.h"

namespace clarity::ptx {

struct Token {
  enum class Form : std::uint8_t { Word, Integer, Real, Mark, End };
  Form form = Form::End;
  std::string_view text;
  std::uint64_t value = 0;    ///< the integer, or the bits of the real
  std::uint8_t realBits = 0;  ///< 32 or 64
  unsigned line = 0;
};

class Tokens {
public:
  explicit Tokens(std::string_view text) : rest_(text) { advance(); }
  const Token& peek() const { return next_; }
  Token take() {
    Token taken = next_;
    advance();
    return taken;
  }
  bool isAt(std::string_view text) const { return next_.text == text && next_.form != Token::Form::End; }
  bool takeIf(std::string_view text) {
    if (!isAt(text)) return false;
    advance();
    return true;
  }
  void expect(std::string_view text);
  std::string_view word();
  /// With its sign.
  std::int64_t integer();
  [[noreturn]] void fail(const std::string& what) const;

private:
  void advance();
  void skipSpace();
  void takeNumber();

  std::string_view rest_;
  unsigned line_ = 1;
  Token next_;
};

}  // namespace clarity::ptx
