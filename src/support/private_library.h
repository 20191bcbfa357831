// SPDX-License-Identifier: Apache-2.0
// This file tells whether the libraries that an installed driver brings along, under names of their own, are there.
#pragma once

namespace clarity::support {

/// Why the driver cannot work: which of its libraries could not be opened, in a sentence; null if all are there or the
/// driver brings none along. Set before anything else of the driver runs (api/private_libraries.cpp).
inline const char* missingLibrary = nullptr;

}  // namespace clarity::support
