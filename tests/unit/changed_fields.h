// SPDX-License-Identifier: Apache-2.0
// This file makes copies of a struct in which one field differs, for each field of its list.
#pragma once

#include "support/fields.h"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace clarity::test {

/// Another value than the one that was there.
template <class T>
void change(T& value) {
  if constexpr (support::HasFields<T>)
    std::apply([&](const auto& first, const auto&...) { change(value.*first.member); }, T::fields());
  else if constexpr (std::is_same_v<T, bool>)
    value = !value;
  else if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(static_cast<std::underlying_type_t<T>>(value) + 1);
  else if constexpr (std::is_same_v<T, std::string>)
    value += "!";
  else if constexpr (support::detail::IsArray<T>::value)
    change(value.back());
  else if constexpr (support::detail::IsVector<T>::value)
    value.emplace_back();
  else if constexpr (support::detail::IsOptional<T>::value)
    value.has_value() ? value.reset() : static_cast<void>(value.emplace());
  else
    ++value;
}

/// Calls `check(name, changed)` for each field.
template <class T>
void forEachChange(const T& original, const std::function<void(std::string_view, const T&)>& check) {
  std::apply(
      [&](const auto&... each) {
        const auto one = [&](const auto& field) {
          T changed = original;
          change(changed.*field.member);
          check(field.name, changed);
        };
        (one(each), ...);
      },
      T::fields());
}

}  // namespace clarity::test
