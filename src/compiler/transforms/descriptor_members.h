// SPDX-License-Identifier: Apache-2.0
// This file declares what is done with the members of image descriptors: those that a shape knows become constants, the
// others parameters of the kernel.
#pragma once

#include "compiler/ir/shape.h"

namespace llvm {
class Argument;
class Function;
}  // namespace llvm

namespace clarity::compiler {

/// Replaces loads of members by what the format says of them. Returns whether there were any.
bool foldMembers(llvm::Argument& image, const ImageFacts& facts);

/// Replaces loads of members of the kernel's images by parameters, which are added behind the others.
/// `imageMemberAttribute` says which argument and member each is.
void passMembers(llvm::Function& kernel);

}  // namespace clarity::compiler
