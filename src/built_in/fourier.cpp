// SPDX-License-Identifier: Apache-2.0
// This file is the family of Fourier transforms.
#include "built_in/families.h"
#include "built_in/fourier_groups.h"

#include <algorithm>
#include <bit>
#include <map>
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

/// Factors of a length, of which none is above `most`: one, or two that are as near to each other as they can be, or
/// none.
std::vector<std::uint64_t> factorsOf(std::uint64_t n, const std::vector<std::uint64_t>& radices, std::uint64_t most,
                                     bool isDivided) {
  if (n <= most && !isDivided) return {n};
  std::vector<std::uint64_t> products{1};  // of some of the radices
  for (const std::uint64_t radix : radices) {
    for (std::size_t i = 0, end = products.size(); i < end; ++i) products.push_back(products[i] * radix);
    std::ranges::sort(products);
    products.erase(std::ranges::unique(products).begin(), products.end());
  }
  std::uint64_t best = n;
  for (const std::uint64_t each : products)
    if (each * each >= n) best = std::min(best, each);
  if (best > most || best == n) return {};
  return {best, n / best};
}

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
    else if (!addLocal(shape, radices, isInverse, from, to))
      addPasses(shape, radices, isInverse, from, to);
  }
  PassArgument scratch(std::uint64_t numbers) { return Builder::given(it_.scratch(numbers * 2 * it_.type().bytes)); }

