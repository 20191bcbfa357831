// SPDX-License-Identifier: Apache-2.0
// This file tests integer divisions by zero, and of the smallest integer by -1, in expressions that LLVM simplifies
// where it may assume that they never happen.
#include "device_test.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

/// The promise of docs/faults.md: the quotient is the dividend, the remainder 0.
template <class T>
struct Defined {
  static bool isOpen(T a, T b) {
    return b == 0 ||
           (std::numeric_limits<T>::is_signed && b == static_cast<T>(-1) && a == std::numeric_limits<T>::min());
  }
  static T over(T a, T b) { return isOpen(a, b) ? a : static_cast<T>(a / b); }
  static T rest(T a, T b) { return isOpen(a, b) ? T{0} : static_cast<T>(a % b); }
};

template <class T>
struct Expression {
  const char* text;  ///< an expression of a and b of type T
  T (*value)(T a, T b);
};

template <class T>
std::vector<Expression<T>> expressions() {
  using D = Defined<T>;
  return {
      {"a / b", [](T a, T b) { return D::over(a, b); }},
      {"a % b", [](T a, T b) { return D::rest(a, b); }},
      {"b / b", [](T, T b) { return D::over(b, b); }},
      {"b % b", [](T, T b) { return D::rest(b, b); }},
      {"(small(a) * small(b)) / small(b)",
       [](T a, T b) {
         const T x = static_cast<T>(a & 7), y = static_cast<T>(b & 7);
         return D::over(static_cast<T>(x * y), y);
       }},
      {"(small(a) * small(b)) % small(b)", [](T, T) { return T{0}; }},
      {"(a % b) / b", [](T a, T b) { return D::over(D::rest(a, b), b); }},
      {"(small(a) << 1) / (small(a) << 1)",
       [](T a, T) {
         const T x = static_cast<T>((a & 7) << 1);
         return D::over(x, x);
       }},
      {"a / (a > 3 ? (T)0 : b)", [](T a, T b) { return D::over(a, a > 3 ? T{0} : b); }},
      {"a % (a > 3 ? b : (T)0)", [](T a, T b) { return D::rest(a, a > 3 ? b : T{0}); }},
      {"b == 0 ? a / b : b", [](T a, T b) { return b == 0 ? a : b; }},
      {"a / b ^ (b == 0 ? (T)7 : (T)1)",
       [](T a, T b) { return static_cast<T>(D::over(a, b) ^ (b == 0 ? T{7} : T{1})); }},
      {"branch(a, b)", [](T a, T b) { return D::over(a, a > 2 ? T{0} : b); }},
      {"last(a, b)", [](T a, T b) { return D::over(a, static_cast<T>(b & 1)); }},
      {"(T)7 / (b & 1)", [](T, T b) { return D::over(T{7}, static_cast<T>(b & 1)); }},
      {"(T)0 / b", [](T, T) { return T{0}; }},
      // Lanes that the program's condition excludes are executed with the others.
      {"b > 0 ? a / b : a", [](T a, T b) { return b > 0 ? static_cast<T>(a / b) : a; }},
      {"b != 0 ? (T)15 / b : b", [](T, T b) { return b != 0 ? D::over(T{15}, b) : b; }},
      {"guarded(a, b)", [](T a, T b) { return b == 0 ? T{3} : D::rest(a, b); }},
  };
}

/// A kernel that writes the value of each expression; `a` and `b` are what `operands` declares.
template <class T>
std::string sourceOf(const char* type, const std::string& operands) {
  std::string source =
      std::string("typedef ") + type +
      " T;\n"
      "T small(T x) { return x & 7; }\n"
      "T branch(T a, T b) { T z = b; if (a > 2) z = 0; return a / z; }\n"
      "T last(T a, T b) { T z = 5; for (int i = 0; i < 3; ++i) z = b & 1; return a / z; }\n"
      "T guarded(T a, T b) { T z = 3; if (b != 0) { if (a > 2) z = a % b; else z = a % b; } return z; }\n"
      "kernel void k(global T* out, global const T* left, global const T* right) {\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n  " +
      operands + "\n";
  std::size_t number = 0;
  for (const Expression<T>& each : expressions<T>())
    source += "  out[" + std::to_string(number++) + " * n + i] = " + each.text + ";\n";
  return source + "}\n";
}

