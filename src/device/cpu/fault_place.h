// SPDX-License-Identifier: Apache-2.0
// This file says where in a program's source a fault was.
#pragma once

#include "device/cpu/kernel_code.h"
#include "device/observer.h"
#include "device/source_text.h"
#include "support/fault_guard.h"

#include <string>
#include <string_view>

namespace clarity::device::cpu {

/// "; at saxpy.cl:12:8: y[i] = a * x[i] + y[i];" for the instruction of a launch's code that faulted, or that called
/// the function that did, with the calls through which it was inlined; empty if the place is not known.
std::string describePlace(const KernelCode::Choice&, const support::Fault&, const SourceText&);

/// A fault for the one who observes the launch. `text`: what was accessed.
void reportTo(LaunchObserver&, std::string_view text, const KernelCode::Choice&, const support::Fault&,
              const SourceText&);

}  // namespace clarity::device::cpu
