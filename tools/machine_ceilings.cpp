// SPDX-License-Identifier: Apache-2.0
// This file measures what the machine's caches and registers give at most: loads from each level, and multiply-adds of
// each type.
#include "best_pass.h"
#include "machine.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace clarity::tools {
namespace {

constexpr unsigned passes = 16;

#if defined(__x86_64__)
#define CLARITY_WIDTH_512 __attribute__((target("avx512f,avx512bw,avx512dq")))
#define CLARITY_WIDTH_256 __attribute__((target("avx2,fma,f16c")))
#endif

// Vectors of one width, by type: enough independent sums to hide the latency, few enough for the registers.
template <class Type, std::size_t bytes>
struct Vectors {
  typedef Type Vector __attribute__((vector_size(bytes)));
  static constexpr std::size_t sums = bytes == 64 ? 16 : 12, lanes = bytes / sizeof(Type);
};

#define CLARITY_MULTIPLY_ADDS(NAME, ATTRIBUTE, TYPE, BYTES)                                                         \
  ATTRIBUTE void NAME(void* out, double start, double factor, std::uint64_t steps) {                                \
    using Its = Vectors<TYPE, BYTES>;                                                                               \
    Its::Vector values[Its::sums], f = {}, s = {};                                                                  \
    f += static_cast<TYPE>(factor);                                                                                 \
    s += static_cast<TYPE>(start);                                                                                  \
    for (std::size_t i = 0; i < Its::sums; ++i) values[i] = s * static_cast<TYPE>(i + 1);                           \
    for (std::uint64_t step = 0; step < steps; ++step)                                                              \
      _Pragma("clang loop unroll(full)") for (std::size_t i = 0; i < Its::sums; ++i) values[i] = values[i] * f + s; \
    for (std::size_t i = 1; i < Its::sums; ++i) values[0] += values[i];                                             \
    std::memcpy(out, values, sizeof values[0]);                                                                     \
  }

// Loads of a whole array, again and again.
#define CLARITY_LOADS(NAME, ATTRIBUTE, BYTES)                                                               \
  ATTRIBUTE void NAME(void* out, const float* from, std::size_t count, std::uint64_t times) {               \
    using Vector = Vectors<float, BYTES>::Vector;                                                           \
    constexpr std::size_t sums = 8, lanes = BYTES / sizeof(float);                                          \
    const auto* const vectors = reinterpret_cast<const Vector*>(from);                                      \
    Vector all[sums] = {};                                                                                  \
    for (std::uint64_t each = 0; each < times; ++each) {                                                    \
      for (std::size_t i = 0; i + sums <= count / lanes; i += sums)                                         \
        _Pragma("clang loop unroll(full)") for (std::size_t k = 0; k < sums; ++k) all[k] += vectors[i + k]; \
      asm volatile("" : : : "memory");                                                                      \
    }                                                                                                       \
    for (std::size_t i = 1; i < sums; ++i) all[0] += all[i];                                                \
    std::memcpy(out, all, sizeof all[0]);                                                                   \
  }

using MultiplyAdds = void (*)(void*, double, double, std::uint64_t);
using Loads = void (*)(void*, const float*, std::size_t, std::uint64_t);

/// The code of one width, which has the name that MachineRates::fmaBy gives it.
struct Width {
  std::string_view name;
  std::size_t bytes;
  MultiplyAdds doubles, halves, integers;
  Loads loads;
};

#if defined(__x86_64__)
CLARITY_MULTIPLY_ADDS(doubles512, CLARITY_WIDTH_512, double, 64)
CLARITY_MULTIPLY_ADDS(halves512, CLARITY_WIDTH_512, _Float16, 64)
CLARITY_MULTIPLY_ADDS(integers512, CLARITY_WIDTH_512, std::uint32_t, 64)
CLARITY_LOADS(loads512, CLARITY_WIDTH_512, 64)
CLARITY_MULTIPLY_ADDS(doubles256, CLARITY_WIDTH_256, double, 32)
CLARITY_MULTIPLY_ADDS(halves256, CLARITY_WIDTH_256, _Float16, 32)
CLARITY_MULTIPLY_ADDS(integers256, CLARITY_WIDTH_256, std::uint32_t, 32)
CLARITY_LOADS(loads256, CLARITY_WIDTH_256, 32)
#endif

#if defined(__x86_64__)
// In a file that is not for such processors alone, the compiler computes _Float16 in float.
__attribute__((target("avx512f,avx512fp16"))) void nativeHalves512(void* out, double start, double factor,
                                                                   std::uint64_t steps) {
  constexpr std::size_t sums = Vectors<_Float16, 64>::sums;
  const __m512h f = _mm512_set1_ph(static_cast<_Float16>(factor)), s = _mm512_set1_ph(static_cast<_Float16>(start));
  __m512h values[sums];
  for (std::size_t i = 0; i < sums; ++i) values[i] = _mm512_mul_ph(s, _mm512_set1_ph(static_cast<_Float16>(i + 1)));
  for (std::uint64_t step = 0; step < steps; ++step)
    _Pragma("clang loop unroll(full)") for (std::size_t i = 0; i < sums; ++i) values[i] =
        _mm512_fmadd_ph(values[i], f, s);
  for (std::size_t i = 1; i < sums; ++i) values[0] = _mm512_add_ph(values[0], values[i]);
  std::memcpy(out, values, sizeof values[0]);
}
#endif
CLARITY_MULTIPLY_ADDS(doubles128, , double, 16)
CLARITY_MULTIPLY_ADDS(halves128, , _Float16, 16)
CLARITY_MULTIPLY_ADDS(integers128, , std::uint32_t, 16)
CLARITY_LOADS(loads128, , 16)

Width widthOf(std::string_view name) {
#if defined(__x86_64__)
  if (name == "AVX-512")
    return {name,        64,      doubles512, __builtin_cpu_supports("avx512fp16") ? nativeHalves512 : halves512,
            integers512, loads512};
  if (name == "AVX2") return {name, 32, doubles256, halves256, integers256, loads256};
#endif
  return {name, 16, doubles128, halves128, integers128, loads128};
}

double rateOf(MultiplyAdds run, std::size_t bytes, std::size_t bytesOfType, unsigned threads) {
  constexpr std::uint64_t steps = 100'000;
  struct alignas(64) Result {
    std::byte bytes[64];
  };
  std::vector<Result> results(threads);
  const double seconds = bestPass(threads, passes, [&](unsigned id) { run(&results[id], 0.5 + id, 0.75, steps); });
  const double sums = bytes == 64 ? 16 : 12;
  return 2 * sums * static_cast<double>(bytes / bytesOfType) * steps * threads / seconds;
}

std::string firstWord(const std::string& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

/// The numbers in a list such as "0-3,8": whether a processor is in it.
bool isIn(std::string_view list, unsigned number) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(part.size() + 1, list.size()));
    unsigned first = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), first);
    unsigned last = first;
    if (error == std::errc{} && end != part.data() + part.size() && *end == '-')
      std::from_chars(end + 1, part.data() + part.size(), last);
    if (error == std::errc{} && number >= first && number <= last) return true;
  }
  return false;
}

