// SPDX-License-Identifier: Apache-2.0
// This file makes what a kernel does with images ordinary accesses to memory.
#pragma once

#include "compiler/ir/shape.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

#include <string>

namespace llvm {
class Argument;
}

namespace clarity::compiler::nvptx {

/// Whether an argument of kernel IR is an image: a pointer to its descriptor (image_descriptor.h).
bool isImage(const llvm::Argument& argument);

/// The functions that get images of the kernel are inlined, those of the builtin library for the formats and samplers
/// of the shape (specialize-images), so that descriptors are only read, member by member: members become parameters of
/// the kernel. False, with a sentence in `error`, where an image goes elsewhere.
bool knowImages(llvm::Module& module, llvm::StringRef kernel, const Shape& shape, llvm::ModuleAnalysisManager& analyses,
                std::string& error);

}  // namespace clarity::compiler::nvptx
