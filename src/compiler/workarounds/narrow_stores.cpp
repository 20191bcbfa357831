// SPDX-License-Identifier: Apache-2.0
// This file changes stores of fewer bits than their registers have, in the text of PTX.
#include "compiler/workarounds/narrow_stores.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstddef>

namespace clarity::compiler {
namespace {

/// A kind of registers as LLVM names them: "%rs12" has 16 bits.
struct Registers {
  std::string_view prefix;
  unsigned bits;
};
constexpr Registers kinds[] = {{"%rs", 16}, {"%rd", 64}, {"%r", 32}, {"%fd", 64}, {"%f", 32}};
constexpr unsigned byteBits = 8, leastRegister = 16;

/// The bits of the register that a text begins with; 0 if it begins with none.
unsigned bitsOfRegister(std::string_view text) {
  for (const auto& [prefix, bits] : kinds)
    if (text.starts_with(prefix) && text.size() > prefix.size() &&
        std::isdigit(static_cast<unsigned char>(text[prefix.size()])))
      return bits;
  return 0;
}

/// The place of a line's instruction, if it is a store; npos if not.
std::size_t findStore(std::string_view line) {
  const std::size_t store = line.find("st.");
  const bool isStore = store != line.npos && line.substr(0, store).find_first_not_of("\t @!%p0123456789") == line.npos;
  return isStore ? store : line.npos;
}

/// The bits of an element that is stored: those behind the last point of "st.global.v2.b8"; 0 if there is no number.
unsigned bitsOfElement(std::string_view instruction) {
  const std::size_t point = instruction.rfind('.');
  unsigned bits = 0;
  if (point != instruction.npos && point + 2 <= instruction.size())
    std::from_chars(instruction.data() + point + 2, instruction.data() + instruction.size(), bits);
  return bits;
}

/// Appends a line, or what a store becomes.
void append(std::string& out, std::string_view line) {
  const std::size_t store = findStore(line), address = line.find(']');
  if (store == line.npos || address == line.npos) {
    out += line;
    return;
  }
  const unsigned bits = bitsOfElement(line.substr(store, line.find_first_of(" \t", store) - store));
  const unsigned ofRegister = bits == byteBits ? leastRegister : bits;
  std::string taken, values;
  unsigned count = 0;
  const std::string_view operands = line.substr(address);
  for (std::size_t at = 0; at < operands.size();) {
    const unsigned has = bitsOfRegister(operands.substr(at));
    if (bits == 0 || has <= bits) {
      values += operands[at++];
      continue;
    }
    const std::size_t end = operands.find_first_of(",;} ", at);
    const std::string_view from = operands.substr(at, end - at);
    taken += has == ofRegister ? fmt::format(" mov.b{} %narrow{}, {};", has, count, from)
                               : fmt::format(" cvt.u{}.u{} %narrow{}, {};", ofRegister, has, count, from);
    values += fmt::format("%narrow{}", count++);
    at = end;
  }
  if (count == 0) {
    out += line;
    return;
  }
  const std::size_t begin = line.find_first_not_of("\t ");
  out += fmt::format("\t{{ .reg .b{} %narrow<{}>;{} {}{} }}", ofRegister, count, taken,
                     line.substr(begin, address - begin), values);
}

}  // namespace

std::string withNarrowStores(std::string_view ptx) {
  std::string out;
  out.reserve(ptx.size() + ptx.size() / 16);
  while (!ptx.empty()) {
    const std::size_t end = ptx.find('\n');
    append(out, ptx.substr(0, end));
    if (end == ptx.npos) break;
    out += '\n';
    ptx.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace clarity::compiler