private:
  /// Transforms in local memory; long ones are made of shorter ones. False: there are none for this device or shape.
  bool addLocal(const Shape& shape, const std::vector<std::uint64_t>& radices, bool isInverse, PassArgument from,
                PassArgument to) {
    const std::uint64_t width = lanesSideBySide();
    if (width < 2 || shape.outer * shape.inner > 0x7FFFFFFF) return false;
    const std::vector<std::uint64_t> factors = localFactors(shape, radices);
    if (factors.empty() || shape.count() / factors.back() > 0x7FFFFFFF) return false;
    const auto [outer, n, inner] = shape;
    if (factors.size() == 1) {
      // Rows of many arrays lie side by side, or columns of one.
      const bool isColumns = inner >= width;
      const std::uint64_t lanes = isColumns ? inner : outer * inner;
      const Places places{inner == 1 ? n : 1, n * inner, inner, isColumns ? n * inner : 0};
      addLocalPass(n, isInverse, lanes, isColumns ? outer : 1, isColumns || inner == 1 ? lanes : inner, places, places,
                   0, 1, from, to);
      return true;
    }
    // First the columns of a matrix of first x second numbers, then its rows, of which columns are made.
    const std::uint64_t first = factors[0], second = factors[1];
    // So many arrays at a time that what is between stays in the second-level caches.
    const std::uint64_t cached = std::uint64_t{it_.device().computeUnits} << 19, all = n * inner;
    const std::uint64_t some = std::clamp<std::uint64_t>(cached / (2 * it_.type().bytes * all), 1, outer);
    const PassArgument between = scratch(some * all);
    const Places columns{1, 0, second * inner, all}, rows{inner == 1 ? second : 1, second * inner, inner, all};
    const Places results{1, inner, first * inner, all};
    for (std::uint64_t o = 0; o < outer; o += some) {
      const std::uint64_t blocks = std::min(some, outer - o);
      addLocalPass(first, isInverse, second * inner, blocks, second * inner, columns.from(o * all), columns, n, inner,
                   from, between);
      addLocalPass(second, isInverse, first * inner, blocks, inner == 1 ? first : inner, rows, results.from(o * all), 0,
                   1, between, to);
    }
    return true;
  }

  /// Neighbours that have to lie side by side in memory.
  std::uint64_t lanesSideBySide() const {
    constexpr std::uint64_t inStep = 8;
    return it_.isWide() ? inStep : it_.device().vectorBits / 8 / it_.type().bytes;
  }

  /// The factors of a length for which there is room in local memory; empty if there are none.
  std::vector<std::uint64_t> localFactors(const Shape& shape, const std::vector<std::uint64_t>& radices) const {
    if (it_.isWide()) {
      const std::uint64_t most = longestInGroup(it_);
      if (shape.n > most && std::has_single_bit(shape.n)) {
        const std::uint64_t first = std::uint64_t{1} << (std::bit_width(shape.n) / 2);
        return first > most ? std::vector<std::uint64_t>() : std::vector{first, shape.n / first};
      }
      return factorsOf(shape.n, radices, most, false);
    }
    const std::uint64_t width = lanesSideBySide();
    const std::uint64_t most = it_.device().localMemBytes / (4 * it_.type().bytes * width);
    constexpr std::uint64_t leastDivided = 64;
    const bool isDivided = shape.outer * shape.inner < width && shape.n >= leastDivided;
    const std::vector<std::uint64_t> factors = factorsOf(shape.n, radices, most, isDivided);
    return factors.empty() ? factorsOf(shape.n, radices, most, false) : factors;
  }

  void addLocalPass(std::uint64_t n, bool isInverse, std::uint64_t lanes, std::uint64_t blocks, std::uint64_t period,
                    const Places& in, const Places& out, std::uint64_t whole, std::uint64_t inner, PassArgument from,
                    PassArgument to) {
    const std::uint64_t bytes = it_.type().bytes, width = it_.device().vectorBits / 8 / bytes;
    std::uint64_t radices = 0;
    std::uint32_t bits = 0;
    for (const std::uint64_t radix : radicesOf(n)) radices |= radix << bits, bits += 5;
    if (it_.isWide())
      return addGroupPass(it_, {.n = n,
                                .radices = radices,
                                .isInverse = isInverse,
                                .lanes = lanes,
                                .blocks = blocks,
                                .period = period,
                                .in = in,
                                .out = out,
                                .whole = whole,
                                .inner = inner,
                                .from = from,
                                .to = to});
    const auto [roots, isNew] = roots_.try_emplace(n);
    if (isNew) {
      roots->second = scratch(n);
      it_.pass(it_.function("fft_roots"), items(n), narrow(n), roots->second);
    }
    it_.pass(it_.function("fft_local"), groups(divideUp(lanes, width), width, blocks), narrow(n), radices,
             std::uint32_t{isInverse}, narrow(lanes), narrow(period), in.step, in.periods, in.apart, in.block, in.begin,
             out.step, out.periods, out.apart, out.block, out.begin, whole, narrow(inner), from, to, roots->second,
             Local{4 * bytes * width * n});
  }
  static std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

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
  std::map<std::uint64_t, PassArgument> roots_;  ///< roots of one, by length
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
     planComplex, nullptr, "fft_groups - *;fft_mixed - *"},
    {"clarity.fft.from_real", "f32 f64", nullptr, "ulong outer, ulong n, const T* x, T* y",
     "the first n / 2 + 1 numbers of the transform of each row of n real ones", "fft", planFromReal, nullptr,
     "fft_groups - *;fft_mixed - *"},
    {"clarity.fft.to_real", "f32 f64", nullptr, "ulong outer, ulong n, const T* x, T* y",
     "n real numbers of each row, by the inverse transform of n / 2 + 1 numbers, of which the rest are the conjugates",
     "fft", planToReal, nullptr, "fft_groups - *;fft_mixed - *"},
};

}  // namespace

const Family fourier{
    "Fourier transforms",
    "Transforms of any length `n`, along the second axis of outer x n x inner complex numbers, each a pair of `T`, "
    "without gaps. For the rows of a matrix `inner` is 1, for its columns `outer` is 1; both, one after the other, are "
    "a transform in two dimensions. Nothing is scaled: a transform and its inverse together multiply by `n`. `x` and "
    "`y` of `clarity.fft` may be the same. The error is below 8 log2(n) units in the last place of the root of the sum "
    "of squares.",
    entries};

}  // namespace clarity::built_in
