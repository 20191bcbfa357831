// SPDX-License-Identifier: Apache-2.0
// This file generates edge values and random arguments. A random argument depends on the seed and its number only, so
// that blocks can be generated in any order.
#include "accuracy/inputs.h"

#include <climits>
#include <numbers>
#include <string_view>
#include <utility>

namespace accuracy {
namespace {

// Random bits: a hashed counter (the final step of splitmix64).
class Random {
public:
  explicit Random(std::uint64_t state) : state_(state) {}
  std::uint64_t bits() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }
  // From 0 to n - 1.
  int below(int n) { return static_cast<int>((bits() >> 32) * static_cast<std::uint64_t>(n) >> 32); }
  int between(std::int64_t low, std::int64_t high) {
    return static_cast<int>(
        low + static_cast<std::int64_t>((bits() >> 32) * static_cast<std::uint64_t>(high - low + 1) >> 32));
  }
  // From -1 to 1.
  double signedUnit() { return static_cast<double>(static_cast<std::int64_t>(bits())) * 0x1p-63; }

private:
  std::uint64_t state_;
};

// Values of a type with fewer than 64 bits.
template <class T>
constexpr std::uint64_t patterns = std::uint64_t{1} << (8 * sizeof(T) % 64);

std::uint64_t seedOf(std::string_view text) {
  std::uint64_t seed = 0xcbf29ce484222325;
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return seed;
}

// The standard does not define the results of signaling NaN.
template <class T>
T quiet(T value) {
  return isNan(value)
             ? fromBits<T>(static_cast<BitsOf<T>>(bitsOf(value) | BitsOf<T>{1} << (Format<T>::mantissaBits - 1)))
             : value;
}

// `steps` numbers up or down; numbers beyond infinity are valid inputs, too.
template <class T>
T moved(T value, int steps) {
  return fromBits<T>(static_cast<BitsOf<T>>(bitsOf(value) + static_cast<BitsOf<T>>(steps)));
}

template <class T>
T ofExponent(Random& random, int low, int high) {
  using F = Format<T>;
  const int exponent = std::clamp(random.between(low, high), F::minExponent, F::maxExponent);
  const std::uint64_t bits = random.bits();
  const BitsOf<T> mantissa = static_cast<BitsOf<T>>(bits & ((std::uint64_t{1} << F::mantissaBits) - 1));
  const BitsOf<T> sign = static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(bits >> 63) << signBit<T>);
  return fromBits<T>(static_cast<BitsOf<T>>(
      sign | mantissa |
      static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(exponent - F::minExponent + 1) << F::mantissaBits)));
}

template <class T>
T anyPattern(Random& random) {
  return fromBits<T>(static_cast<BitsOf<T>>(random.bits() >> (64 - 8 * sizeof(T))));
}

template <class T>
int exponentOf(T value) {
  return static_cast<int>(magnitudeBits(value) >> Format<T>::mantissaBits) + Format<T>::minExponent - 1;
}

// Close to points where functions change: multiples of pi/2 and of 1/4, powers of two, 1.
template <class T>
T closeToHardPoint(Random& random) {
  using W = Wide<T>;
  const int offset = random.between(-4, 4);
  switch (random.below(5)) {
    case 0: return moved(static_cast<T>(W(random.between(-1000, 1000)) * std::numbers::pi_v<W> / 2), offset);
    case 1:
      return moved(static_cast<T>(
                       std::ldexp(static_cast<double>(random.between(-0x7fffffff, 0x7fffffff)), random.between(0, 20)) *
                       (std::numbers::pi / 2)),
                   offset);
    case 2: return moved(static_cast<T>(W(random.between(-4000, 4000)) / 4), offset);
    case 3:
      return moved(fromBits<T>(static_cast<BitsOf<T>>(
                       bitsOf(ofExponent<T>(random, Format<T>::minExponent, Format<T>::maxExponent)) &
                       ~((BitsOf<T>{1} << Format<T>::mantissaBits) - 1))),
                   offset);
    default:
      return static_cast<T>(W(random.below(2) ? 1 : -1) +
                            static_cast<W>(ofExponent<T>(random, -Format<T>::mantissaBits - 2, -1)));
  }
}

