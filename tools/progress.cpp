// SPDX-License-Identifier: Apache-2.0
// This file implements the progress line.
#include "progress.h"

#include "screen.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace clarity::tools {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet = 2s;  // what takes less needs no report

size_t columnsOfStandardError() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(size_t total) : total_(total) {
  const char* terminal = std::getenv("TERM");
  if (!::isatty(STDERR_FILENO) || !terminal || std::string_view(terminal) == "dumb") return;
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    ends_.wait_for(lock, quiet, [this] { return over_; });
    while (!over_) {
      draw();
      ends_.wait_for(lock, 250ms, [this] { return over_; });
    }
  });
}

Progress::~Progress() {
  clear();
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::step(std::string label) {
  const std::lock_guard lock(mutex_);
  ++done_;
  label_ = std::move(label);
  stepBegan_ = Clock::now();
  running_ = true;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  running_ = false;
  if (std::exchange(drawn_, false)) printError("\r\x1b[K");
}

std::string Progress::line() const {
  const auto now = Clock::now();
  const double inStep = std::chrono::duration<double>(now - stepBegan_).count();
  std::string text = fmt::format("[{:>{}}/{}] {}", done_, std::to_string(total_).size(), total_, label_);
  if (inStep >= 1) text += fmt::format(", {}", durationText(inStep));
  // The steps that are over took as long as those to come, on average.
  if (done_ > 1) {
    const double past = std::chrono::duration<double>(stepBegan_ - began_).count();
    const double each = past / static_cast<double>(done_ - 1);
    const double left = std::max(each - inStep, 0.0) + each * static_cast<double>(total_ - std::min(done_, total_));
    if (left >= 1) text += fmt::format(", about {} left", durationText(left));
  }
  return text.substr(0, columnsOfStandardError() - 1);
}

void Progress::draw() {
  if (!running_) return;
  drawn_ = true;
  printError(fmt::format("\r\x1b[K{}", line()));
}

std::string durationText(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace clarity::tools
