// SPDX-License-Identifier: Apache-2.0
// This file is where the content of a memory object is, in the words of OpenCL's objects (OpenCL 3.0, section 5.5.4 and
// appendix A.1: content is implicitly visible to all devices once the command that wrote it has completed). Contexts
// whose devices share one memory that the host can access need none of it.
#pragma once

#include "support/rectangle.h"
#include "support/residency.h"

namespace clarity::core {

using support::Rectangle;
using support::Residency;

}  // namespace clarity::core
