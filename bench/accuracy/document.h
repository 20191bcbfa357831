// SPDX-License-Identifier: Apache-2.0
// This file prints results as the tables of docs/accuracy.md.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "accuracy/measure.h"

namespace accuracy {

// One table of all results.
void printTable(std::ostream& out, const std::vector<Result>& results);

// The worst result of every function over the sets of options.
void printOptionsTable(std::ostream& out, const std::vector<Result>& results);

// All of docs/accuracy.md. `plain`, `relaxed`: without and with -cl-fast-relaxed-math; `others`: with the other sets.
struct Document {
  std::string device;
  std::vector<Result> plain = {}, relaxed = {}, others = {};
  std::uint64_t othersInputs = 0;
};
void print(std::ostream& out, const Document& document);

}  // namespace accuracy