/// A cache of the first processor that this process may use, and how many of these share it.
struct CacheOfProcessor {
  unsigned level = 0;
  std::uint64_t bytes = 0;
  unsigned processors = 0;
};

std::vector<CacheOfProcessor> cachesOfProcessor() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  unsigned first = 0;
  while (first + 1 < CPU_SETSIZE && !CPU_ISSET(first, &allowed)) ++first;
  std::vector<CacheOfProcessor> caches;
  for (unsigned index = 0;; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}/cache/index{}/", first, index);
    const std::string level = firstWord(folder + "level");
    if (level.empty()) break;
    if (firstWord(folder + "type") == "Instruction") continue;
    CacheOfProcessor cache;
    std::from_chars(level.data(), level.data() + level.size(), cache.level);
    const std::string size = firstWord(folder + "size");  // "2048K"
    std::from_chars(size.data(), size.data() + size.size(), cache.bytes);
    cache.bytes *= size.ends_with('M') ? 1u << 20 : size.ends_with('K') ? 1u << 10 : 1u;
    const std::string sharing = firstWord(folder + "shared_cpu_list");
    for (unsigned each = 0; each < CPU_SETSIZE; ++each)
      cache.processors += CPU_ISSET(each, &allowed) && isIn(sharing, each);
    if (cache.level != 0 && cache.bytes != 0 && cache.processors != 0) caches.push_back(cache);
  }
  std::ranges::sort(caches, {}, &CacheOfProcessor::level);
  return caches;
}

/// Bytes/s of loads where each thread has an array of its own, of so many bytes.
double loadRate(const Width& width, std::size_t bytes, unsigned threads) {
  constexpr std::size_t together = std::size_t{8} << 20, line = 64;
  const std::size_t count = bytes / sizeof(float);
  const std::uint64_t times = std::max<std::uint64_t>(2, together / bytes);
  struct alignas(64) Result {
    std::byte bytes[64];
  };
  std::vector<Result> results(threads);
  std::vector<std::vector<float>> arrays(threads);
  std::vector<const float*> begins(threads);
  // The pages are touched by the thread that uses them.
  bestPass(threads, 1, [&](unsigned id) {
    arrays[id].assign(count + line / sizeof(float), 1.0f);
    const auto address = reinterpret_cast<std::uintptr_t>(arrays[id].data());
    begins[id] = arrays[id].data() + (line - address % line) % line / sizeof(float);
  });
  const double seconds =
      bestPass(threads, passes, [&](unsigned id) { width.loads(&results[id], begins[id], count, times); });
  return static_cast<double>(count * sizeof(float)) * static_cast<double>(times) * threads / seconds;
}

}  // namespace

MachineCeilings MachineMeter::ceilings() const {
  const Width width = widthOf(rates_.fmaBy);
  const unsigned threads = rates_.threads;
  MachineCeilings result;
  result.doubles = rateOf(width.doubles, width.bytes, sizeof(double), threads);
  result.halves = rateOf(width.halves, width.bytes, sizeof(_Float16), threads);
  result.integers = rateOf(width.integers, width.bytes, sizeof(std::uint32_t), threads);
  constexpr std::size_t most = std::size_t{16} << 20;
  std::size_t below = 0;
  for (const CacheOfProcessor& cache : cachesOfProcessor()) {
    // Half of a thread's part: the rest is for what else there is, and well beyond the level below.
    const std::size_t bytes =
        std::min(std::max(cache.bytes / cache.processors / 2, 2 * below), most) & ~std::size_t{511};
    result.caches.push_back({.level = cache.level,
                             .bytes = cache.bytes * ((threads + cache.processors - 1) / cache.processors),
                             .rate = loadRate(width, bytes, threads)});
    below = cache.bytes / cache.processors;
  }
  return result;
}

}  // namespace clarity::tools