template <class T>
T randomNumber(Random& random) {
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
    case 3: return anyPattern<T>(random);
    case 4: return ofExponent<T>(random, -8, 8);
    case 5: return ofExponent<T>(random, -30, 12);
    default: return closeToHardPoint<T>(random);
  }
}

// An exponent such that the power of x is in the range of results, or slightly outside.
template <class T>
double exponentForPower(Random& random, T x) {
  const double logarithm = std::log2(std::fabs(static_cast<double>(x)));
  return random.signedUnit() * (Format<T>::maxExponent + Format<T>::mantissaBits + 8) / logarithm;
}

template <class T>
T secondNumber(Random& random, T x) {
  switch (random.below(8)) {
    case 0:
    case 1: return anyPattern<T>(random);
    case 2: return randomNumber<T>(random);
    case 3: return static_cast<T>(static_cast<float>(random.between(-64, 64)) / 2);
    case 4: return ofExponent<T>(random, exponentOf(x) - 12, exponentOf(x) + 12);
    case 5: return moved(random.below(2) ? x : static_cast<T>(-x), random.between(-4, 4));
    default: return static_cast<T>(exponentForPower(random, x));
  }
}

// For x * y + z: sums that cancel, and sums in which one operand affects only the last bits of the other.
template <class T>
T thirdNumber(Random& random, T x, T y) {
  const T product = static_cast<T>(x * y);
  switch (random.below(4)) {
    case 0: return anyPattern<T>(random);
    case 1: return moved(static_cast<T>(-product), random.between(-4, 4));
    default:
      return ofExponent<T>(random, exponentOf(product) - 2 * Format<T>::mantissaBits - 4,
                           exponentOf(product) + 2 * Format<T>::mantissaBits + 4);
  }
}

template <class T>
std::int32_t randomInteger(Random& random, T x) {
  switch (random.below(8)) {
    case 0: return static_cast<std::int32_t>(random.bits());
    case 1: return static_cast<std::int32_t>(random.bits()) >> random.below(32);
    case 2:
    case 3: return random.between(-2 * Format<T>::maxExponent - 60, 2 * Format<T>::maxExponent + 60);
    case 4:
    case 5: {
      const double exponent = exponentForPower(random, x);  // NaN of NaN
      return std::fabs(exponent) < 0x1p31 ? static_cast<std::int32_t>(exponent) : INT_MAX;
    }
    default: return random.between(-32, 32);
  }
}

template <class T>
std::vector<T> makeEdgeValues() {
  using W = Wide<T>;
  using F = Format<T>;
  std::vector<T> magnitudes;
  for (const double value : {0.25, 1.0 / 3, 0.5,  1.0,  1.5,  2.0,   2.5,   3.0,   4.0,    5.0,
                             7.0,  10.0,    16.0, 31.5, 64.0, 100.0, 127.0, 128.0, 1023.0, 1024.0})
    magnitudes.push_back(static_cast<T>(value));
  for (const W value : {std::numbers::pi_v<W>, std::numbers::pi_v<W> / 2, std::numbers::pi_v<W> / 4,
                        std::numbers::e_v<W>, std::numbers::ln2_v<W>})
    magnitudes.push_back(static_cast<T>(value));
  for (const int steps : {-1, 1}) {
    magnitudes.push_back(moved(static_cast<T>(1), steps));
    magnitudes.push_back(moved(static_cast<T>(2), steps));
    magnitudes.push_back(moved(static_cast<T>(0.5), steps));
  }
  // Above some number every floating-point number is an integer, and above twice that every one is even.
  for (const int exponent : {F::mantissaBits - 1, F::mantissaBits, F::mantissaBits + 1, F::maxExponent / 2,
                             F::minExponent / 2, F::maxExponent, F::minExponent})
    for (const int steps : {0, 1})
      magnitudes.push_back(moved(static_cast<T>(std::ldexp(W(1), std::min(exponent, F::maxExponent))), steps));
  const BitsOf<T> smallestNormal = static_cast<BitsOf<T>>(BitsOf<T>{1} << F::mantissaBits);
  for (const BitsOf<T> bits : {BitsOf<T>{0}, BitsOf<T>{1}, BitsOf<T>{2}, static_cast<BitsOf<T>>(smallestNormal / 2),
                               static_cast<BitsOf<T>>(smallestNormal - 1), static_cast<BitsOf<T>>(infinityBits<T> - 1),
                               static_cast<BitsOf<T>>(infinityBits<T> - 2), infinityBits<T>})
    magnitudes.push_back(fromBits<T>(bits));
  std::vector<T> all;
  for (const T value : magnitudes) all.push_back(value), all.push_back(static_cast<T>(-value));
  all.push_back(quiet(fromBits<T>(static_cast<BitsOf<T>>(infinityBits<T> + 1))));
  return all;
}

