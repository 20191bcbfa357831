// SPDX-License-Identifier: Apache-2.0
// This file says where in a program's source a fault was.
#pragma once

#include "device/cpu/kernel_code.h"
#include "device/source_text.h"

#include <string>

namespace clarity::device::cpu {

/// "; at saxpy.cl:12:8: y[i] = a * x[i] + y[i];" for an instruction of a launch's code, with the calls through which it
/// was inlined; empty if the place is not known.
std::string describePlace(const KernelCode::Choice&, const void* instruction, const SourceText&);

}  // namespace clarity::device::cpu
