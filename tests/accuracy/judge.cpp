// SPDX-License-Identifier: Apache-2.0
// This file tests the judge: results that were disturbed have to be found wrong, and what build options allow has to
// pass.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "accuracy/inputs.h"
#include "accuracy/judge.h"
#include "named.h"

namespace {

using namespace accuracy;

/// The judge's verdict on one call with this result.
template <class T>
Outcome judged(const char* name, const Arguments<T>& arguments, T result, const char* options = "", T second = 0,
               int secondInt = 0) {
  const Function<T>& function = named<T>(name);
  Block<T> block(1);
  block.count = 1;
  block.x[0] = arguments.x;
  block.y[0] = arguments.y;
  block.z[0] = arguments.z;
  block.n[0] = arguments.n;
  block.first[0] = result;
  block.second[0] = second;
  block.firstInt[0] = block.secondInt[0] = secondInt;
  const Truth<T> truth = function.referenceOfOne(arguments);
  Outcome outcome;
  Judge<T>(function, rulesFor<T>(options, true)).judge(block, &truth, 0, outcome);
  return outcome;
}

template <class T>
bool allowed(const char* name, const Arguments<T>& arguments, T result, const char* options = "") {
  return judged<T>(name, arguments, result, options).failures == 0;
}

/// Lets the reference stand for the device, disturbs its results and counts what is found wrong.
template <class T>
Outcome disturbed(const char* name, const std::function<T(T)>& disturb, const char* options = "") {
  const Function<T>& function = named<T>(name);
  constexpr std::size_t count = 4096;
  Block<T> block(count);
  std::vector<Truth<T>> truth(count);
  Inputs<T>(function, count).fill(block, 0, count);
  function.reference(block, truth.data());
  for (std::size_t i = 0; i < count; ++i) {
    block.first[i] = disturb(static_cast<T>(truth[i].first));
    block.second[i] = static_cast<T>(truth[i].second);
    if (givesInt(function.shape)) block.firstInt[i] = static_cast<int>(truth[i].first);
    if (givesSecondInt(function.shape)) block.secondInt[i] = static_cast<int>(truth[i].second);
  }
  Outcome outcome;
  Judge<T>(function, rulesFor<T>(options, true)).judge(block, truth.data(), 0, outcome);
  return outcome;
}

template <class T>
T moved(T value, int steps) {
  return isFinite(value) && !isZero(value)
             ? fromBits<T>(static_cast<BitsOf<T>>(bitsOf(value) + static_cast<BitsOf<T>>(steps)))
             : value;
}

template <class T>
void everyFunctionIsRightUntilDisturbed() {
  for (const Function<T>& function : functions<T>()) {
    const Outcome right = disturbed<T>(function.name, [](T value) { return value; });
    EXPECT_EQ(right.failures, 0u) << function.fullName() << ": " << (right.shown.empty() ? "" : right.shown[0].text);
    EXPECT_LE(right.error, 0.5) << function.fullName();
    if (function.limit == unbounded || givesInt(function.shape)) continue;
    const int steps = 5 + 2 * static_cast<int>(function.limit);
    const Outcome wrong = disturbed<T>(function.name, [steps](T value) { return moved(value, steps); });
    EXPECT_GT(wrong.failures, 100u) << function.fullName();
    EXPECT_GE(wrong.error, 5) << function.fullName();
    ASSERT_FALSE(wrong.shown.empty());
    EXPECT_NE(wrong.shown[0].text.find(function.fullName() + '('), std::string::npos) << wrong.shown[0].text;
  }
}

TEST(Judge, findsEveryDisturbedHalf) { everyFunctionIsRightUntilDisturbed<Half>(); }
TEST(Judge, findsEveryDisturbedFloat) { everyFunctionIsRightUntilDisturbed<float>(); }
TEST(Judge, findsEveryDisturbedDouble) { everyFunctionIsRightUntilDisturbed<double>(); }

TEST(Judge, findsWrongKinds) {
  EXPECT_FALSE(allowed<float>("log", {-1}, 0.0f));
  EXPECT_FALSE(allowed<float>("log", {2}, NAN));
  EXPECT_FALSE(allowed<float>("log", {0}, -0x1.fffffep127f)) << "a pole";
  EXPECT_FALSE(allowed<float>("sin", {0}, 0x1p-149f)) << "sin(0) is 0";
  EXPECT_FALSE(allowed<float>("sin", {-0.0f}, 0.0f)) << "and has the argument's sign";
  EXPECT_FALSE(allowed<float>("exp", {0}, 0x1.000002p0f)) << "exp(0) is 1";
  EXPECT_FALSE(allowed<double>("pow", {1, 17}, 0x1.0000000000001p0)) << "1 to any power is 1";
  EXPECT_TRUE(allowed<double>("exp", {1}, 0x1.5bf0a8b145768p1)) << "but here an ulp is allowed";
  EXPECT_TRUE(allowed<float>("exp", {89}, INFINITY));
  EXPECT_FALSE(allowed<float>("exp", {80}, INFINITY));
}

// An edge's result is prescribed, however large the errors are that were allowed before it.
TEST(Judge, findsWrongEdgesAmongOthers) {
  const Outcome outcome = disturbed<float>("exp", [](float value) { return moved(value, 1); });
  EXPECT_EQ(outcome.failures, 2u) << "exp(0) and exp(-0)";
}

TEST(Judge, findsWrongSecondResults) {
  EXPECT_EQ(judged<float>("frexp", {3}, 0.75f, "", 0, 2).failures, 0u);
  EXPECT_EQ(judged<float>("frexp", {3}, 0.75f, "", 0, 3).failures, 1u);
  EXPECT_EQ(judged<float>("modf", {3.5f}, 0.5f, "", 3).failures, 0u);
  EXPECT_EQ(judged<float>("modf", {3.5f}, 0.5f, "", 4).failures, 1u);
  EXPECT_EQ(judged<float>("remquo", {1000, 3}, 1.0f, "", 0, 333).failures, 0u) << "more than seven bits";
  EXPECT_EQ(judged<float>("remquo", {1000, 3}, 1.0f, "", 0, -(333 % 128)).failures, 1u);
  EXPECT_EQ(judged<float>("sincos", {1}, std::sin(1.0f), "", std::sin(1.0f)).failures, 1u);
}

TEST(Judge, takesWhatTheStandardLeavesOpen) {
  EXPECT_TRUE(allowed<float>("fmax", {0.0f, -0.0f}, -0.0f));
  EXPECT_FALSE(allowed<float>("fmax", {1.0f, -0.0f}, -0.0f));
  const float x = 0x1.000006p0f;
  EXPECT_TRUE(allowed<float>("mad", {x, x, -1}, 0x1.800004p-21f)) << "fused";
  EXPECT_TRUE(allowed<float>("mad", {x, x, -1}, 0x1.8p-21f)) << "with two roundings";
  EXPECT_FALSE(allowed<float>("mad", {x, x, -1}, 0x1.800008p-21f));
  EXPECT_EQ(judged<float>("ilogb", {0}, 0.0f, "", 0, INT32_MIN).failures, 0u);
  EXPECT_EQ(judged<float>("ilogb", {0}, 0.0f, "", 0, -INT32_MAX).failures, 0u);
  EXPECT_EQ(judged<float>("ilogb", {0}, 0.0f, "", 0, 0).failures, 1u);
}

TEST(Judge, allowsZeroForDenormals) {
  const char* option = "-cl-denorms-are-zero";
  EXPECT_FALSE(allowed<float>("sqrt", {0x1p-149f}, 0.0f));
  EXPECT_TRUE(allowed<float>("sqrt", {0x1p-149f}, 0.0f, option)) << "of the argument";
  EXPECT_FALSE(allowed<float>("sqrt", {0x1p-149f}, 0x1p-70f, option)) << "anything else";
  EXPECT_FALSE(allowed<float>("multiply", {0x1p-100f, 0x1p-40f}, 0.0f));
  EXPECT_TRUE(allowed<float>("multiply", {0x1p-100f, 0x1p-40f}, -0.0f, option)) << "of the result, with either sign";
  EXPECT_TRUE(allowed<float>("divide", {1, 0x1p-149f}, -INFINITY, option)) << "of any sign";
  EXPECT_FALSE(allowed<float>("add", {0x1p-100f, 0x1p-100f}, 0.0f, option));
  EXPECT_TRUE(allowed<double>("multiply", {0x1p-1000, 0x1p-60}, 0.0, option));
  EXPECT_FALSE(
      allowed<Half>("multiply", {static_cast<Half>(0x1p-10), static_cast<Half>(0x1p-10)}, static_cast<Half>(0), option))
      << "it is not about half";
}

TEST(Judge, knowsTheOtherOptions) {
  EXPECT_FALSE(allowed<float>("fabs", {1}, NAN, "-cl-finite-math-only"));
  EXPECT_TRUE(allowed<float>("log", {-1}, 7.0f, "-cl-finite-math-only"));
  EXPECT_TRUE(allowed<float>("floor", {-0.0f}, 0.0f, "-cl-no-signed-zeros"));
  EXPECT_FALSE(allowed<float>("floor", {-0.0f}, 0.0f, "-cl-mad-enable"));
  EXPECT_TRUE(allowed<float>("divide", {1, 3}, 0x1.55555ap-2f)) << "2.5 ulp";
  EXPECT_FALSE(allowed<float>("divide", {1, 3}, 0x1.55555ap-2f, "-cl-fp32-correctly-rounded-divide-sqrt"));
  EXPECT_FALSE(allowed<double>("divide", {1, 3}, 0x1.5555555555556p-2));
}

TEST(Judge, knowsTheBoundsOfRelaxedMath) {
  const char* option = "-cl-fast-relaxed-math";
  EXPECT_TRUE(allowed<float>("sin", {1}, 0x1.aed548p-1f + 0x1p-12f, option));
  EXPECT_FALSE(allowed<float>("sin", {1}, 0x1.aed548p-1f + 0x1p-10f, option));
  EXPECT_TRUE(allowed<float>("sin", {4}, 0.0f, option)) << "outside of the domain";
  EXPECT_TRUE(allowed<float>("exp", {10}, moved(std::exp(10.0f), 20), option));
  EXPECT_FALSE(allowed<float>("exp", {10}, moved(std::exp(10.0f), 30), option));
  EXPECT_FALSE(allowed<float>("cbrt", {10}, moved(std::cbrt(10.0f), 9000), option));
  EXPECT_FALSE(allowed<float>("floor", {1.5f}, 2.0f, option)) << "it has no bound of its own";
  EXPECT_FALSE(allowed<double>("sin", {1}, 0.8415, option)) << "the table is about float";
  for (const Function<float>& function : functions<float>()) {
    const Outcome right = disturbed<float>(function.name, [](float value) { return value; }, option);
    EXPECT_EQ(right.failures, 0u) << function.name << ": " << (right.shown.empty() ? "" : right.shown[0].text);
  }
}

TEST(Outcome, isTheSameInAnyOrder) {
  const Outcome a{.error = 1, .limit = 2, .index = 7, .at = "7", .failures = 1, .shown = {{7, "seven"}}};
  const Outcome b{.error = 1, .limit = 2, .index = 3, .at = "3", .failures = 2, .shown = {{3, "three"}}},
      c{.error = 3, .limit = 16, .index = 1, .at = "1"};
  Outcome forwards, backwards;
  for (const Outcome* each : {&a, &b, &c}) forwards.merge(*each);
  for (const Outcome* each : {&c, &b, &a}) backwards.merge(*each);
  for (const Outcome* each : {&forwards, &backwards}) {
    EXPECT_EQ(each->at, "3") << "half of what is allowed is more than a part of 16";
    EXPECT_EQ(each->failures, 3u);
    EXPECT_EQ(each->shown[0].text, "three");
  }
}

}  // namespace
