// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of many threads.
#include "run.h"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace clarity::stress {
namespace {

/// The first thing that went wrong on any thread.
class FirstError {
public:
  void keep() {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::current_exception();
    failed = true;
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }
  std::atomic<bool> failed{false};

private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace

void operateOnThreads(Random random, std::size_t threadCount, std::size_t steps) {
  const auto shared = std::make_unique<Session>(static_cast<unsigned>(random.below(8)));
  FirstError error;
  std::vector<std::jthread> all;  // joined also when there is no memory for a further one
  for (std::size_t i = 0; i < threadCount; ++i)
    all.emplace_back([&, its = random.split()]() mutable {
      try {
        std::unique_ptr<Session> own;
        if (its.chance(40)) own = std::make_unique<Session>(static_cast<unsigned>(its.below(8)));
        Model model(own ? *own : *shared, its.split());
        for (std::size_t step = 0; step < steps && !error.failed; ++step) model.step();
        model.check();
      } catch (...) {
        error.keep();
      }
    });
  all.clear();
  error.rethrow();
}

void threads(Run& run) {
  run.expectGood(
      run.start([](Random random) { operateOnThreads(random, random.between(2, 12), random.between(20, 300)); }));
}

}  // namespace clarity::stress