constexpr std::int32_t edgeIntegers[] = {
    0,     1,     -1,    2,     -2,      3,        -3,        4,       5,       -7,          10,
    24,    31,    -64,   127,   -127,    128,      -149,      1000,    1023,    1024,        -1022,
    -1023, -1074, -1075, 10000, 1000001, -1000000, 0x1000001, INT_MAX, INT_MIN, INT_MIN + 1, INT_MAX - 1};

}  // namespace

template <class T>
const std::vector<T>& edgeValues() {
  static const std::vector<T> values = makeEdgeValues<T>();
  return values;
}

template <class T>
std::uint64_t Inputs<T>::usualCount(Shape shape) {
  if (!takesOneNumber(shape)) return std::uint64_t{1} << 30;
  return sizeof(T) == sizeof(double) ? std::uint64_t{1} << 28 : patterns<T>;
}

template <class T>
Inputs<T>::Inputs(const Function<T>& function, std::uint64_t wanted)
    : shape_(function.shape), count_(wanted), seed_(seedOf(function.fullName())) {
  if (sizeof(T) < sizeof(double) && takesOneNumber(shape_)) {
    count_ = std::min(wanted, patterns<T>);
    everything_ = count_ == patterns<T>;
  }
  for (const bool taken : {true, takesY(shape_), takesZ(shape_)})
    if (taken) combinations_ *= edgeValues<T>().size();
  if (takesInt(shape_)) combinations_ *= std::size(edgeIntegers);
  edges_ = everything_ ? 0 : std::min(combinations_, count_ / 2);
}

// If not all combinations are generated, a step that is coprime to their number selects them evenly.
template <class T>
Arguments<T> Inputs<T>::edge(std::uint64_t index) const {
  constexpr std::uint64_t step = 1'000'003;  // a prime
  const std::vector<T>& values = edgeValues<T>();
  std::uint64_t rest = edges_ == combinations_ ? index : index * step % combinations_;
  auto next = [&rest](std::size_t choices) {
    return static_cast<std::size_t>(std::exchange(rest, rest / choices) % choices);
  };
  Arguments<T> arguments;
  arguments.x = values[next(values.size())];
  if (takesY(shape_)) arguments.y = values[next(values.size())];
  if (takesZ(shape_)) arguments.z = values[next(values.size())];
  if (takesInt(shape_)) arguments.n = edgeIntegers[next(std::size(edgeIntegers))];
  return arguments;
}

template <class T>
Arguments<T> Inputs<T>::random(std::uint64_t index) const {
  Random random(seed_ + index * 0xd1342543de82ef95);
  Arguments<T> arguments;
  arguments.x = quiet(randomNumber<T>(random));
  if (takesY(shape_)) arguments.y = quiet(secondNumber(random, arguments.x));
  if (takesZ(shape_)) arguments.z = quiet(thirdNumber(random, arguments.x, arguments.y));
  if (takesInt(shape_)) arguments.n = randomInteger(random, arguments.x);
  return arguments;
}

template <class T>
void Inputs<T>::fill(Block<T>& block, std::uint64_t begin, std::size_t count) const {
  block.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t index = begin + i;
    if (everything_) {
      block.x[i] = fromBits<T>(static_cast<BitsOf<T>>(index));
      continue;
    }
    const Arguments<T> arguments = index < edges_ ? edge(index) : random(index);
    block.x[i] = arguments.x;
    block.y[i] = arguments.y;
    block.z[i] = arguments.z;
    block.n[i] = arguments.n;
  }
}

#define INSTANTIATE(T)                            \
  template const std::vector<T>& edgeValues<T>(); \
  template class Inputs<T>;
INSTANTIATE(Half)
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace accuracy
