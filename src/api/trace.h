// SPDX-License-Identifier: Apache-2.0
// This file wraps entry points so that every call writes a line with its duration and outcome (CLARITY_TRACE). The
// wrapped ones make a second dispatch table, so that untraced calls pay nothing.
#pragma once

#include "core/messages.h"

#include <CL/cl.h>

#include <chrono>
#include <tuple>
#include <type_traits>

namespace clarity::api {

/// The end of a call, for the trace.
struct TracedCall {
  const char* name;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  unsigned errorsBefore = core::errorsOfThread();

  void ended(cl_int code) const noexcept;         ///< with an error code
  void ended(const void* result) const noexcept;  ///< with a pointer that may be null
  void ended() const noexcept;                    ///< with nothing
};

/// Traced<clFinish, Name>::call does what clFinish does and writes a line; Name::value is the name.
template <auto Function, class Name>
struct Traced;
template <class Result, class... Args, Result (*Function)(Args...), class Name>
struct Traced<Function, Name> {
  static Result call(Args... args) {
    const TracedCall trace{Name::value};
    if constexpr (std::is_void_v<Result>) {
      Function(args...);
      trace.ended();
    } else if constexpr (std::is_same_v<Result, cl_int>) {
      const cl_int code = Function(args...);
      trace.ended(code);
      return code;
    } else if constexpr (endsWithErrcode<Args...>()) {
      std::tuple<Args...> all(args...);
      cl_int code = CL_SUCCESS;
      cl_int*& errcode = std::get<sizeof...(Args) - 1>(all);
      if (!errcode) errcode = &code;
      const Result result = std::apply(Function, all);
      trace.ended(*errcode);
      return result;
    } else {
      const Result result = Function(args...);
      trace.ended(result);
      return result;
    }
  }

private:
  template <class... All>
  static constexpr bool endsWithErrcode() {
    return std::is_same_v<std::tuple_element_t<sizeof...(All) - 1, std::tuple<All...>>, cl_int*>;
  }
};

}  // namespace clarity::api
