// SPDX-License-Identifier: Apache-2.0
// This file turns exceptions into error codes and reports them to the application's context.
#include "api/entry.h"

#include "api/handle.h"

#include <new>
#include <string>
#include <system_error>

namespace clarity::api {

constinit thread_local core::Context* currentContext = nullptr;

CallScope::CallScope(const char* entryPoint) noexcept : entryPoint_(entryPoint), outerContext_(currentContext) {
  currentContext = nullptr;
}

CallScope::~CallScope() { currentContext = static_cast<core::Context*>(outerContext_); }

cl_int CallScope::failed() noexcept {
  cl_int code = CL_OUT_OF_RESOURCES;
  std::string text;
  try {
    try {
      throw;
    } catch (const core::Error& error) {
      code = error.code();
      text = error.text();
    } catch (const std::bad_alloc&) {
      code = CL_OUT_OF_HOST_MEMORY;
      text = "no memory";
    } catch (const std::length_error& error) {
      code = CL_OUT_OF_HOST_MEMORY;
      text = error.what();
    } catch (const std::exception& error) {
      text = error.what();
    }
    if (currentContext) currentContext->notify(fmt::format("{}: {}: {}", entryPoint_, core::errorName(code), text));
  } catch (...) {
    // No memory for the sentence: the code alone must do.
  }
  return code;
}

}  // namespace clarity::api
