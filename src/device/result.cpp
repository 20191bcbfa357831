// SPDX-License-Identifier: Apache-2.0
// This file turns exceptions into results.
#include "device/result.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string_view>
#include <system_error>

namespace clarity::device {
namespace {

Result withText(std::string_view begin, const char* what) noexcept {
  try {
    return {CL_OUT_OF_RESOURCES, fmt::format("{}{}", begin, what)};
  } catch (...) {  // there is no memory for the text
    return {CL_OUT_OF_RESOURCES, {}};
  }
}

}  // namespace

Result resultOfException() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {CL_OUT_OF_HOST_MEMORY, {}};
  } catch (const std::system_error& error) {
    const bool isThread = error.code() == std::errc::resource_unavailable_try_again;
    return withText(isThread ? "the system has no thread for it: " : "", error.what());
  } catch (const std::exception& error) {
    return withText("", error.what());
  } catch (...) {
    return {CL_OUT_OF_RESOURCES, {}};
  }
}

}  // namespace clarity::device
