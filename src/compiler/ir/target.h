// SPDX-License-Identifier: Apache-2.0
// This file says what code is generated for. Each back end makes its own targets (host/target.h).
#pragma once

#include "support/fields.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace clarity::compiler {

/// The most work-items of a work-group.
inline constexpr std::size_t largestWorkGroup = 4096;
/// Sizes that intel_reqd_sub_group_size may ask for.
inline constexpr std::uint32_t subGroupSizes[] = {4, 8, 16, 32};

/// The device that code is generated for. Compiled programs and cached code serve equal targets only.
struct Target {
  std::string backEnd;        ///< the name of the back end that generates the code (backend.h)
  std::string cpu;            ///< LLVM's name of the processor, "znver5"
  std::string features;       ///< LLVM's feature string, "+avx2,-avx512f"
  unsigned vectorBits = 128;  ///< preferred vector width
  std::string extensions;     ///< the device's OpenCL extensions and OpenCL C features, separated by spaces
  std::string deviceVersion;  ///< "Clarity 1.2": a binary of another version is refused

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("deviceVersion", &Target::deviceVersion), field("backEnd", &Target::backEnd),
                              field("cpu", &Target::cpu), field("features", &Target::features),
                              field("vectorBits", &Target::vectorBits), field("extensions", &Target::extensions));
  }
  bool operator==(const Target&) const = default;
};
static_assert(support::listsEveryField<Target>);

}  // namespace clarity::compiler
