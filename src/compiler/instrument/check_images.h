// SPDX-License-Identifier: Apache-2.0
// This file is the check of coordinates of images: writes outside of an image have no defined result, nor have reads
// without a sampler, or with CLK_ADDRESS_NONE. Here they write nothing and read the border's colour. And of functions:
// those for floating-point numbers, signed and unsigned integers are for images that have such channels.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

/// On code where functions of the builtin library are calls:
///   before:  call @write_imagef(ptr %image, <2 x i32> %at, <4 x float> %colour)
///   after:   if (a coordinate is outside) call void @__clarity_check_texel(...)
///            call @write_imagef(...)
void checkImages(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
