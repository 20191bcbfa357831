// SPDX-License-Identifier: Apache-2.0
// This file finds functions for the tests.
#pragma once

#include <stdexcept>
#include <string>

#include "accuracy/function.h"

namespace accuracy {

template <class T>
const Function<T>& named(const std::string& name) {
  for (const Function<T>& function : functions<T>())
    if (function.name == name) return function;
  throw std::runtime_error(name + " is not in functions.def");
}

}  // namespace accuracy
