// SPDX-License-Identifier: Apache-2.0
// This file is the family of random numbers.
#include "built_in/families.h"
#include "built_in/plan.h"

#include <string_view>

namespace clarity::built_in {
namespace {

void planRandom(Builder& it) {
  const std::uint64_t n = it.number("n"), first = it.number("first");
  it.needs("y", n);
  (void)it.require(first < std::uint64_t{1} << 63, "first is {}, more than 2^63", first);
  if (it.isRefused() || n == 0) return;
  const device::NDRange blocks = items(divideUp(first % 4 + n, 4));
  if (std::string_view(it.kernel().entry->operation) == "bits")
    it.pass(it.function("random"), blocks, "n", "seed", "first", "y");
  else
    it.pass(it.function("random"), blocks, "n", "seed", "first", "a", "b", "y");
}

constexpr const char* real = "f32 f64 f16 bf16";

constexpr Entry entries[] = {
    {"clarity.random.bits", "u32", nullptr, "ulong n, ulong seed, ulong first, T* y", "y[i] = 32 random bits", "random",
     planRandom, "bits"},
    {"clarity.random.uniform", real, nullptr, "ulong n, ulong seed, ulong first, S a, S b, T* y",
     "y[i] = a number between a and b, one of 2^24, before it is rounded to T", "random", planRandom, "uniform"},
    {"clarity.random.normal", real, nullptr, "ulong n, ulong seed, ulong first, S a, S b, T* y",
     "y[i] = a normally distributed number of mean a and standard deviation b (Box-Muller)", "random", planRandom,
     "normal"},
};

}  // namespace

const Family randoms{
    "Random numbers",
    "Philox4x32-10: number `first + i` of the sequence that `seed` names is word `(first + i) % 4` of the "
    "block whose counter is `(first + i) / 4`. So parts of a sequence can be computed separately, and "
    "bits are the same on every device.",
    entries};

}  // namespace clarity::built_in
