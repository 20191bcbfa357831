// SPDX-License-Identifier: Apache-2.0
// This file declares cases from programs that are not part of the repository.
#pragma once

#include <string>
#include <vector>

#include "problem.h"

namespace bench {

// The kernels that the files FOLDER/*.json describe (README.md says how), in the order of names. Their results with all
// passes are the reference. Throws std::runtime_error, which names the file, for what cannot be read.
std::vector<Case> casesOfPrograms(const std::string& folder);

}  // namespace bench
