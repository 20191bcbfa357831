// SPDX-License-Identifier: Apache-2.0
// This file names LLVM's synchronisation scopes in kernel IR for devices with scopes. That of the system, which is all
// that others have, has no name.
#pragma once

namespace clarity::compiler {

inline constexpr char groupScopeName[] = "block";    ///< NVPTX's name of what a work-group runs in
inline constexpr char deviceScopeName[] = "device";  ///< NVPTX's, too

}  // namespace clarity::compiler
