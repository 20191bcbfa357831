// SPDX-License-Identifier: Apache-2.0
// This file writes structs that list their fields (fields.h) as bytes, and reads them back.
#pragma once

#include "support/bytes.h"
#include "support/fields.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace clarity::support {

/// Writes a value, or all fields of a struct. read() reads it back.
template <class T>
void write(ByteWriter& to, const T& value) {
  if constexpr (HasFields<T>)
    forFields(value, [&](std::string_view, const auto& each) { write(to, each); });
  else if constexpr (std::same_as<T, Hash128>)
    to.number(value.high).number(value.low);
  else if constexpr (detail::IsOptional<T>::value) {
    to.flag(value.has_value());
    if (value) write(to, *value);
  } else if constexpr (detail::IsVector<T>::value) {
    to.number<std::uint64_t>(value.size());
    for (const auto& each : value) write(to, each);
  } else if constexpr (detail::IsArray<T>::value) {
    for (const auto& each : value) write(to, each);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    to.text(value);
  else if constexpr (std::same_as<T, bool>)
    to.flag(value);
  else if constexpr (std::is_enum_v<T>)
    to.number(static_cast<std::make_unsigned_t<std::underlying_type_t<T>>>(value));
  else
    to.number(value);
}

/// The bytes that write() makes of a T at least: a vector cannot have more elements than these fit into what is left to
/// read.
template <class T>
constexpr std::size_t leastBytes() {
  if constexpr (HasFields<T>)
    return std::apply(
        []<class... Value>(const Field<T, Value>&...) { return (std::size_t{0} + ... + leastBytes<Value>()); },
        T::fields());
  else if constexpr (detail::IsOptional<T>::value)
    return 1;
  else if constexpr (detail::IsArray<T>::value)
    return std::tuple_size_v<T> * leastBytes<typename T::value_type>();
  else if constexpr (detail::IsVector<T>::value || std::same_as<T, std::string>)
    return sizeof(std::uint64_t);
  else
    return sizeof(T);
}

/// Reads what write() wrote. ByteReader::ok() says whether the bytes were enough.
template <class T>
void read(ByteReader& from, T& value) {
  if constexpr (HasFields<T>)
    forFields(value, [&](std::string_view, auto& each) { read(from, each); });
  else if constexpr (std::same_as<T, Hash128>)
    value = {from.number<std::uint64_t>(), from.number<std::uint64_t>()};
  else if constexpr (detail::IsOptional<T>::value) {
    value.reset();
    if (from.flag()) read(from, value.emplace());
  } else if constexpr (detail::IsVector<T>::value) {
    value.clear();
    for (auto left = from.count(leastBytes<typename T::value_type>()); left; --left) read(from, value.emplace_back());
  } else if constexpr (detail::IsArray<T>::value) {
    for (auto& each : value) read(from, each);
  } else if constexpr (std::same_as<T, std::string>)
    value = from.text();
  else if constexpr (std::same_as<T, bool>)
    value = from.flag();
  else if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(from.number<std::make_unsigned_t<std::underlying_type_t<T>>>());
  else
    value = from.number<T>();
}

}  // namespace clarity::support
