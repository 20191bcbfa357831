// SPDX-License-Identifier: Apache-2.0
// This file is the compiler's one cache of what it has made: compiled programs and native objects.
#pragma once

#include "compiler/driver/compiler.h"
#include "support/disk_cache.h"
#include "support/hash.h"

#include <string_view>

namespace clarity::compiler {

/// The cache that configureCache() set up; before that, one that keeps nothing.
support::DiskCache& cache();

/// The beginning of a key: what is kept ("compiled program", "object"...), which build of the compiler made it, for
/// which target. Add what else the content depends on.
support::Hasher cacheKey(std::string_view what, const Target&);

}  // namespace clarity::compiler
