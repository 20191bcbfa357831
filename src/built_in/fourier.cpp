// SPDX-License-Identifier: Apache-2.0
// This file is the family of Fourier transforms.
#include "built_in/families.h"
#include "built_in/plan.h"

#include <bit>
#include <string>
#include <vector>

namespace clarity::built_in {
namespace {

/// The largest prime that has a pass of its own; lengths with larger factors are convolutions.
constexpr std::uint64_t largestRadix = 31;

/// The radices of a length; empty if a prime factor is too large, or if the length is 1.
std::vector<std::uint64_t> radicesOf(std::uint64_t n) {
  std::vector<std::uint64_t> radices;
  for (const std::uint64_t radix : {8, 4, 2, 3, 5})
    for (; n % radix == 0 && n > 1; n /= radix) radices.push_back(radix);
  for (std::uint64_t radix = 7; radix <= largestRadix; radix += 2)
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  return n == 1 ? radices : std::vector<std::uint64_t>();
}

/// Numbers of outer x n x inner.
struct Shape {
  std::uint64_t outer, n, inner;
  std::uint64_t count() const { return outer * n * inner; }
};

class Transforms {
public:
  explicit Transforms(Builder& it) : it_(it) {}

  /// Adds a transform; `from` and `to` may be the same.
  void add(const Shape& shape, bool isInverse, PassArgument from, PassArgument to) {
    const std::vector<std::uint64_t> radices = radicesOf(shape.n);
    if (shape.n == 1)
      it_.pass(it_.function("fft_copy"), items(shape.count()), from, to);
    else if (radices.empty())
      addConvolution(shape, isInverse, from, to);
    else
      addPasses(shape, radices, isInverse, from, to);
  }
  PassArgument scratch(std::uint64_t numbers) { return Builder::given(it_.scratch(numbers * 2 * it_.type().bytes)); }

private:
  /// +1 or -1 as the functions' S.
  PassArgument sign(bool isInverse) const {
    return it_.type().bytes == 8 ? Builder::given(isInverse ? 1.0 : -1.0) : Builder::given(isInverse ? 1.0F : -1.0F);
  }

  /// Whether the radix has no function of its own.
  static bool isAny(std::uint64_t radix) { return radix > 5 && radix != 8; }

  void addPasses(const Shape& shape, const std::vector<std::uint64_t>& radices, bool isInverse, PassArgument from,
                 PassArgument to) {
    const std::size_t between = radices.size() - 1;
    if (between == 0 && isAny(radices[0])) {  // which reads its numbers again and again
      const PassArgument copy = scratch(shape.count());
      it_.pass(it_.function("fft_copy"), items(shape.count()), from, copy);
      from = copy;
    }
    const PassArgument spare[2] = {between > 0 ? scratch(shape.count()) : to,
                                   between > 1 ? scratch(shape.count()) : to};
    std::uint64_t before = 1;
    for (std::size_t i = 0; i < radices.size(); before *= radices[i++]) {
      const PassArgument target = i == between ? to : spare[i % 2];
      const std::uint64_t radix = radices[i], parts = shape.n / radix;
      const device::NDRange range = items(shape.inner, parts, shape.outer);
      if (isAny(radix))
        it_.pass(it_.function("fft_any"), range, static_cast<std::uint32_t>(radix), shape.n, shape.inner, before,
                 sign(isInverse), from, target);
      else
        it_.pass(it_.function("fft" + std::to_string(radix)), shape.inner == 1 ? items(parts, shape.outer) : range,
                 shape.n, shape.inner, before, sign(isInverse), from, target);
      from = target;
    }
  }

  void addConvolution(const Shape& shape, bool isInverse, PassArgument from, PassArgument to) {
    const auto [outer, n, inner] = shape;
    const std::uint64_t m = std::bit_ceil(2 * n - 1);
    const PassArgument numbers = scratch(outer * m * inner), chirp = scratch(m);
    it_.pass(it_.function("fft_spread"), items(inner, m, outer), n, m, inner, sign(isInverse), from, numbers);
    it_.pass(it_.function("fft_chirp"), items(m), n, m, sign(isInverse), chirp);
    add({outer, m, inner}, false, numbers, numbers);
    add({1, m, 1}, false, chirp, chirp);
    it_.pass(it_.function("fft_multiply"), items(inner, m, outer), m, inner, numbers, chirp);
    add({outer, m, inner}, true, numbers, numbers);
    it_.pass(it_.function("fft_collect"), items(inner, n, outer), n, m, inner, sign(isInverse), numbers, to);
  }

