// SPDX-License-Identifier: Apache-2.0
// This file prints the names of the runtime symbols, for check_back_end.py.
#include <cstdio>

#include "builtins/builtins.h"

int main() {
  for (const auto& symbol : clarity::builtins::runtimeSymbols()) {
    std::puts(symbol.name);
  }
}
