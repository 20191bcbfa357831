// SPDX-License-Identifier: Apache-2.0
// This file judges the results of a block: the error of each in ulps, and whether it is within the bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/function.h"
#include "accuracy/rules.h"

namespace accuracy {

// The outcome for a function. Blocks may be judged in any order and by several threads; the merged outcome is the same.
struct Outcome {
  // The error that is the largest part of its bound; for exact functions and those without a bound: the largest error.
  double error = 0;                  // ulps
  double limit = 0;                  // allowed there
  std::uint64_t index = UINT64_MAX;  // of the input
  std::string at = {};               // the arguments
  std::uint64_t failures = 0;
  struct Failure {
    std::uint64_t index;
    std::string text;
  };
  std::vector<Failure> shown = {};  // the first ones
  static constexpr std::size_t mostShown = 8;

  double share() const { return limit > 0 && limit < unbounded ? error / limit : error; }
  void merge(const Outcome& other);
};

template <class T>
class Judge {
public:
  Judge(const Function<T>& function, const Rules& rules);
  // `begin` is the number of the block's first input.
  void judge(const Block<T>& block, const Truth<T>* truth, std::uint64_t begin, Outcome& outcome) const;

private:
  struct Verdict {
    double error = 0, limit = 0;
    bool outside = false;  // the standard defines no result
  };
  enum class Which : bool { First, Second };

  void judgeNumbers(const Block<T>& block, const Truth<T>* truth, Which which, std::uint64_t begin,
                    Outcome& outcome) const;
  void judgeInts(const Block<T>& block, const Truth<T>* truth, Which which, std::uint64_t begin,
                 Outcome& outcome) const;
  Verdict verdict(const Arguments<T>& arguments, Wide<T> truth, T result, Which which) const;
  double errorOf(const Arguments<T>& arguments, Wide<T> truth, T result, double limit) const;
  double exactErrorOf(Wide<T> truth, T result) const;
  bool isEdge(const Arguments<T>& arguments) const;
  bool saysNothing(const Arguments<T>& arguments, Wide<T> truth) const;
  double limitFor(const Arguments<T>& arguments, Wide<T> truth) const;
  double intErrorOf(Wide<T> truth, std::int32_t result, const Arguments<T>& arguments) const;
  bool hasOtherRight(const Arguments<T>& arguments, T result) const;
  template <class Error>
  double leastErrorOfVariants(const Arguments<T>& arguments, Which which, Error error) const;
  void record(const Arguments<T>& arguments, const Verdict& verdict, const std::string& result,
              const std::string& truth, std::uint64_t index, Outcome& outcome) const;
  std::string callText(const Arguments<T>& arguments) const;

  const Function<T>& function_;
  Rules rules_;
  const RelaxedBound* relaxed_ = nullptr;
  double limit_;
  bool isPower_, isExtremum_, isMultiplyAdd_, isNext_, isQuotient_, isExponent_;
};

// 4 for a bound of 4 ulps, "exact" and "any" for the others.
std::string limitText(double limit);

}  // namespace accuracy
