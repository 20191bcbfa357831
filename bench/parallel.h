// SPDX-License-Identifier: Apache-2.0
// This file distributes a loop of the host's functions over all processors, with OpenMP if there is one, otherwise with
// threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench {

// Threads of the loops below; one of them computes the reference.
inline unsigned hostThreads = 1;

// Both copy `body` for each thread, so that its captures stay in registers although its stores might alias them.
#ifdef _OPENMP
// Iterations of about equal length.
template <typename Body>
void parallelFor(std::size_t count, Body body) {
#pragma omp parallel for schedule(static) num_threads(hostThreads) firstprivate(body)
  for (std::size_t i = 0; i < count; ++i) body(i);
}

// Iterations whose length varies.
template <typename Body>
void parallelForUneven(std::size_t count, Body body) {
  const std::size_t chunk = std::max<std::size_t>(1, count / (std::size_t{64} * hostThreads));
#pragma omp parallel for schedule(dynamic, chunk) num_threads(hostThreads) firstprivate(body)
  for (std::size_t i = 0; i < count; ++i) body(i);
}
#else
template <typename Body>
void inChunks(std::size_t count, std::size_t chunk, Body body) {
  std::atomic<std::size_t> next = 0;
  auto work = [&next, count, chunk, body] {
    const Body own = body;
    for (std::size_t begin; (begin = next.fetch_add(chunk, std::memory_order_relaxed)) < count;)
      for (std::size_t i = begin, end = std::min(begin + chunk, count); i < end; ++i) own(i);
  };
  std::vector<std::jthread> threads;
  for (unsigned thread = 1; thread < hostThreads; ++thread) threads.emplace_back(work);
  work();
}

template <typename Body>
void parallelFor(std::size_t count, Body body) {
  inChunks(count, (count + hostThreads - 1) / hostThreads, body);
}

template <typename Body>
void parallelForUneven(std::size_t count, Body body) {
  inChunks(count, std::max<std::size_t>(1, count / (std::size_t{64} * hostThreads)), body);
}
#endif

}  // namespace bench
