// SPDX-License-Identifier: Apache-2.0
// This file spreads the blocks of a launch over threads of the host.
#include "block.h"
#include "results.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace clarity::ptx {
namespace {

using Clock = std::chrono::steady_clock;

/// Turns of a block before the next one begins: it may wait for it.
constexpr unsigned turnsOfBlock = 64;
/// Blocks that one thread of the host has begun, at most.
constexpr std::size_t mostBegun = 32;
constexpr unsigned mostThreads = 4;
/// How long a launch takes before other threads of the host help.
constexpr std::chrono::microseconds helpAfter{500};

class Grid {
public:
  Grid(const Launch& launch, Memory& memory)
      : launch_(launch), memory_(memory), count_(std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]) {}

  std::uint64_t run() {
    work(true);
    for (std::thread& each : helpers_) each.join();
    if (fault_) throw *fault_;
    return executed_;
  }

private:
  void work(bool mayAskForHelp);
  void askForHelp();
  bool begin(Block& block);
  void count(std::uint64_t instructions) {
    if (executed_.fetch_add(instructions) + instructions > launch_.mostInstructions)
      throw Fault{launchTimeoutFault,
                  "it did not end within " + std::to_string(launch_.mostInstructions) + " instructions of warps"};
  }

  const Launch& launch_;
  Memory& memory_;
  Uses uses_;
  const std::uint64_t count_;
  std::atomic<std::uint64_t> next_ = 0, executed_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::optional<Fault> fault_;
  std::vector<std::thread> helpers_;
  const Clock::time_point began_ = Clock::now();
};

bool Grid::begin(Block& block) {
  const std::uint64_t number = next_.fetch_add(1);
  if (number >= count_) return false;
  const auto [x, y, z] = launch_.grid;
  block.start(launch_, {static_cast<unsigned>(number % x), static_cast<unsigned>(number / x % y),
                        static_cast<unsigned>(number / x / y)});
  return true;
}

void Grid::askForHelp() {
  const unsigned most = std::min(mostThreads, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < most && next_ + i < count_ + 1; ++i) helpers_.emplace_back([this] { work(false); });
}

void Grid::work(bool mayAskForHelp) try {
  std::deque<std::unique_ptr<Block>> begun;
  std::unique_ptr<Block> idle;
  bool hasMore = true;
  while ((hasMore || !begun.empty()) && !failed_) {
    if (mayAskForHelp && Clock::now() - began_ > helpAfter) {
      askForHelp();
      mayAskForHelp = false;
    }
    if (hasMore && begun.size() < mostBegun) {
      if (!idle) idle = std::make_unique<Block>(memory_, uses_);
      hasMore = begin(*idle);
      if (hasMore) begun.push_back(std::move(idle));
    }
    if (begun.empty()) continue;
    std::unique_ptr<Block> block = std::move(begun.front());
    begun.pop_front();
    const std::uint64_t before = block->executed();
    const bool hasEnded = block->run(turnsOfBlock);
    count(block->executed() - before);
    if (hasEnded)
      idle = std::move(block);
    else
      begun.push_back(std::move(block));
  }
} catch (const Fault& fault) {
  const std::lock_guard lock(mutex_);
  if (!fault_) fault_ = fault;
  failed_ = true;
}

}  // namespace

std::uint64_t execute(const Launch& launch, Memory& memory) {
  // Also where it would not come there this time.
  if (!launch.program->unknown.empty()) throw Fault{illegalInstructionFault, launch.program->unknown[0]};
  return Grid(launch, memory).run();
}

}  // namespace clarity::ptx
