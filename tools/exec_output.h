// SPDX-License-Identifier: Apache-2.0
// This file declares what `clarity exec` does with the content of buffers afterwards: files, printed elements, JSON.
#pragma once

#include "argument.h"

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace clarity::tools {

/// --out ARG=FILE
struct Output {
  enum class Form { Npy, Raw, Png };
  cl_uint argument = 0;
  std::string file;  ///< "-" is standard output
  Form form = Form::Raw;
  std::vector<size_t> pixels;  ///< width and height where given
};

/// --print ARG[:COUNT]
struct Print {
  cl_uint argument = 0;
  size_t count = 0;
};

/// N=REST or N:REST, with N the name or the number of an argument. `expected` says what both look like; where it is
/// empty, N may stand alone.
struct Selection {
  cl_uint argument;
  std::string rest;
};
Selection select(const std::vector<Argument>& arguments, const std::string& option, const std::string& text,
                 char separator, const std::string& expected);

/// Throw UsageError.
Output parseOutput(const std::vector<Argument>& arguments, const std::string& text);
Print parsePrint(const std::vector<Argument>& arguments, const std::string& text);

/// Writes a buffer, and returns what was written: "640x480 of uchar4". `range` is the size of a picture that has no
/// other.
std::string write(const Output& output, const std::vector<size_t>& range, const Argument& argument, Array array);

/// "y float[1000]: 0 3 6 ..."
std::string printed(const Argument& argument, const Array& array, size_t count);
nlohmann::ordered_json printedJson(const Argument& argument, const Array& array, size_t count);

}  // namespace clarity::tools
