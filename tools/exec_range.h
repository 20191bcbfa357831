// SPDX-License-Identifier: Apache-2.0
// This file declares how the range of `clarity exec` follows from the buffers of the kernel.
#pragma once

#include "argument.h"

#include <cstddef>
#include <string>
#include <vector>

namespace clarity::tools {

/// One work-item for each element of the largest buffer that the kernel may write or, if there is none, of the largest
/// buffer: two dimensions for a picture, width first, and one for anything else. Empty without any buffer.
std::vector<size_t> fittingRange(const std::vector<Argument>& arguments, const std::vector<ArgumentValue>& values);

/// A text about buffers with fewer elements than the range has work-items, where one element for each was probably
/// meant: no buffer has enough, or one lacks less than half. Empty if there are none.
std::string misfitText(const std::vector<size_t>& range, const std::vector<Argument>& arguments,
                       const std::vector<ArgumentValue>& values);

}  // namespace clarity::tools
