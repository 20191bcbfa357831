// SPDX-License-Identifier: Apache-2.0
// This file measures the machine: memory traffic and multiply-adds on all processors, the best of several passes.
#include "machine.h"

#include "best_pass.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace clarity::tools {
namespace {

// ---- memory ---------------------------------------------------------------------------------------------------------

// A new buffer, in huge pages if the system has them, as large buffers of a driver are.
class Pages {
public:
  explicit Pages(size_t bytes) : bytes_(bytes) {
    memory_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    ::madvise(memory_, bytes, MADV_HUGEPAGE);
  }
  ~Pages() { ::munmap(memory_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  float* data() { return static_cast<float*>(memory_); }

private:
  void* memory_;
  size_t bytes_;
};

// The part of `count` for one thread, in whole cache lines.
struct Part {
  size_t begin, end;
  Part(size_t count, unsigned threads, unsigned id) {
    const size_t lines = count / 16;
    begin = lines * id / threads * 16;
    end = lines * (id + 1) / threads * 16;
  }
};

void copyPlain(float* a, const float* b, const float*, Part part) {
  std::memcpy(a + part.begin, b + part.begin, (part.end - part.begin) * sizeof(float));
}

void triadPlain(float* a, const float* b, const float* c, Part part) {
  for (size_t i = part.begin; i < part.end; ++i) a[i] = b[i] + 0.5f * c[i];
}

#if defined(__x86_64__)
void copyStreaming(float* a, const float* b, const float*, Part part) {
  for (size_t i = part.begin; i < part.end; i += 4) _mm_stream_ps(a + i, _mm_load_ps(b + i));
  _mm_sfence();
}

void triadStreaming(float* a, const float* b, const float* c, Part part) {
  const __m128 half = _mm_set1_ps(0.5f);
  for (size_t i = part.begin; i < part.end; i += 4)
    _mm_stream_ps(a + i, _mm_add_ps(_mm_load_ps(b + i), _mm_mul_ps(half, _mm_load_ps(c + i))));
  _mm_sfence();
}
#endif

struct StreamKernel {
  const char* name;
  void (*run)(float*, const float*, const float*, Part);
  unsigned arrays;  // accessed, each once
};

constexpr StreamKernel streams[] = {
    {"copy", copyPlain, 2},
    {"triad", triadPlain, 3},
#if defined(__x86_64__)
    {"copy, streaming stores", copyStreaming, 2},
    {"triad, streaming stores", triadStreaming, 3},
#endif
};

// ---- multiply-adds --------------------------------------------------------------------------------------------------

// Enough independent sums to fill two pipelines at the latencies of current processors, and few enough for the
// registers. Without fast-math the compiler must keep every addition.
#define CLARITY_FMA_LOOP(VECTOR, SUMS, MULTIPLY_ADD)                                                          \
  constexpr size_t lanes = sizeof(VECTOR) / sizeof(float);                                                    \
  VECTOR sums[SUMS];                                                                                          \
  for (size_t i = 0; i < SUMS; ++i)                                                                           \
    for (size_t lane = 0; lane < lanes; ++lane) sums[i][lane] = start + static_cast<float>(i * lanes + lane); \
  for (std::uint64_t step = 0; step < steps; ++step)                                                          \
    _Pragma("clang loop unroll(full)") for (size_t i = 0; i < SUMS; ++i) MULTIPLY_ADD(sums[i]);               \
  VECTOR total = sums[0];                                                                                     \
  for (size_t i = 1; i < SUMS; ++i) total += sums[i];                                                         \
  float result = 0; /* sums all lanes, so that none can be removed as unused */                               \
  for (size_t lane = 0; lane < lanes; ++lane) result += total[lane];                                          \
  return result;

struct FmaKernel {
  const char* name;
  float (*run)(float start, float factor, std::uint64_t steps);
  double operationsPerStep;
  bool (*supported)();
};

typedef float Float4 __attribute__((vector_size(16)));

float multiplyAddPlain(float start, float factor, std::uint64_t steps) {
#define STEP(x) x = x * factor + start
  CLARITY_FMA_LOOP(Float4, 12, STEP)
#undef STEP
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) float multiplyAddAvx2(float start, float factor, std::uint64_t steps) {
  const __m256 f = _mm256_set1_ps(factor), s = _mm256_set1_ps(start);
#define STEP(x) x = _mm256_fmadd_ps(x, f, s)
  CLARITY_FMA_LOOP(__m256, 12, STEP)
#undef STEP
}

__attribute__((target("avx512f"))) float multiplyAddAvx512(float start, float factor, std::uint64_t steps) {
  const __m512 f = _mm512_set1_ps(factor), s = _mm512_set1_ps(start);
#define STEP(x) x = _mm512_fmadd_ps(x, f, s)
  CLARITY_FMA_LOOP(__m512, 16, STEP)
#undef STEP
}
#endif

constexpr FmaKernel fmas[] = {
#if defined(__x86_64__)
    {"AVX-512", multiplyAddAvx512, 16 * 16 * 2, [] { return __builtin_cpu_supports("avx512f") != 0; }},
    {"AVX2", multiplyAddAvx2, 12 * 8 * 2,
     [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }},
    {"SSE", multiplyAddPlain, 12 * 4 * 2, [] { return true; }},
#else
    {"128-bit vectors", multiplyAddPlain, 12 * 4 * 2, [] { return true; }},
#endif
};

std::string processorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(':'); colon != std::string::npos)
        return line.substr(std::min(colon + 2, line.size()));
  return "unknown processor";
}

}  // namespace

