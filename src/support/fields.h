// SPDX-License-Identifier: Apache-2.0
// This file lets a struct list its fields once. Hashes, cache keys, bytes (field_bytes.h), text and comparisons all go
// through that list, so a field cannot be forgotten in one of them; a member that is missing in the list is an error
// when the struct is compiled.
//
//   struct Size {
//     unsigned width = 0, height = 0;
//     static constexpr auto fields() { return support::fieldList(support::field("width", &Size::width), ...); }
//     bool operator==(const Size&) const = default;
//   };
//   static_assert(support::listsEveryField<Size>);
//
// Fields may be flags, unsigned numbers, enumerations, strings, hashes, structs with a list, and arrays, vectors and
// optionals of these.
#pragma once

#include "support/hash.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::support {

/// One field of a struct.
template <class Owner, class Value>
struct Field {
  std::string_view name;
  Value Owner::* member;
};

template <class Owner, class Value>
constexpr Field<Owner, Value> field(std::string_view name, Value Owner::* member) {
  return {name, member};
}

template <class... Fields>
constexpr std::tuple<Fields...> fieldList(Fields... fields) {
  return {fields...};
}

template <class T>
concept HasFields = requires { T::fields(); };

/// Calls `visit(name, value)` for each field in the list's order.
template <class T, class Visit>
  requires HasFields<std::remove_cvref_t<T>>
constexpr void forFields(T&& object, Visit&& visit) {
  std::apply([&](const auto&... each) { (visit(each.name, object.*each.member), ...); },
             std::remove_cvref_t<T>::fields());
}

namespace detail {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
template <class T>
constexpr auto countMembers(T& object) {
  auto& [... members] = object;
  return std::integral_constant<std::size_t, sizeof...(members)>{};
}
#pragma clang diagnostic pop

/// Whether two fields of a list are the same member.
template <class A, class B>
constexpr bool same(const A& a, const B& b) {
  if constexpr (std::same_as<A, B>)
    return a.member == b.member;
  else
    return false;
}

template <class T>
constexpr bool listedOnce() {
  return std::apply(
      [](const auto&... each) {
        const auto timesListed = [&](const auto& one) { return (static_cast<int>(same(one, each)) + ...); };
        return ((timesListed(each) == 1) && ...);
      },
      T::fields());
}

template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

}  // namespace detail

/// Whether the list of T has every member once.
template <HasFields T>
inline constexpr bool listsEveryField =
    std::tuple_size_v<decltype(T::fields())> == decltype(detail::countMembers(std::declval<T&>()))::value &&
    detail::listedOnce<T>();

/// Adds a value, or all fields of a struct, to a hash.
template <class T>
void addTo(Hasher& hasher, const T& value) {
  if constexpr (HasFields<T>)
    forFields(value, [&](std::string_view, const auto& each) { addTo(hasher, each); });
  else if constexpr (std::same_as<T, Hash128>)
    hasher.add(value.high).add(value.low);
  else if constexpr (detail::IsOptional<T>::value) {
    hasher.add(std::uint64_t{value.has_value()});
    if (value) addTo(hasher, *value);
  } else if constexpr (detail::IsVector<T>::value || detail::IsArray<T>::value) {
    hasher.add(std::uint64_t{value.size()});
    for (const auto& each : value) addTo(hasher, each);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    hasher.add(std::string_view(value));
  else
    hasher.add(static_cast<std::uint64_t>(value));
}

/// A value as text for people: "yes", "7", "16 x 16 x 1"; the fields of a struct as "name value, name value".
template <class T>
std::string textOf(const T& value) {
  std::string text;
  const auto add = [&](const char* between, const std::string& more) { (text += text.empty() ? "" : between) += more; };
  if constexpr (HasFields<T>)
    forFields(value,
              [&](std::string_view name, const auto& each) { add(", ", std::string(name) + " " + textOf(each)); });
  else if constexpr (detail::IsOptional<T>::value)
    text = value ? "{" + textOf(*value) + "}" : "none";
  else if constexpr (detail::IsArray<T>::value)
    for (const auto& each : value) add(" x ", textOf(each));
  else if constexpr (detail::IsVector<T>::value) {
    for (const auto& each : value) add("; ", textOf(each));
    text = "[" + text + "]";
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    text = "'" + std::string(value) + "'";
  else if constexpr (std::same_as<T, Hash128>)
    text = value.hex();
  else if constexpr (std::same_as<T, bool>)
    text = value ? "yes" : "no";
  else
    text = std::to_string(static_cast<std::uint64_t>(value));
  return text;
}

/// A field in which two objects differ, with both values as text.
struct Difference {
  std::string_view field;
  std::string one, other;
};

/// The fields in which two objects differ, in the list's order.
template <HasFields T>
std::vector<Difference> differences(const T& one, const T& other) {
  std::vector<Difference> found;
  std::apply(
      [&](const auto&... each) {
        const auto compare = [&](const auto& field) {
          if (one.*field.member != other.*field.member)
            found.push_back({field.name, textOf(one.*field.member), textOf(other.*field.member)});
        };
        (compare(each), ...);
      },
      T::fields());
  return found;
}

}  // namespace clarity::support
