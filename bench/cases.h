// SPDX-License-Identifier: Apache-2.0
// This file lists the families of measured kernels, each in cases/<family>.cpp and kernels/<family>.cl.
#pragma once

#include "problem.h"

namespace bench {

std::vector<Case> irregularCases();
std::vector<Case> integersCases();
std::vector<Case> sortingCases();
std::vector<Case> stencilsCases();
std::vector<Case> imagesCases();
std::vector<Case> samplingCases();
std::vector<Case> linearCases();
std::vector<Case> matricesCases();
std::vector<Case> reductionsCases();
std::vector<Case> learningCases();
std::vector<Case> signalCases();
std::vector<Case> physicsCases();
std::vector<Case> financeCases();
std::vector<Case> rangesCases();

}  // namespace bench
