// SPDX-License-Identifier: Apache-2.0
// This file names the tables of the families, each of which is a file here and one of src/builtins/kernels.
#pragma once

#include "built_in/catalogue.h"

namespace clarity::built_in {

extern const Family movement, vectors, reductions, scans, partitions, histograms, sorts, matrices, normalisations,
    convolutions, randoms, fourier, poclNames;

}  // namespace clarity::built_in
