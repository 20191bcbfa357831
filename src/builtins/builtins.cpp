// SPDX-License-Identifier: Apache-2.0
// This file answers for the embedded library. chapters.inc is written at build time by index_chapters.py: the chapters'
// names, the symbols around their bytes, and for every builtin the set of chapters that define it.
#include "builtins/builtins.h"

#include <algorithm>
#include <array>
#include <charconv>

// Bytes from embedded.S.
#define CLARITY_BLOB(symbol)              \
  extern "C" const char symbol##_begin[]; \
  extern "C" const char symbol##_end[];
#define CLARITY_CHAPTER(name) CLARITY_BLOB(clarity_builtins_##name)
CLARITY_BLOB(clarity_opencl_c_base_h)
#include "chapters.inc"
#undef CLARITY_CHAPTER

namespace clarity::builtins {
namespace {

std::string_view bytes(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

/// The function name inside _Z<length><name><parameters>; a name of another form is its own.
std::string_view unmangled(std::string_view name) {
  if (!name.starts_with("_Z")) {
    return name;
  }
  std::size_t length = 0;
  auto [rest, error] = std::from_chars(name.data() + 2, name.data() + name.size(), length);
  std::size_t start = static_cast<std::size_t>(rest - name.data());
  return error == std::errc{} && length <= name.size() - start ? name.substr(start, length) : std::string_view{};
}

struct Builtin {
  std::string_view name;
  std::uint64_t chapters;
};

#define CLARITY_BUILTIN(name, mask) Builtin{name, mask},
constexpr Builtin kBuiltins[] = {
#include "chapters.inc"
};
#undef CLARITY_BUILTIN
static_assert(std::ranges::is_sorted(kBuiltins, {}, &Builtin::name));

}  // namespace

std::span<const Chapter> chapters() {
#define CLARITY_CHAPTER(name) Chapter{#name, bytes(clarity_builtins_##name##_begin, clarity_builtins_##name##_end)},
  static const auto all = std::to_array<Chapter>({
#include "chapters.inc"
  });
#undef CLARITY_CHAPTER
  static_assert(std::tuple_size_v<decltype(all)> <= 64, "chaptersOf returns a mask of 64 bits");
  return all;
}

std::uint64_t chaptersOf(std::string_view mangledName) {
  std::string_view name = unmangled(mangledName);
  const auto* found = std::ranges::lower_bound(kBuiltins, name, {}, &Builtin::name);
  return found != std::end(kBuiltins) && found->name == name ? found->chapters : 0;
}

std::string_view baseHeader() { return bytes(clarity_opencl_c_base_h_begin, clarity_opencl_c_base_h_end); }

}  // namespace clarity::builtins
