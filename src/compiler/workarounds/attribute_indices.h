// SPDX-License-Identifier: Apache-2.0
// This file finds bitcode at which LLVM's reader would take all memory of the machine: it makes a table of attributes
// as long as the largest parameter index that the bitcode names, however many parameters the function has.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace clarity::compiler {

/// Whether a group of attributes in the bitcode belongs to a parameter beyond the first 65,536. False for bytes that
/// cannot be read, of which the reader says so.
bool namesParametersBeyondReason(llvm::StringRef bitcode);

}  // namespace clarity::compiler
