// SPDX-License-Identifier: Apache-2.0
// This file reads the compiler's remarks on accesses of memory.
#include "profile_access_remark.h"

#include "pattern.h"

#include <charconv>
#include <system_error>

namespace clarity::tools {

std::optional<AccessRemark> accessOf(const KernelRemark& remark) {
  if (remark.kind != "access") return std::nullopt;
  AccessRemark result;
  const std::string& text = remark.message;
  const std::size_t operation = text.find(' '), end = text.rfind(": ");
  if (operation == text.npos || end == text.npos || end < operation) return std::nullopt;
  result.operation = text.substr(0, operation);
  if (result.operation != "load" && result.operation != "store") return std::nullopt;
  // "the index is not affine: loaded from ..." has a colon, too.
  std::size_t colon = operation;
  for (int depth = 0; colon < text.size(); ++colon) {
    depth += (text[colon] == '[' || text[colon] == '(') - (text[colon] == ']' || text[colon] == ')');
    if (depth == 0 && text.compare(colon, 2, ": ") == 0) break;
  }
  std::string what = text.substr(operation + 1, colon - operation - 1);
  result.form = colon + 2 < text.size() ? text.substr(colon + 2) : std::string();
  if (!result.says("would be")) {  // which has no type
    const std::size_t type = what.find(' ');
    result.type = what.substr(0, type);
    what = type == what.npos ? std::string() : what.substr(type + 1);
  }
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= what.size(); ++at) {
    if (at < what.size()) depth += (what[at] == '[' || what[at] == '(') - (what[at] == ']' || what[at] == ')');
    if (at < what.size() && (depth != 0 || what[at] != ',')) continue;
    if (const std::string place = what.substr(begin, at - begin); !place.empty()) result.places.push_back(place);
    begin = at + 2;
  }
  if (!result.places.empty()) result.place = result.places[0];
  if (const std::size_t as = result.form.find(", as "); as != result.form.npos)
    result.reason = result.form.substr(as + 5);
  return result;
}

unsigned bytesOf(const std::string& type) {
  const unsigned element = type.find("double") != type.npos || type.find("long") != type.npos  ? 8
                           : type.find("char") != type.npos                                    ? 1
                           : type.find("short") != type.npos || type.find("half") != type.npos ? 2
                                                                                               : 4;
  const std::size_t digits = type.find_first_of("0123456789");
  return element * (digits == type.npos ? 1 : static_cast<unsigned>(std::stoul(type.substr(digits))));
}

std::optional<unsigned> elementsApart(const std::string& reason) {
  constexpr std::string_view beginning = "neighbouring work-items are ";
  if (!reason.starts_with(beginning)) return std::nullopt;
  unsigned number = 0;
  const char* const begin = reason.data() + beginning.size();
  const bool isNumber = std::from_chars(begin, reason.data() + reason.size(), number).ec == std::errc{};
  return isNumber && reason.find(" elements apart") != reason.npos ? std::optional(number) : std::nullopt;
}

std::set<std::string> changedIn(const SourceBlock& loop) {
  static const Pattern changes(R"(([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/|&^]?=[^=])|(?:\+\+|--)\s*([A-Za-z_]\w*))");
  std::set<std::string> changed;
  for (const PatternMatch& each : changes.all(loop.text)) changed.insert(each[each.has(1) ? 1 : 2]);
  return changed;
}

}  // namespace clarity::tools