  Builder& it_;
};

constexpr std::uint64_t mostNumbers = std::uint64_t{1} << 31;  // of a transform

void planComplex(Builder& it) {
  const Shape shape{it.number("outer"), it.number("n"), it.number("inner")};
  const std::uint64_t numbers = it.product(it.product(shape.outer, shape.n), shape.inner);
  (void)it.require(shape.n <= mostNumbers, "n is {}, more than 2^31", shape.n);
  it.needs("x", 2 * numbers);
  it.needs("y", 2 * numbers);
  it.apart("x", "y", true);
  if (it.isRefused() || numbers == 0) return;
  Transforms(it).add(shape, it.number("inverse") != 0, it.given("x"), it.given("y"));
}

void planFromReal(Builder& it) {
  const Shape shape{it.number("outer"), it.number("n"), 1};
  const std::uint64_t numbers = it.product(shape.outer, shape.n), kept = shape.n / 2 + 1;
  (void)it.require(shape.n <= mostNumbers, "n is {}, more than 2^31", shape.n);
  it.needs("x", numbers);
  it.needs("y", shape.n ? 2 * it.product(shape.outer, kept) : 0);
  it.apart("x", "y");
  if (it.isRefused() || numbers == 0) return;
  Transforms transforms(it);
  const PassArgument all = transforms.scratch(numbers);
  it.pass(it.function("fft_from_real"), items(numbers), "x", all);
  transforms.add(shape, false, all, all);
  it.pass(it.function("fft_keep"), items(kept, shape.outer), shape.n, all, "y");
}

void planToReal(Builder& it) {
  const Shape shape{it.number("outer"), it.number("n"), 1};
  const std::uint64_t numbers = it.product(shape.outer, shape.n), kept = shape.n / 2 + 1;
  (void)it.require(shape.n <= mostNumbers, "n is {}, more than 2^31", shape.n);
  it.needs("x", shape.n ? 2 * it.product(shape.outer, kept) : 0);
  it.needs("y", numbers);
  it.apart("x", "y");
  if (it.isRefused() || numbers == 0) return;
  Transforms transforms(it);
  const PassArgument all = transforms.scratch(numbers);
  it.pass(it.function("fft_restore"), items(shape.n, shape.outer), shape.n, "x", all);
  transforms.add(shape, true, all, all);
  it.pass(it.function("fft_to_real"), items(numbers), all, "y");
}

constexpr Entry entries[] = {
    {"clarity.fft", "f32 f64", nullptr, "ulong outer, ulong n, ulong inner, uint inverse, const T* x, T* y",
     "y[o][k][i] = the sum of x[o][j][i] * exp(-2 pi sqrt(-1) j k / n), or with + if `inverse` is not 0", "fft",
     planComplex},
    {"clarity.fft.from_real", "f32 f64", nullptr, "ulong outer, ulong n, const T* x, T* y",
     "the first n / 2 + 1 numbers of the transform of each row of n real ones", "fft", planFromReal},
    {"clarity.fft.to_real", "f32 f64", nullptr, "ulong outer, ulong n, const T* x, T* y",
     "n real numbers of each row, by the inverse transform of n / 2 + 1 numbers, of which the rest are the conjugates",
     "fft", planToReal},
};

}  // namespace

const Family fourier{
    "Fourier transforms",
    "Of any length, along the second axis of outer x n x inner complex numbers, each a pair of `T`, without gaps. For "
    "the rows of a matrix `inner` is 1, for its columns `outer`; both, one after the other, are a transform in two "
    "dimensions. Nothing is scaled: a transform and its inverse multiply by `n`. `x` and `y` of `clarity.fft` may be "
    "the "
    "same. The error is below 8 log2(n) units in the last place of the root of the sum of squares.",
    entries};

}  // namespace clarity::built_in