class Division : public DeviceTest {
protected:
  template <class T>
  void values(const char* type) {
    const std::vector<T> of = {
        0, 1, 2, 3, 5, 9, static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    std::vector<T> left, right;
    for (const T a : of)
      for (const T b : of) {
        left.push_back(a);
        right.push_back(b);
      }
    const std::string source = sourceOf<T>(type, "T a = left[i], b = right[i];");
    for (const char* options : {"", "-cl-clarity-packet-width=1", "-cl-opt-disable"}) {
      if (!changeCode(options)) continue;
      SCOPED_TRACE(std::string(type) + " " + options);
      build(source, options);
      if (HasFatalFailure()) return;
      check(left, right);
    }
  }

  /// Values close to multiples of a number, where a quotient of inexact numbers errs, and the ends of the type.
  template <class T>
  static std::vector<T> closeToMultiplesOf(T b) {
    constexpr T largest = std::numeric_limits<T>::max(), smallest = std::numeric_limits<T>::min();
    std::vector<T> values = {0, 1, largest, smallest, static_cast<T>(largest - 1), static_cast<T>(smallest + 1)};
    for (int i = 0; i < 250; ++i) {
      const T factor = b == 0 || b == static_cast<T>(-1) ? T{0} : static_cast<T>(largest / b / 250 * i);
      for (const int beside : {-1, 0, 1}) values.push_back(static_cast<T>(factor * b + beside));
      if constexpr (std::numeric_limits<T>::is_signed)
        if (values.back() != smallest) values.push_back(static_cast<T>(-values.back()));
    }
    return values;
  }
  template <class T>
  void checkQuotients(const char* type, const std::vector<T>& left, T b, const std::vector<T>& found) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      ASSERT_EQ(found[i], Defined<T>::over(left[i], b)) << type << " " << +left[i] << " / " << +b;
      ASSERT_EQ(found[left.size() + i], Defined<T>::rest(left[i], b)) << type << " " << +left[i] << " % " << +b;
    }
  }

  /// All work-items divide by one number.
  template <class T>
  void common(const char* type) {
    build(std::string("typedef ") + type +
              " T;\nkernel void k(global T* out, global const T* left, T b) {\n"
              "  size_t i = get_global_id(0), n = get_global_size(0);\n"
              "  out[i] = left[i] / b; out[n + i] = left[i] % b;\n}\n",
          "");
    if (HasFatalFailure()) return;
    constexpr T largest = std::numeric_limits<T>::max(), smallest = std::numeric_limits<T>::min();
    for (const T b : {T{0}, T{1}, T{2}, T{3}, T{7}, T{10}, T{49}, T{113}, static_cast<T>(largest / 3),
                      static_cast<T>(largest / 2), static_cast<T>(largest - 1), largest, smallest,
                      static_cast<T>(smallest + 1), static_cast<T>(-1), static_cast<T>(-7)}) {
      const std::vector<T> left = closeToMultiplesOf(b);
      std::vector<T> found(2 * left.size(), T{77});
      cl_mem out = bufferOf(found), a = bufferOf(left);
      launch("k", {left.size()}, {}, out, a, b);
      take(out, found);
      clReleaseMemObject(a);
      checkQuotients(type, left, b, found);
      if (HasFatalFailure()) return;
    }
  }

  /// The divisors are numbers in the source.
  template <class T>
  void byConstants(const char* type) {
    constexpr T largest = std::numeric_limits<T>::max(), smallest = std::numeric_limits<T>::min();
    const std::vector<T> divisors = {1,
                                     2,
                                     3,
                                     6,
                                     7,
                                     10,
                                     14,
                                     28,
                                     255,
                                     641,
                                     4096,
                                     998244353,
                                     static_cast<T>(1000000007ul << 20),
                                     largest,
                                     static_cast<T>(largest - 1),
                                     static_cast<T>(largest / 2 + 1),
                                     static_cast<T>(largest / 2 + 2),
                                     static_cast<T>(largest / 3 * 2),
                                     smallest == 0 ? T{5} : smallest,
                                     static_cast<T>(smallest + 1),
                                     static_cast<T>(-1),
                                     static_cast<T>(-2),
                                     static_cast<T>(-3),
                                     static_cast<T>(-7),
                                     static_cast<T>(-1000003)};
    std::string source = std::string("typedef ") + type + " T;\n";
    for (std::size_t i = 0; i < divisors.size(); ++i) {
      const std::string number = "(T)" + std::to_string(static_cast<std::uint64_t>(divisors[i])) + "ul";
      source += "kernel void k" + std::to_string(i) +
                "(global T* out, global const T* left) {\n"
                "  size_t i = get_global_id(0), n = get_global_size(0);\n  out[i] = left[i] / " +
                number + "; out[n + i] = left[i] % " + number + ";\n}\n";
    }
    build(source, "");
    for (std::size_t i = 0; i < divisors.size() && !HasFatalFailure(); ++i) {
      const std::vector<T> left = closeToMultiplesOf(divisors[i]);
      std::vector<T> found(2 * left.size(), T{77});
      cl_mem out = bufferOf(found), a = bufferOf(left);
      launch(("k" + std::to_string(i)).c_str(), {left.size()}, {}, out, a);
      take(out, found);
      clReleaseMemObject(a);
      checkQuotients(type, left, divisors[i], found);
    }
  }

  /// The operands are numbers in the source.
  template <class T>
  void constants(const char* type) {
    for (const auto& [a, b] :
         std::vector<std::pair<T, T>>{{5, 0}, {0, 0}, {3, 2}, {std::numeric_limits<T>::min(), static_cast<T>(-1)}}) {
      const std::string name = std::string(type) + " " + std::to_string(a) + ", " + std::to_string(b);
      SCOPED_TRACE(name);
      const auto number = [](T value) { return "(T)" + std::to_string(static_cast<std::uint64_t>(value)) + "ul"; };
      build(sourceOf<T>(type, "const T a = " + number(a) + ", b = " + number(b) + ";"), "");
      if (HasFatalFailure()) return;
      check(std::vector<T>(3, a), std::vector<T>(3, b));
    }
  }

