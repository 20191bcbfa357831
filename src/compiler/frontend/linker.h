// SPDX-License-Identifier: Apache-2.0
// This file joins the portable IR of compiled programs and libraries (clLinkProgram).
#pragma once

#include "compiler/compiler.h"

#include <memory>
#include <span>
#include <string>

namespace llvm {
class Module;
}

namespace clarity::compiler {

class CollectingContext;

/// One module from all images, or nullptr and lines in `log`: functions and variables defined twice, declarations
/// that do not fit, recursion across programs, an image that is no Object or Library.
std::unique_ptr<llvm::Module> linkImages(CollectingContext&, std::span<const std::shared_ptr<const Image>> images,
                                         std::string& log);

}  // namespace clarity::compiler
