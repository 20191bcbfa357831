// SPDX-License-Identifier: Apache-2.0
// This file is what the code of a launch is specialised for of its images and samplers.
#pragma once

#include "device/executable.h"

#include <vector>

namespace clarity::device::host {

/// Whether a kernel has images or samplers among its arguments.
bool usesImages(const compiler::KernelInfo&);

/// The formats of the images and the bits of the samplers in the argument block of a launch, by argument.
std::vector<compiler::ImageFacts> imageFactsOf(const Launch&);

}  // namespace clarity::device::host
