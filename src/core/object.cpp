// SPDX-License-Identifier: Apache-2.0
// This file holds the ICD loader's word for the objects that are still to come.
#include "core/object.h"

namespace clarity::core {

constinit std::atomic<void*> dispatchData{nullptr};

}  // namespace clarity::core