private:
  template <class T>
  void check(const std::vector<T>& left, const std::vector<T>& right) {
    const std::vector<Expression<T>> all = expressions<T>();
    const std::size_t count = left.size();
    std::vector<T> found(all.size() * count, T{77});
    cl_mem out = bufferOf(found), a = bufferOf(left), b = bufferOf(right);
    launch("k", {count}, {}, out, a, b);
    take(out, found);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    for (std::size_t e = 0; e < all.size(); ++e)
      for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(found[e * count + i], all[e].value(left[i], right[i]))
            << all[e].text << " of " << left[i] << " and " << right[i];
  }
};

TEST_F(Division, OfValues) {
  values<cl_int>("int");
  values<cl_uint>("uint");
  values<cl_long>("long");
  values<cl_ulong>("ulong");
}

TEST_F(Division, ByACommonDivisor) {
  common<cl_char>("char");
  common<cl_uchar>("uchar");
  common<cl_short>("short");
  common<cl_ushort>("ushort");
  common<cl_int>("int");
  common<cl_uint>("uint");
}

TEST_F(Division, ByConstants) {
  byConstants<cl_int>("int");
  byConstants<cl_uint>("uint");
  byConstants<cl_long>("long");
  byConstants<cl_ulong>("ulong");
}

// The guard of such a division leaves the loop ahead of packets; the division itself stays.
TEST_F(Division, OfWhatALoopLeavesAsItIs) {
  const std::string source =
      "kernel void repeated(global int* out, int d) { const int g = get_global_id(0), l = get_local_id(0); int r = g;\n"
      "for (int i = l; i < 25; i += 6) r += (g | 3) / (d - 9);\n"
      "for (int i = l; i < 31; i += 5) r += (g | 64) % (d + 2);\n"
      "out[g] = r; }";
  build(source, "");
  for (const cl_int d : {4, 10, -7}) {
    std::vector<cl_int> made(96), expected(96);
    cl_mem out = bufferOf(made);
    launch("repeated", {96, 1}, {32, 1}, out, d);
    take(out, made);
    for (cl_int g = 0; g < 96; ++g) {
      cl_int& r = expected[static_cast<std::size_t>(g)] = g;
      for (int i = g % 32; i < 25; i += 6) r += (g | 3) / (d - 9);
      for (int i = g % 32; i < 31; i += 5) r += (g | 64) % (d + 2);
    }
    EXPECT_EQ(made, expected) << d;
  }
}

TEST_F(Division, OfConstants) {
  constants<cl_int>("int");
  constants<cl_uint>("uint");
  constants<cl_long>("long");
}

}  // namespace
