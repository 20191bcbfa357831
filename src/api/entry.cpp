// SPDX-License-Identifier: Apache-2.0
// This file turns exceptions into error codes and reports them to the application's context.
#include "api/entry.h"

#include "api/handle.h"
#include "core/messages.h"
#include "support/counted.h"

#include <CL/cl_ext.h>

#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace clarity::api {

constinit thread_local CallScope* CallScope::current_ = nullptr;

namespace {

/// Whether an error is the answer to a question: applications ask for devices that are not there and for properties
/// that this version or platform does not have.
bool isAnswer(std::string_view entryPoint, cl_int code) {
  return code == CL_DEVICE_NOT_FOUND || (code == CL_INVALID_VALUE && entryPoint.starts_with("clGet"));
}

}  // namespace

void requireAllowedAfterTermination() {
  const std::string_view name = CallScope::current().entryPoint();
  for (const std::string_view prefix :
       {"clGet", "clRetain", "clRelease", "clSVMFree", "clMemFree", "clMemBlockingFree"})
    if (name.starts_with(prefix)) return;
  if (name.ends_with("Callback") || name == "clWaitForEvents" || name == "clSetUserEventStatus") return;
  core::fail(CL_CONTEXT_TERMINATED_KHR, "the context was terminated with clTerminateContextKHR");
}

cl_int CallScope::failed() noexcept {
  cl_int code = CL_OUT_OF_RESOURCES;
  std::string text;
  bool known = false;
  try {
    try {
      throw;
    } catch (const core::Error& error) {
      code = error.code();
      text = error.text();
      known = error.isKnown();
    } catch (const std::bad_alloc&) {
      code = CL_OUT_OF_HOST_MEMORY;
      text = "no memory";
    } catch (const std::length_error& error) {
      code = CL_OUT_OF_HOST_MEMORY;
      text = error.what();
    } catch (const std::exception& error) {
      text = error.what();
    }
    text = support::withSingulars(fmt::format("{}: {}: {}", entryPoint_, core::errorName(code), text));
    core::setLastError(text);
    if (context_ && context_->hasCallback())
      context_->notify(text);
    else if (!known && !isAnswer(entryPoint_, code))
      core::showMessage(text);
  } catch (...) {
    // No memory for the sentence: the code alone must do.
  }
  return code;
}

}  // namespace clarity::api
