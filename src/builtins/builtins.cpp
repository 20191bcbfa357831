// SPDX-License-Identifier: Apache-2.0
// This file implements the lookup in the embedded library. make_modules.py writes modules.inc at build time: the
// position of every library module in the embedded bytes, and the modules of every builtin by kind.
#include "builtins/builtins.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

// Bytes from embedded.S.
extern "C" const char clarity_builtins_modules_begin[];
extern "C" const char clarity_base_header_begin[];
extern "C" const char clarity_base_header_end[];

namespace clarity::builtins {
namespace {

struct Place {
  std::string_view source;
  std::uint32_t offset;
  std::uint32_t size;
};

#define CLARITY_MODULE(source, offset, size) Place{source, offset, size},
constexpr Place places[] = {
#include "modules.inc"
};
#undef CLARITY_MODULE

constexpr std::uint16_t noModule = 0xffff;

struct Builtin {
  std::string_view name;
  std::array<std::uint16_t, 4> modules;  ///< by kind: 1 for floating-point, 2 for vectors
};

#define CLARITY_BUILTIN(name, integer, floating, integers, floatings) \
  Builtin{name, {integer, floating, integers, floatings}},
constexpr Builtin allBuiltins[] = {
#include "modules.inc"
};
#undef CLARITY_BUILTIN
static_assert(std::ranges::is_sorted(allBuiltins, {}, &Builtin::name));

/// The name and the parameters of _Z<length><name><parameters>; a name of another form has no parameters.
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  if (!name.starts_with("_Z")) {
    return {name, {}};
  }
  std::size_t length = 0;
  auto [rest, error] = std::from_chars(name.data() + 2, name.data() + name.size(), length);
  std::string_view tail = name.substr(static_cast<std::size_t>(rest - name.data()));
  if (error != std::errc{} || length > tail.size()) {
    return {};
  }
  return {tail.substr(0, length), tail.substr(length)};
}

/// Null if there is none.
const Builtin* find(std::string_view name) {
  const auto* found = std::ranges::lower_bound(allBuiltins, name, {}, &Builtin::name);
  return found != std::end(allBuiltins) && found->name == name ? found : nullptr;
}

void drop(std::string_view& text, std::string_view prefix) {
  if (text.starts_with(prefix)) {
    text.remove_prefix(prefix.size());
  }
}

/// From the element type of the first parameter, or of what that points to, on.
std::string_view firstElement(std::string_view parameters) {
  std::string_view first = parameters;
  if (first.starts_with('P')) {
    first.remove_prefix(1);
    if (first.starts_with("U3AS")) {
      first.remove_prefix(std::min<std::size_t>(5, first.size()));
    }
    drop(first, "V");
    drop(first, "K");
    drop(first, "U7_Atomic");
  }
  if (first.starts_with("Dv")) {
    first.remove_prefix(std::min(first.find('_'), first.size() - 1) + 1);
  }
  return first;
}

/// The kind of a function, by the same rule as key_of in make_modules.py: is its first parameter, or what that points
/// to, made of floating-point numbers, and is any parameter a vector?
unsigned kindOf(std::string_view parameters) {
  std::string_view first = firstElement(parameters);
  bool floating = first.starts_with('f') || first.starts_with('d') || first.starts_with("Dh");
  return (floating ? 1 : 0) + (parameters.find("Dv") != std::string_view::npos ? 2 : 0);
}

}  // namespace

std::size_t moduleCount() { return std::size(places); }

LibraryModule libraryModule(std::size_t number) {
  const Place& place = places[number];
  return {place.source, {clarity_builtins_modules_begin + place.offset, place.size}};
}

bool hasName(std::string_view mangledName) { return find(split(mangledName).first) != nullptr; }

std::optional<std::size_t> moduleOf(std::string_view mangledName) {
  auto [name, parameters] = split(mangledName);
  const Builtin* found = find(name);
  if (!found) {
    return std::nullopt;
  }
  std::uint16_t number = found->modules[kindOf(parameters)];
  return number == noModule ? std::nullopt : std::optional<std::size_t>(number);
}

std::optional<MathFunction> mathFunction(std::string_view mangledName) {
  if (!mangledName.starts_with("_Z")) return {};
  auto [name, parameters] = split(mangledName);
  const std::string_view element = firstElement(parameters);
  if (!element.starts_with('f') && !element.starts_with('d')) return {};
  return MathFunction{.name = name, .isDouble = element.starts_with('d')};
}

std::string formOf(std::string_view mangledName, bool relaxed, bool avx512) {
  auto [name, parameters] = split(mangledName);
  const auto function = mathFunction(mangledName);
  if (!function) return {};
  const auto withPrefix = [&](std::string_view prefix) {
    std::string form = "_Z" + std::to_string(prefix.size() + name.size());
    form.append(prefix).append(name).append(parameters);
    return moduleOf(form) ? form : std::string();
  };
  std::string form;
  if (relaxed && !function->isDouble && avx512) form = withPrefix("__clarity_avx512_relaxed_");
  if (form.empty() && relaxed && !function->isDouble) form = withPrefix("__clarity_relaxed_");
  if (form.empty() && avx512) form = withPrefix(function->isDouble ? "__clarity_avx512_double_" : "__clarity_avx512_");
  return form;
}

std::string_view baseHeader() {
  return {clarity_base_header_begin, static_cast<std::size_t>(clarity_base_header_end - clarity_base_header_begin)};
}

}  // namespace clarity::builtins
