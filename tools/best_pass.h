// SPDX-License-Identifier: Apache-2.0
// This file runs work on all processors at once, and takes the best of several passes.
#pragma once

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

namespace clarity::tools {

/// Runs `work(thread)` on every thread at once, `passes` times, and returns the seconds of the best pass: from the
/// first thread's start to the last one's end. The calling thread is one of them, so that no processor has two.
inline double bestPass(unsigned threads, unsigned passes, const std::function<void(unsigned)>& work) {
  using Clock = std::chrono::steady_clock;
  struct alignas(64) Span {
    Clock::time_point begin, end;
  };
  std::vector<Span> spans(threads);
  std::barrier gate(static_cast<std::ptrdiff_t>(threads));
  double best = std::numeric_limits<double>::max();
  const auto runPasses = [&](unsigned id) {
    for (unsigned pass = 0; pass < passes; ++pass) {
      gate.arrive_and_wait();
      spans[id].begin = Clock::now();
      work(id);
      spans[id].end = Clock::now();
      gate.arrive_and_wait();
      if (id != 0) continue;
      const auto begin = std::ranges::min(spans, {}, &Span::begin).begin;
      const auto end = std::ranges::max(spans, {}, &Span::end).end;
      best = std::min(best, std::chrono::duration<double>(end - begin).count());
    }
  };
  {
    std::vector<std::jthread> team;
    for (unsigned id = 1; id < threads; ++id) team.emplace_back(runPasses, id);
    runPasses(0);
  }
  return best;
}

}  // namespace clarity::tools