unsigned processorCount() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return std::max(1u, static_cast<unsigned>(CPU_COUNT(&allowed)));
  return std::max(1u, std::thread::hardware_concurrency());
}

// Three arrays that are larger than all caches and much smaller than the memory.
struct MachineMeter::Arrays {
  size_t count;
  Pages a, b, c;

  explicit Arrays(Effort effort) : Arrays(bytesFor(effort), 0) {}

private:
  Arrays(size_t bytes, int) : count(bytes / sizeof(float)), a(bytes), b(bytes), c(bytes) {}

  static size_t bytesFor(Effort effort) {
    const long pages = ::sysconf(_SC_PHYS_PAGES), pageBytes = ::sysconf(_SC_PAGESIZE),
               cache = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    const size_t memory = static_cast<size_t>(std::max(pages, 1L)) * static_cast<size_t>(std::max(pageBytes, 1L));
    const size_t scale = effort == Effort::Quick ? 2 : 4;
    const size_t bytes = scale * std::max(size_t{32} << 20, static_cast<size_t>(std::max(cache, 0L)));
    return std::min({bytes, size_t{512} << 20, memory / 16}) & ~size_t{4095};
  }
};

MachineMeter::MachineMeter(Effort effort) : effort_(effort) {
  rates_.processor = processorName();
  rates_.threads = processorCount();
}

MachineMeter::~MachineMeter() = default;

void MachineMeter::measure() {
  const bool first = !arrays_;
  if (first) {
    arrays_ = std::make_unique<Arrays>(effort_);
    bestPass(rates_.threads, 1, [&](unsigned id) {
      const Part part(arrays_->count, rates_.threads, id);
      std::fill(arrays_->a.data() + part.begin, arrays_->a.data() + part.end, 0.0f);
      std::fill(arrays_->b.data() + part.begin, arrays_->b.data() + part.end, 1.0f);
      std::fill(arrays_->c.data() + part.begin, arrays_->c.data() + part.end, 2.0f);
    });
  }
  const unsigned thorough = effort_ == Effort::Quick ? 3 : 10;
  measureStream(first ? thorough : 1);
  measureFma(first ? thorough / 2 + 1 : 1, first);
}

void MachineMeter::measureStream(unsigned passes) {
  for (const StreamKernel& kernel : streams) {
    const double seconds = bestPass(rates_.threads, passes, [&](unsigned id) {
      kernel.run(arrays_->a.data(), arrays_->b.data(), arrays_->c.data(), Part(arrays_->count, rates_.threads, id));
    });
    const double bytes = static_cast<double>(arrays_->count * sizeof(float) * kernel.arrays);
    if (bytes / seconds <= rates_.stream) continue;
    rates_.stream = bytes / seconds;
    rates_.streamBy = kernel.name;
  }
}

void MachineMeter::measureFma(unsigned passes, bool all) {
  std::vector<float> results(rates_.threads);
  // On some processors 512-bit code lowers the clock so much that 256-bit code is faster: the first call measures all
  // widths.
  for (const FmaKernel& kernel : fmas) {
    if (!kernel.supported() || (!all && rates_.fmaBy != kernel.name)) continue;
    const std::uint64_t steps = effort_ == Effort::Quick ? 2'000'000 : 8'000'000;
    const double seconds = bestPass(rates_.threads, passes, [&](unsigned id) {
      results[id] = kernel.run(1e-3f * static_cast<float>(id + 1), 0.75f, steps);
    });
    const double rate = kernel.operationsPerStep * static_cast<double>(steps) * rates_.threads / seconds;
    if (rate <= rates_.fma) continue;
    rates_.fma = rate;
    rates_.fmaBy = kernel.name;
  }
}

double measureMemcpy(void* to, const void* from, size_t bytes, unsigned repetitions) {
  const unsigned threads = processorCount();
  const double seconds = bestPass(threads, repetitions, [&](unsigned id) {
    const size_t begin = bytes * id / threads & ~size_t{63},
                 end = id + 1 == threads ? bytes : bytes * (id + 1) / threads & ~size_t{63};
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  });
  return static_cast<double>(bytes) / seconds;
}

}  // namespace clarity::tools
