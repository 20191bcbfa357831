// SPDX-License-Identifier: Apache-2.0
// This file wraps entry points so that checks of the host program (check/host/host_checker.h) and profiles
// (profile/recorder.h) get every call. The wrapped ones make a dispatch table of their own, so that other processes pay
// nothing.
#pragma once

#include "api/trace.h"
#include "check/host/host_call.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace clarity::api {

/// One call, from its beginning to its end.
class CheckedCall {
public:
  CheckedCall(const check::CallInfo& info, std::span<check::Value> arguments) noexcept;
  void ended(cl_int error, check::Value result) noexcept;

private:
  check::HostCall call_;
  unsigned errorsBefore_;
};

/// Whether host programs are checked (CLARITY_CHECK).
bool checksHost();
/// Whether they are checked or profiled (CLARITY_PROFILE).
bool observesCalls();

/// Checked<clFinish, Name>::call does what clFinish does and hands it to checks and profile.
template <auto Function, class Name>
struct Checked;
template <class Result, class... Args, Result (*Function)(Args...), class Name>
struct Checked<Function, Name> {
  static Result call(Args... args) {
    static const check::CallInfo& info = check::callInfo(Name::value);
    std::array<check::Value, sizeof...(Args)> values{check::Value::of(args)...};
    cl_int own = CL_SUCCESS;
    if constexpr (endsWithErrcode<Args...>()) {
      if (!values.back().bits) values.back() = check::Value::of(&own);
    }
    CheckedCall checked(info, values);
    const auto run = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return core::isTraced() ? Traced<Function, Name>::call(values[I].template as<Args>()...)
                              : Function(values[I].template as<Args>()...);
    };
    constexpr std::index_sequence_for<Args...> indices;
    if constexpr (std::is_void_v<Result>) {
      run(indices);
      checked.ended(CL_SUCCESS, {});
    } else {
      const Result result = run(indices);
      if constexpr (std::is_same_v<Result, cl_int>)
        checked.ended(result, {});
      else if constexpr (endsWithErrcode<Args...>())
        checked.ended(*values.back().template as<cl_int*>(), check::Value::of(result));
      else
        checked.ended(CL_SUCCESS, check::Value::of(result));
      return result;
    }
  }

private:
  template <class... All>
  static constexpr bool endsWithErrcode() {
    if constexpr (sizeof...(All) == 0)
      return false;
    else
      return std::is_same_v<std::tuple_element_t<sizeof...(All) - 1, std::tuple<All...>>, cl_int*>;
  }
};

}  // namespace clarity::api
