// SPDX-License-Identifier: Apache-2.0
// This file implements the element types of kernel arguments.
#include "element_type.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

struct ScalarName {
  const char* name;
  Scalar scalar;
};

constexpr ScalarName names[] = {{"char", Scalar::Char},
                                {"uchar", Scalar::UChar},
                                {"short", Scalar::Short},
                                {"ushort", Scalar::UShort},
                                {"int", Scalar::Int},
                                {"uint", Scalar::UInt},
                                {"long", Scalar::Long},
                                {"ulong", Scalar::ULong},
                                {"half", Scalar::Half},
                                {"float", Scalar::Float},
                                {"double", Scalar::Double},
                                {"signed char", Scalar::Char},
                                {"unsigned char", Scalar::UChar},
                                {"unsigned short", Scalar::UShort},
                                {"unsigned int", Scalar::UInt},
                                {"unsigned", Scalar::UInt},
                                {"unsigned long", Scalar::ULong},
                                {"size_t", Scalar::ULong},
                                {"ptrdiff_t", Scalar::Long},
                                {"intptr_t", Scalar::Long},
                                {"uintptr_t", Scalar::ULong},
                                {"atomic_int", Scalar::Int},
                                {"atomic_uint", Scalar::UInt},
                                {"atomic_long", Scalar::Long},
                                {"atomic_ulong", Scalar::ULong},
                                {"atomic_float", Scalar::Float},
                                {"atomic_double", Scalar::Double},
                                {"atomic_flag", Scalar::Int},
                                {"atomic_size_t", Scalar::ULong},
                                {"atomic_ptrdiff_t", Scalar::Long},
                                {"atomic_intptr_t", Scalar::Long},
                                {"atomic_uintptr_t", Scalar::ULong}};

// Calls `use` with a value of the C++ type of the scalar.
template <typename Use>
decltype(auto) withType(Scalar scalar, Use&& use) {
  switch (scalar) {
    case Scalar::Char: return use(std::int8_t{});
    case Scalar::UChar: return use(std::uint8_t{});
    case Scalar::Short: return use(std::int16_t{});
    case Scalar::UShort: return use(std::uint16_t{});
    case Scalar::Int: return use(std::int32_t{});
    case Scalar::UInt: return use(std::uint32_t{});
    case Scalar::Long: return use(std::int64_t{});
    case Scalar::ULong: return use(std::uint64_t{});
    case Scalar::Half: return use(static_cast<_Float16>(0));
    case Scalar::Float: return use(0.0f);
    case Scalar::Double: break;
  }
  return use(0.0);
}

template <typename T>
constexpr bool floating = std::is_floating_point_v<T> || std::is_same_v<T, _Float16>;

template <typename T>
std::optional<std::string> storeReal(std::string_view text, std::byte* where) {
  // from_chars accepts neither a plus sign nor a hexadecimal prefix, nor the f of a C literal.
  std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  if (digits.size() > 1 && digits.back() == 'f' && digits.find_first_not_of("+-.0123456789eE") == digits.size() - 1)
    digits.remove_suffix(1);
  const bool negative = digits.starts_with('-');
  const std::string_view magnitude = negative ? digits.substr(1) : digits;
  const bool hex = magnitude.starts_with("0x") || magnitude.starts_with("0X");
  const std::string_view number = hex ? magnitude.substr(2) : magnitude;
  double value = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value,
                                      hex ? std::chars_format::hex : std::chars_format::general);
  if (error == std::errc::result_out_of_range) return "is out of range";
  if (error != std::errc() || end != number.data() + number.size()) return "is not a number";
  const T stored = static_cast<T>(negative ? -value : value);
  if (std::isfinite(value) && !std::isfinite(static_cast<double>(stored))) return "is out of range";
  std::memcpy(where, &stored, sizeof stored);
  return std::nullopt;
}

template <typename T>
std::optional<std::string> storeWhole(std::string_view text, std::byte* where) {
  if (text == "true" || text == "false") {
    const T stored = text == "true";
    std::memcpy(where, &stored, sizeof stored);
    return std::nullopt;
  }
  std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (hex) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) return "is out of range";
  if (error != std::errc() || end != digits.data() + digits.size()) return "is not a whole number";
  // Hexadecimal numbers are bit patterns: 0xffffffff is an int, too.
  const std::uint64_t most = hex ? std::numeric_limits<std::make_unsigned_t<T>>::max()
                                 : static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const std::uint64_t limit =
      negative ? (std::is_signed_v<T> ? static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + 1 : 0) : most;
  if (magnitude > limit) return "is out of range";
  const T stored = static_cast<T>(negative ? 0 - magnitude : magnitude);
  std::memcpy(where, &stored, sizeof stored);
  return std::nullopt;
}

}  // namespace

size_t ElementType::scalarBytes() const {
  return withType(scalar, [](auto zero) { return sizeof zero; });
}

bool ElementType::isSigned() const {
  return scalar == Scalar::Char || scalar == Scalar::Short || scalar == Scalar::Int || scalar == Scalar::Long;
}

std::string ElementType::name() const {
  const char* base = names[static_cast<size_t>(scalar)].name;
  return lanes == 1 ? base : fmt::format("{}{}", base, lanes);
}

std::optional<ElementType> parseElementType(std::string_view name) {
  for (const ScalarName& entry : names) {
    if (!name.starts_with(entry.name)) continue;
    const std::string_view suffix = name.substr(std::strlen(entry.name));
    if (suffix.empty()) return ElementType{entry.scalar, 1};
    for (unsigned lanes : {2u, 3u, 4u, 8u, 16u})
      if (suffix == std::to_string(lanes)) return ElementType{entry.scalar, lanes};
  }
  return std::nullopt;
}

std::string scalarText(Scalar scalar, const std::byte* where) {
  return withType(scalar, [&](auto value) -> std::string {
    std::memcpy(&value, where, sizeof value);
    if constexpr (std::is_same_v<decltype(value), _Float16>)
      return fmt::format("{:.5g}", static_cast<float>(value));
    else if constexpr (sizeof value == 1)
      return fmt::format("{}", static_cast<int>(value));
    else
      return fmt::format("{}", value);
  });
}

std::optional<std::string> storeScalar(Scalar scalar, std::string_view text, std::byte* where) {
  return withType(scalar, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (floating<T>)
      return storeReal<T>(text, where);
    else
      return storeWhole<T>(text, where);
  });
}

void storeNumber(Scalar scalar, double value, std::byte* where) {
  withType(scalar, [&](auto stored) {
    stored = static_cast<decltype(stored)>(value);
    std::memcpy(where, &stored, sizeof stored);
  });
}

void storeInteger(Scalar scalar, std::uint64_t value, std::byte* where) {
  withType(scalar, [&](auto stored) {
    if constexpr (floating<decltype(stored)>)
      stored = static_cast<decltype(stored)>(static_cast<double>(value));
    else
      stored = static_cast<decltype(stored)>(value);
    std::memcpy(where, &stored, sizeof stored);
  });
}

}  // namespace clarity::tools
