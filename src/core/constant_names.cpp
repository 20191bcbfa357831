// SPDX-License-Identifier: Apache-2.0
// This file formats the constants that sentences about errors name.
#include "core/constant_names.h"

#include "support/flag_names.h"

namespace clarity::core {

std::string textOf(ConstantName constant) { return support::constantName(constant.value); }

std::string textOf(MemoryFlagNames names) { return support::memoryFlagNames(names.flags); }

std::string textOf(FormatNames names) {
  return fmt::format("channel order {} and type {}", ConstantName{names.format.image_channel_order},
                     ConstantName{names.format.image_channel_data_type});
}

}  // namespace clarity::core
