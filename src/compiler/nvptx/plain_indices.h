// SPDX-License-Identifier: Apache-2.0
// This file names the form of indices that code of threads has (transforms/index_form.h).
#pragma once

#include "compiler/passes/narrow_indices.h"

namespace clarity::compiler::nvptx {

struct PlainIndicesPass : NarrowIndicesPass {
  PlainIndicesPass() : NarrowIndicesPass(formOfThreads) {}
};

}  // namespace clarity::compiler::nvptx
