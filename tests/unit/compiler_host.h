// SPDX-License-Identifier: Apache-2.0
// This file is what tests of the compiler compile for, and where they are executed.
#pragma once

#include "compiler/host/target.h"

namespace clarity::compiler {

/// This machine.
inline const Target& host() {
  static const Target target = hostTarget();
  return target;
}

#if defined(__has_feature)
inline constexpr bool threadSanitized = __has_feature(thread_sanitizer);
#else
inline constexpr bool threadSanitized = false;
#endif

}  // namespace clarity::compiler
