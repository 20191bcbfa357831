// SPDX-License-Identifier: Apache-2.0
// This file parses a conversion specification from left to right.
#include "support/printf_format.h"

namespace clarity::support {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The number of elements after 'v', or nothing if it is not 2, 3, 4, 8 or 16.
std::optional<unsigned> parseVector(const char*& at) {
  unsigned n = 0;
  while (isDigit(*at) && n < 100) n = 10 * n + static_cast<unsigned>(*at++ - '0');
  for (const unsigned legal : {2u, 3u, 4u, 8u, 16u})
    if (n == legal) return n;
  return std::nullopt;
}

PrintfLength parseLength(const char*& at, bool& foreign, bool& since31) {
  if (*at == 'j') return foreign = true, ++at, PrintfLength::L;
  if (*at == 'z' || *at == 't') return since31 = true, ++at, PrintfLength::L;
  if (*at == 'l') {
    if (*++at == 'l') foreign = true, ++at;
    return PrintfLength::L;
  }
  if (*at != 'h') return PrintfLength::None;
  ++at;
  if (*at == 'h') return ++at, PrintfLength::HH;
  if (*at == 'l') return ++at, PrintfLength::HL;
  return PrintfLength::H;
}

}  // namespace

std::optional<PrintfConversion> parsePrintfConversion(const char*& at) {
  PrintfConversion spec;
  while (*at && std::strchr("-+ #0", *at)) spec.flags += *at++;
  while (isDigit(*at)) spec.flags += *at++;
  if (*at == '.') {
    spec.flags += *at++;
    while (isDigit(*at)) spec.flags += *at++;
  }
  if (spec.flags.size() > 24) return std::nullopt;
  if (*at == 'v') {
    const auto elements = parseVector(++at);
    if (!elements) return std::nullopt;
    spec.elements = *elements;
  }
  spec.length = parseLength(at, spec.foreign, spec.since31);
  if (!*at) return std::nullopt;
  spec.conversion = *at++;
  const bool known = spec.isInteger() || spec.isFloating() || std::strchr("csp", spec.conversion);
  // 'c', 's' and 'p' take neither vectors nor lengths; 'hl' is for vectors only.
  const bool plain = spec.elements == 1 && spec.length == PrintfLength::None;
  if (!known || (!spec.isInteger() && !spec.isFloating() && !plain)) return std::nullopt;
  if (spec.length == PrintfLength::HL && spec.elements == 1) return std::nullopt;
  spec.foreign |= spec.elements > 1 && spec.length == PrintfLength::None;
  if (spec.since31 && (spec.elements > 1 || !spec.isInteger())) spec.since31 = false, spec.foreign = true;
  return spec;
}

}  // namespace clarity::support
