// SPDX-License-Identifier: Apache-2.0
// This file chooses the work-group size of a launch whose local_work_size is NULL.
#pragma once

#include "device/device.h"

namespace clarity::device::host {

/// Sets range.local for range.global (OpenCL 3.0, section 5.9.3): what the kernel requires; else what divides the
/// global size if the kernel has uniform work-groups; never more than the device's limits. Long in x, because
/// neighbouring work-items along x are executed together, and 64 to 256 work-items where the sizes allow it.
void chooseLocalSize(const compiler::KernelInfo&, const Properties&, NDRange& range);

}  // namespace clarity::device::host
