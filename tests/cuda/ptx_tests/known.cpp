// SPDX-License-Identifier: Apache-2.0
// ptx_known FILE: 0 if all instructions of a PTX text are ones that the executor knows, and otherwise 1 and what is not
// known.
#include "calculator.h"

#include <cstdio>
#include <fstream>
#include <iterator>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: ptx_known FILE\n");
    return 2;
  }
  std::ifstream file(arguments[1]);
  if (!file) {
    std::fprintf(stderr, "ptx_known: cannot read '%s'\n", arguments[1]);
    return 2;
  }
  try {
    clarity::ptx::TestMemory memory;
    const clarity::ptx::Program program(std::string(std::istreambuf_iterator<char>(file), {}), memory);
    for (const std::string& each : program.unknown) std::fprintf(stderr, "ptx_known: %s\n", each.c_str());
    return program.unknown.empty() ? 0 : 1;
  } catch (const clarity::ptx::Error& error) {
    std::fprintf(stderr, "ptx_known: %s\n", error.what());
    return 1;
  }
}
