// SPDX-License-Identifier: Apache-2.0
// This file declares the back end of NVIDIA GPUs.
#pragma once

#include "compiler/ir/backend.h"

namespace clarity::compiler {

const BackEnd& nvptxBackEnd();

}  // namespace clarity::compiler
