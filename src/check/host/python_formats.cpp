// SPDX-License-Identifier: Apache-2.0
// This file reads formats from left to right. Padding is written out, as NumPy and ctypes do.
#include "check/host/python_formats.h"

#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

class FormatReader {
public:
  explicit FormatReader(std::string_view text) : text_(text) {}

  bool isDone() const { return text_.empty(); }
  std::uint64_t bytes() const { return offset_; }
  bool isStructure() const { return isStructure_; }
  std::vector<DebugNumber> take() { return std::move(numbers_); }

  /// One member with its name, or a structure of several; false for what is not followed.
  bool readItem() {
    constexpr std::size_t mostNumbers = 500;
    const std::optional<std::uint64_t> count = readCount();
    if (!count || text_.empty()) return false;
    if (text_.starts_with("T{")) {
      const std::string_view begin = text_;
      for (std::uint64_t i = 0; i < *count; ++i) {
        text_ = begin;
        if (numbers_.size() > mostNumbers || !readStructure()) return false;
      }
      return *count > 0 && skipName();
    }
    const bool isComplex = text_.front() == 'Z';
    if (isComplex) text_.remove_prefix(1);
    if (text_.empty()) return false;
    const char code = text_.front();
    text_.remove_prefix(1);
    if (code == 'x') return skip(*count) && skipName();
    const std::uint64_t size = sizeOf(code);
    if (size == 0 || *count > mostNumbers) return false;
    const bool isFloat = code == 'e' || code == 'f' || code == 'd';
    for (std::uint64_t i = 0; i < *count * (isComplex ? 2 : 1); ++i, offset_ += size)
      numbers_.push_back({isFloat ? DebugNumber::Kind::Float : DebugNumber::Kind::Integer, offset_, size});
    return skipName();
  }

private:
  bool readStructure() {
    isStructure_ = true;
    text_.remove_prefix(2);
    while (!text_.starts_with('}'))
      if (text_.empty() || !readItem()) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// The order of bytes, "(2,3)" and "4" ahead of a code: how many there are.
  std::optional<std::uint64_t> readCount() {
    constexpr std::uint64_t most = 1 << 20;
    std::uint64_t count = 1;
    while (!text_.empty()) {
      const char c = text_.front();
      if (c == '@' || c == '=' || c == '<' || c == '^') {
        isNative_ = c == '@' || c == '^';
      } else if (std::isdigit(static_cast<unsigned char>(c))) {
        count *= readNumber();
        if (count > most) return std::nullopt;
        continue;
      } else if (c != '(' && c != ',' && c != ')') {
        return c == '>' || c == '!' ? std::nullopt : std::optional(count);  // the other order of bytes
      }
      text_.remove_prefix(1);
    }
    return std::nullopt;
  }

  std::uint64_t readNumber() {
    std::uint64_t number = 0;
    while (!text_.empty() && std::isdigit(static_cast<unsigned char>(text_.front())) && number < (1 << 20)) {
      number = 10 * number + static_cast<std::uint64_t>(text_.front() - '0');
      text_.remove_prefix(1);
    }
    return number;
  }

  bool skip(std::uint64_t bytes) {
    offset_ += bytes;
    return true;
  }

  /// ":name:"
  bool skipName() {
    if (!text_.starts_with(':')) return true;
    const std::size_t end = text_.find(':', 1);
    if (end == text_.npos) return false;
    text_.remove_prefix(end + 1);
    return true;
  }

  /// 0 for what is no number.
  std::uint64_t sizeOf(char code) const {
    switch (code) {
      case 'b':
      case 'B':
      case '?': return 1;
      case 'h':
      case 'H':
      case 'e': return 2;
      case 'i':
      case 'I':
      case 'f': return 4;
      case 'l':
      case 'L': return isNative_ ? sizeof(long) : 4;
      case 'q':
      case 'Q':
      case 'd': return 8;
      default: return 0;
    }
  }

  std::string_view text_;
  std::uint64_t offset_ = 0;
  bool isNative_ = true, isStructure_ = false;
  std::vector<DebugNumber> numbers_;
};

std::string nameOf(const DebugNumber& number, bool isSigned, bool isComplex) {
  const bool isFloat = number.kind == DebugNumber::Kind::Float;
  return (isComplex  ? "complex"
          : isFloat  ? "float"
          : isSigned ? "int"
                     : "uint") +
         std::to_string((isComplex ? 16 : 8) * number.bytes);
}

}  // namespace

std::optional<DebugVariable> elementOfFormat(std::string_view format, std::uint64_t bytes) {
  FormatReader reader(format);
  if (!reader.readItem() || !reader.isDone()) return std::nullopt;
  DebugVariable element;
  element.bytes = bytes;
  element.numbers = reader.take();
  if (element.numbers.empty()) return std::nullopt;
  // ctypes says "<l" for a long of 8 bytes, too.
  if (element.numbers.size() == 1 && !reader.isStructure())
    element.numbers.front().bytes = bytes;
  else if (reader.bytes() != bytes)
    return std::nullopt;
  const bool isComplex = format.find('Z') != format.npos;
  element.isScalar = element.numbers.size() == 1 && !reader.isStructure();
  if (!reader.isStructure())
    element.type = nameOf(element.numbers.front(), format.find_first_of("bhilq") != format.npos, isComplex);
  return element;
}

}  // namespace clarity::check
