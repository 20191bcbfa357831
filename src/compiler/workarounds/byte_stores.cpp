// SPDX-License-Identifier: Apache-2.0
// This file changes stores of bytes in the text of PTX.
#include "compiler/workarounds/byte_stores.h"

#include <cctype>
#include <cstddef>

namespace clarity::compiler {
namespace {

/// Appends a store line, or what it becomes.
void append(std::string& out, std::string_view line) {
  constexpr std::string_view type = ".b8", wide = "%r";
  const std::size_t store = line.find("st."), bytes = line.find(type), address = line.find(']');
  const bool isStore = store != line.npos && line.substr(0, store).find_first_not_of("\t @!%p0123456789") == line.npos;
  if (!isStore || bytes == line.npos || address == line.npos || bytes > address) {
    out += line;
    return;
  }
  std::string taken, values;
  unsigned count = 0;
  const std::string_view operands = line.substr(address);
  for (std::size_t at = 0; at < operands.size();) {
    const bool isWide = operands.substr(at).starts_with(wide) && at + wide.size() < operands.size() &&
                        std::isdigit(static_cast<unsigned char>(operands[at + wide.size()]));
    if (!isWide) {
      values += operands[at++];
      continue;
    }
    const std::size_t end = operands.find_first_of(",;} ", at);
    const std::string name = "%byte" + std::to_string(count++);
    ((taken += " cvt.u16.u32 " + name + ", ") += operands.substr(at, end - at)) += ';';
    values += name;
    at = end;
  }
  if (count == 0) {
    out += line;
    return;
  }
  ((out += "\t{ .reg .b16 %byte<4>;") += taken) += ' ';
  (out += line.substr(line.find_first_not_of("\t "), address - line.find_first_not_of("\t "))) += values;
  out += " }";
}

}  // namespace

std::string withByteStores(std::string_view ptx) {
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
