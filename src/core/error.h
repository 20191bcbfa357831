// SPDX-License-Identifier: Apache-2.0
// This file holds the one exception type of the project: an OpenCL error code with a sentence for a person.
#pragma once

#include <CL/cl.h>
#include <fmt/format.h>

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace clarity::core {

/// An OpenCL error code and a sentence that carries the offending values. Thrown anywhere below the C boundary;
/// api/entry.h turns it into the code and hands the sentence to the context's notify callback.
class Error : public std::exception {
public:
  Error(cl_int code, std::string text) : code_(code), text_(std::move(text)) {}
  cl_int code() const noexcept { return code_; }
  const std::string& text() const noexcept { return text_; }
  /// Whether whoever reads messages knows the reason already: a callback was called, or the text repeats the failure of
  /// a command.
  bool isKnown() const noexcept { return known_; }
  Error known() && {
    known_ = true;
    return std::move(*this);
  }
  const char* what() const noexcept override { return text_.c_str(); }

private:
  cl_int code_;
  std::string text_;
  bool known_ = false;
};

/// A pointer of the application in a sentence: "0x7f00", "null".
struct Address {
  const void* value = nullptr;
};
template <class T>
constexpr bool isAddress = std::is_same_v<std::decay_t<T>, void*> || std::is_same_v<std::decay_t<T>, const void*>;
/// The type that a sentence shows in place of T.
template <class T>
using InSentence = std::conditional_t<isAddress<T>, Address, T>;
template <class T>
decltype(auto) shown(T&& value) {
  if constexpr (isAddress<T>)
    return Address{value};
  else
    return std::forward<T>(value);
}

/// Throws an Error with a formatted sentence: `fail(CL_INVALID_VALUE, "size is {}", size)`.
template <class... Args>
[[noreturn]] void fail(cl_int code, fmt::format_string<InSentence<Args>...> text, Args&&... args) {
  throw Error(code, fmt::format(text, shown(std::forward<Args>(args))...));
}

/// Throws an Error when `wrong` holds.
template <class... Args>
void failIf(bool wrong, cl_int code, fmt::format_string<InSentence<Args>...> text, Args&&... args) {
  if (wrong) [[unlikely]]
    fail(code, text, std::forward<Args>(args)...);
}

/// "CL_INVALID_VALUE" for -30; "unknown error -12345" for a code that the standard does not have.
std::string errorName(cl_int code);

}  // namespace clarity::core

template <>
struct fmt::formatter<clarity::core::Address> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(clarity::core::Address address, Context& context) const {
    return address.value ? fmt::format_to(context.out(), "{}", address.value)
                         : fmt::formatter<std::string_view>::format("null", context);
  }
};
