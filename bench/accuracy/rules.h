// SPDX-License-Identifier: Apache-2.0
// This file says what the standard allows under a set of build options, beyond the bounds of functions.def.
#pragma once

#include <string>
#include <vector>

#include "accuracy/function.h"

namespace accuracy {

// What build options and the device's formats take away from what can be asked of a result.
struct Rules {
  bool flushes = false;         // subnormal arguments and results may become zero
  bool finiteOnly = false;      // nothing is said of NaN and infinities, in or out
  bool anyZero = false;         // zeros have no sign
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
  // Null where the table says nothing of the function.
  static const RelaxedBound* of(const std::string& function);
  // NaN outside the domain that the table has.
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

// The sets of build options that the table of options is made with; the first is none.
const std::vector<std::string>& optionSets();

}  // namespace accuracy
