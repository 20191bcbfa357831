// SPDX-License-Identifier: Apache-2.0
// This file is the one wrapper around every entry point: result or exception to an OpenCL error code, nothing
// escapes, and a failure's sentence goes to the context's notify callback or, without one, to where messages go.
#pragma once

#include "core/error.h"
#include "core/object.h"
#include "core/ref.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::core {
class Context;
}

namespace clarity::api {

/// A call of an entry point. Keeps what the call was given until it returns: callbacks that run meanwhile, and threads
/// that the call lets go on, may release it. Remembers the context whose callback gets failures. Made by entry(); entry
/// points may nest through callbacks.
class CallScope {
public:
  explicit CallScope(const char* entryPoint) noexcept
      : entryPoint_(entryPoint), outer_(std::exchange(current_, this)) {}
  ~CallScope() {
    current_ = outer_;
    // The last one first: a part goes before what it is a part of.
    further_.clear();
    while (count_ != 0) held_[--count_]->releaseInternal();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  /// The innermost call on this thread. Only within one.
  static CallScope& current() noexcept { return *current_; }
  const char* entryPoint() const noexcept { return entryPoint_; }
  /// Keeps an object until the call returns.
  template <class T>
  T& keep(core::RefPtr<T> object) {
    T& it = *object;
    if (count_ < held_.size()) [[likely]]
      held_[count_++] = object.release();
    else
      further_.emplace_back(std::move(object));
    return it;
  }
  /// Failures of the call are reported to the context, of an object that is kept.
  void enter(core::Context& context) noexcept { context_ = &context; }
  /// Translates the exception in flight to its code and reports it. Never throws.
  cl_int failed() noexcept;

private:
  static constinit thread_local CallScope* current_ [[gnu::tls_model("initial-exec")]];
  const char* entryPoint_;
  CallScope* outer_;
  core::Context* context_ = nullptr;
  std::size_t count_ = 0;
  std::array<core::Object*, 4> held_;  ///< with an internal count each; most calls are given no more
  std::vector<core::RefPtr<core::Object>> further_;
};

/// Runs an entry point that returns a cl_int: `return entry([&] { ... });`
template <class Body>
  requires std::is_void_v<std::invoke_result_t<Body>>
cl_int entry(Body&& body, const char* entryPoint = __builtin_FUNCTION()) noexcept {
  CallScope scope(entryPoint);
  try {
    body();
    return CL_SUCCESS;
  } catch (...) {
    return scope.failed();
  }
}

/// Runs an entry point that returns a handle and an errcode_ret: null on failure.
template <class Body>
  requires std::is_pointer_v<std::invoke_result_t<Body>>
std::invoke_result_t<Body> entry(cl_int* errcode, Body&& body, const char* entryPoint = __builtin_FUNCTION()) noexcept {
  CallScope scope(entryPoint);
  std::invoke_result_t<Body> result = nullptr;
  cl_int code = CL_SUCCESS;
  try {
    result = body();
  } catch (...) {
    code = scope.failed();
  }
  if (errcode) *errcode = code;
  return result;
}

/// The same for the one that returns an object together with an error (clLinkProgram): `body(cl_int& code)`.
template <class Body>
  requires std::is_pointer_v<std::invoke_result_t<Body, cl_int&>>
std::invoke_result_t<Body, cl_int&> entry(cl_int* errcode, Body&& body,
                                          const char* entryPoint = __builtin_FUNCTION()) noexcept {
  cl_int code = CL_SUCCESS;
  cl_int failure = CL_SUCCESS;
  auto* const result = entry(&failure, [&] { return body(code); }, entryPoint);
  if (errcode) *errcode = failure != CL_SUCCESS ? failure : code;
  return result;
}

}  // namespace clarity::api
