// SPDX-License-Identifier: Apache-2.0
// This file completes a shape for reports and listings, which have no launch to take images from.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// Where the shape says nothing of images: those behind the arguments are RGBA of the kind of numbers that the kernel
/// (kernel IR) reads or writes, with 8 bits for each channel, and samplers are linear, clamp to the edge and take
/// coordinates in texels. Without it the code is that for all formats, which hardly any launch runs.
void supposeImages(const llvm::Function& function, const KernelInfo& kernel, Shape& shape);

}  // namespace clarity::compiler
