// SPDX-License-Identifier: Apache-2.0
// This file gives out the addresses of entry points by name.
#pragma once

namespace clarity::api {

/// The entry point of this name (api.def), traced if calls are traced; null for a name that Clarity does not have.
void* addressByName(const char* name);

}  // namespace clarity::api
