// SPDX-License-Identifier: Apache-2.0
// This file puts the families in the order in which they are listed.
#include "built_in/families.h"

#include <array>

namespace clarity::built_in {

std::span<const Family> families() {
  static const std::array all{movement, vectors,        reductions,   scans,   partitions, histograms, sorts,
                              matrices, normalisations, convolutions, randoms, fourier,    poclNames};
  return all;
}

}  // namespace clarity::built_in
