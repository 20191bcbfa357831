// SPDX-License-Identifier: Apache-2.0
// This file declares the back end of the processor that the host runs on.
#pragma once

#include "compiler/ir/backend.h"

namespace clarity::compiler {

const BackEnd& hostBackEnd();

}  // namespace clarity::compiler
