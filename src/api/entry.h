// SPDX-License-Identifier: Apache-2.0
// This file is the one wrapper around every entry point: result or exception to an OpenCL error code, nothing
// escapes, and a failure's sentence goes to the context's notify callback or, without one, to where messages go.
#pragma once

#include "core/error.h"

#include <CL/cl.h>

#include <type_traits>
#include <utility>

namespace clarity::api {

/// Remembers the context of the call on this thread (handle.h sets it), so that a failure can be reported to its
/// pfn_notify. Made by entry(); entry points may nest through callbacks.
class CallScope {
public:
  explicit CallScope(const char* entryPoint) noexcept;
  ~CallScope();
  CallScope(const CallScope&) = delete;
  /// Translates the exception in flight to its code and reports it. Never throws.
  cl_int failed() noexcept;

private:
  const char* entryPoint_;
  const char* outerEntryPoint_;
  void* outerContext_;
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
