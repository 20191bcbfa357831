// SPDX-License-Identifier: Apache-2.0
// This file is how devices report success and failure, also that of code that throws.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace clarity::device {

/// The code of what a kernel or a transfer did that it may not do, such as accessing memory that is not there:
/// CL_INVALID_OPERATION. It is none that says that something is used up: libraries free memory and try again after
/// those.
inline constexpr std::int32_t faultCode = -59;

/// A failure on the device; code 0 is success.
struct [[nodiscard]] Result {
  std::int32_t code = 0;  ///< a negative OpenCL error code, or 0
  std::string text;       ///< a sentence with the values that matter
  explicit operator bool() const { return code == 0; }
};

/// In a handler of exceptions: CL_OUT_OF_HOST_MEMORY for std::bad_alloc; CL_OUT_OF_RESOURCES and a sentence for
/// std::system_error (the system has no thread, for example) and all others. Without a text where there is no memory
/// for one.
Result resultOfException() noexcept;

/// Calls `work`, which returns a Result or nothing; an exception becomes a Result (resultOfException). For every place
/// from which no exception may go on: what executes an operation, and what a thread of the device runs.
template <class Work>
Result guarded(Work&& work) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Work&>>) {
      work();
      return {};
    } else {
      return work();
    }
  } catch (...) {
    return resultOfException();
  }
}

}  // namespace clarity::device
