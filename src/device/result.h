// SPDX-License-Identifier: Apache-2.0
// This file is how devices report success and failure.
#pragma once

#include <cstdint>
#include <string>

namespace clarity::device {

/// The code of what a kernel or a transfer did that it may not do, such as accessing memory that is not there:
/// CL_INVALID_OPERATION. It is none that says that something is used up: libraries free memory and try again after
/// those.
inline constexpr std::int32_t faultCode = -59;

/// What went wrong on the device; code 0 is success.
struct [[nodiscard]] Result {
  std::int32_t code = 0;  ///< a negative OpenCL error code, or 0
  std::string text;       ///< a sentence with the values that matter
  explicit operator bool() const { return code == 0; }
};

}  // namespace clarity::device
