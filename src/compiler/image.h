// SPDX-License-Identifier: Apache-2.0
// This file completes compiler.h's Image inside the compiler.
#pragma once

#include "compiler/compiler.h"

namespace clarity::compiler {

/// Fills in Image::hash from everything else in the image and from the target. Last step of making one.
void seal(Image&, const Target&);

}  // namespace clarity::compiler
