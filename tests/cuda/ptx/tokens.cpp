// SPDX-License-Identifier: Apache-2.0
#include "tokens.h"

#include <bit>
#include <cctype>
#include <charconv>

namespace clarity::ptx {
namespace {

bool isOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}

}  // namespace

void Tokens::fail(const std::string& what) const {
  throw Error("line " + std::to_string(next_.line) + " of the PTX: " + what + ", but there is '" +
              std::string(next_.text) + "'");
}

void Tokens::expect(std::string_view text) {
  if (!takeIf(text)) fail("'" + std::string(text) + "' was expected");
}

std::string_view Tokens::word() {
  if (next_.form != Token::Form::Word) fail("a name was expected");
  return take().text;
}

std::int64_t Tokens::integer() {
  (void)takeIf("+");  // "[%rd1+-8]"
  const bool isNegative = takeIf("-");
  if (next_.form != Token::Form::Integer) fail("an integer was expected");
  const std::uint64_t value = take().value;
  return static_cast<std::int64_t>(isNegative ? 0 - value : value);
}

void Tokens::skipSpace() {
  for (;;) {
    if (rest_.starts_with("//")) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      const std::size_t end = std::min(rest_.find("*/"), rest_.size() - 2);
      for (const char c : rest_.substr(0, end)) line_ += c == '\n';
      rest_.remove_prefix(end + 2);
    } else if (!rest_.empty() && (std::isspace(static_cast<unsigned char>(rest_[0])) || rest_[0] == '\0')) {
      line_ += rest_[0] == '\n';
      rest_.remove_prefix(1);
    } else {
      return;
    }
  }
}

void Tokens::takeNumber() {
  std::size_t length = 0;
  while (length < rest_.size() && isOfWord(rest_[length])) ++length;
  const char second = length > 1 ? rest_[1] : ' ';
  std::string_view digits = rest_.substr(0, length);
  next_.text = digits;
  next_.form = Token::Form::Integer;
  int base = 10;
  if (rest_[0] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    next_.form = Token::Form::Real;
    next_.realBits = second == 'f' || second == 'F' ? 32 : 64;
    base = 16;
    digits.remove_prefix(2);
  } else if (rest_[0] == '0' && (second == 'x' || second == 'X')) {
    base = 16;
    digits.remove_prefix(2);
    if (digits.ends_with('U')) digits.remove_suffix(1);
  } else if (digits.contains('.')) {
    double value = 0;
    (void)std::from_chars(digits.data(), digits.data() + digits.size(), value);
    next_.form = Token::Form::Real;
    next_.realBits = 64;
    next_.value = std::bit_cast<std::uint64_t>(value);
    rest_.remove_prefix(length);
    return;
  } else if (rest_[0] == '0' && length > 1) {
    base = 8;
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), next_.value, base);
  if (error != std::errc() || (end != digits.data() + digits.size() && *end != 'U')) fail("a number was expected");
  rest_.remove_prefix(length);
}

void Tokens::advance() {
  skipSpace();
  next_ = {};
  next_.line = line_;
  if (rest_.empty()) return;
  const char first = rest_[0];
  if (std::isdigit(static_cast<unsigned char>(first))) return takeNumber();
  std::size_t length = 1;
  if (first == '"') {
    length = std::min(rest_.find('"', 1), rest_.size() - 1) + 1;
  } else if (isOfWord(first)) {
    while (length < rest_.size() && (isOfWord(rest_[length]) || rest_.substr(length).starts_with("::")))
      length += rest_[length] == ':' ? 2 : 1;  // ".shared::cta"
  }
  next_.form = isOfWord(first) ? Token::Form::Word : Token::Form::Mark;
  next_.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
}

}  // namespace clarity::ptx
