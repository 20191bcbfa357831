// SPDX-License-Identifier: Apache-2.0
// This file measures one function under one set of build options over all its inputs, on all host threads, and stores
// results in files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "accuracy/device.h"
#include "accuracy/judge.h"

namespace accuracy {

// One row of a table.
struct Result {
  std::string type, function, options;
  std::string shape = {};    // "one" or "more" arguments
  std::string allowed = {};  // in words
  bool judged = true;        // or shown only
  bool relaxed = false;      // by a bound for unsafe math
  std::uint64_t inputs = 0;
  double seconds = 0;
  Outcome outcome = {};
};

// Changes results before they are judged: for tests of the judge.
template <class T>
using Disturbance = std::function<void(Block<T>&)>;

template <class T>
Result measure(const Device& device, const Function<T>& function, const std::string& options, std::uint64_t inputs,
               unsigned threads, const Disturbance<T>& disturb = {});

// Results in a folder, one file for each function and set of options. Files of another device or driver, or with fewer
// inputs, are ignored.
class Store {
public:
  // Without a folder nothing is stored.
  Store(std::string folder, const Device& device);
  std::optional<Result> load(const std::string& type, const std::string& function, const std::string& options,
                             std::uint64_t inputs) const;
  void save(const Result& result) const;

private:
  std::filesystem::path fileOf(const std::string& type, const std::string& function, const std::string& options) const;
  std::string folder_, device_;
};

}  // namespace accuracy
