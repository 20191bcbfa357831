// SPDX-License-Identifier: Apache-2.0
// This file names the error codes of the standard.
#include "core/error.h"

#include "support/command_buffer_types.h"

#include <algorithm>
#include <iterator>

namespace clarity::core {
namespace {

struct Named {
  cl_int code;
  const char* name;
};

constexpr Named errors[] = {
#define CLARITY_ERROR(code) {code, #code},
#include "support/errors.def"
#undef CLARITY_ERROR
};

}  // namespace

std::string errorName(cl_int code) {
  const auto* const found = std::ranges::find(errors, code, &Named::code);
  return found != std::end(errors) ? found->name : fmt::format("unknown error {}", code);
}

}  // namespace clarity::core
