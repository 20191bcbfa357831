// SPDX-License-Identifier: Apache-2.0
// This file declares what the standard allows with a set of build options, in addition to the bounds of functions.def.
#pragma once

#include <string>
#include <vector>

#include "accuracy/function.h"

namespace accuracy {

// How build options and the device's formats relax the requirements on results.
struct Rules {
  bool flushes = false;         // subnormal arguments and results may become zero
  bool finiteOnly = false;      // NaN and infinities are undefined as arguments and as results
  bool anyZero = false;         // the sign of zeros is not checked
  bool edgesAreFree = false;    // the results that section 7.5 prescribes may differ
  bool relaxed = false;         // the bounds for unsafe math, of float only
  bool roundsDivision = false;  // -cl-fp32-correctly-rounded-divide-sqrt
};

// `keepsSubnormals`: the device reports CL_FP_DENORM for the type.
template <class T>
Rules rulesFor(const std::string& options, bool keepsSubnormals);

// The bounds for float of the table for unsafe math, in ulps of the truth.
class RelaxedBound {
public:
  // Null if the table does not contain the function.
  static const RelaxedBound* of(const std::string& function);
  // NaN outside the domain of the table.
  double limit(const Arguments<float>& arguments, double truth) const { return limit_(arguments, truth); }
  // In words, for tables.
  const char* text() const { return text_; }

  using Limit = double (*)(const Arguments<float>&, double truth);
  RelaxedBound(const char* function, const char* text, Limit limit) : function_(function), text_(text), limit_(limit) {}

private:
  const char* function_;
  const char* text_;
  Limit limit_;
};

// The sets of build options of the table of options; the first is empty.
const std::vector<std::string>& optionSets();

}  // namespace accuracy
