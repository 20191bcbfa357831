// SPDX-License-Identifier: Apache-2.0
// This file makes random programs. They are free of undefined behaviour and of races by construction, and they end: see
// generator_state.h for how.
#pragma once

#include <cstdint>
#include <string>

#include "program.h"

namespace clarity::fuzz {

/// Features that programs may contain. Each program uses a random part of it, so that rare things meet often.
struct Features {
#define FUZZ_FEATURE(name, documentation) bool name = true;
#include "features.def"
#undef FUZZ_FEATURE
  int subGroupSize = 0;  ///< the size in every kernel with sub-group functions; 0: one that the seed gives
};

/// Turns a feature off or on; false for a name that is none.
bool setFeature(Features& features, const std::string& name, bool value);
/// One line for each feature.
std::string listFeatures();

/// The same seed and features give the same program on every machine.
Program generate(std::uint64_t seed, const Features& features);

}  // namespace clarity::fuzz
