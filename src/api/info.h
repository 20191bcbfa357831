// SPDX-License-Identifier: Apache-2.0
// This file answers the clGet*Info queries from tables: one row for each param_name with the type that the
// specification gives it and an expression that yields the value. Sizes are checked and copied here only.
#pragma once

#include "core/error.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace clarity::api {

/// The param_value, param_value_size and param_value_size_ret of a query.
class InfoWriter {
public:
  InfoWriter(const char* param, std::size_t room, void* value, std::size_t* sizeRet)
      : param_(param), room_(room), value_(value), sizeRet_(sizeRet) {}

  /// Copies the answer out. CL_INVALID_VALUE if param_value is not null and too small for it.
  void writeBytes(const void* bytes, std::size_t size);

  void write(std::string_view text);  ///< with the terminating zero
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void write(const std::vector<T>& values) {
    writeBytes(values.data(), values.size() * sizeof(T));
  }
  template <class T>
    requires(std::is_trivially_copyable_v<T> && !std::is_convertible_v<T, std::string_view>)
  void write(const T& value) {
    writeBytes(&value, sizeof value);
  }

  /// For the answers that are written through pointers in param_value (CL_PROGRAM_BINARIES): checks the size like
  /// writeBytes and returns where the `count` values of type T are, or null.
  template <class T>
  T* values(std::size_t count) {
    return static_cast<T*>(room(count * sizeof(T)));
  }

private:
  void* room(std::size_t size);

  const char* param_;
  std::size_t room_;
  void* value_;
  std::size_t* sizeRet_;
};

/// One row of a table: how the value of one param_name of an Object is written.
template <class Object>
struct InfoRow {
  cl_uint param;
  const char* name;
  void (*write)(Object&, InfoWriter&);
};

/// The result of INFO_ROW: converts to a row of the table that it stands in.
template <class Type, class Getter>
struct InfoRowFor {
  cl_uint param;
  const char* name;
  template <class Object>
  constexpr operator InfoRow<Object>() const {
    return {param, name, [](Object& object, InfoWriter& out) { out.write(static_cast<Type>(Getter{}(object))); }};
  }
};

template <class Type, class Getter>
constexpr InfoRowFor<Type, Getter> infoRow(cl_uint param, const char* name, Getter) {
  return {param, name};
}

/// INFO_ROW(type, param_name, expression): in the expression `it` is the object that is queried. The type is a scalar,
/// a std::string (char[] in the specification) or a std::vector (T[]).
#define INFO_ROW(type, param, ...) ::clarity::api::infoRow<type>(param, #param, [](auto& it) { return (__VA_ARGS__); })

/// Answers a query from a table. CL_INVALID_VALUE if param_name is not in it or the value does not fit.
template <class Object, std::size_t N>
void answer(const InfoRow<Object> (&table)[N], std::type_identity_t<Object>& object, cl_uint param, std::size_t room,
            void* value, std::size_t* sizeRet) {
  for (const InfoRow<Object>& row : table) {
    if (row.param != param) continue;
    InfoWriter out(row.name, room, value, sizeRet);
    return row.write(object, out);
  }
  core::fail(CL_INVALID_VALUE, "param_name {:#x} is none of this query's", param);
}

}  // namespace clarity::api
