// SPDX-License-Identifier: Apache-2.0
// This file implements the progress line.
#include "progress.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace clarity::tools {

Progress::Progress(size_t total) : total_(total), began_(std::chrono::steady_clock::now()) {
  const char* terminal = std::getenv("TERM");
  shown_ = ::isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

Progress::~Progress() { clear(); }

void Progress::step(std::string label) {
  ++done_;
  label_ = std::move(label);
  began_ = std::chrono::steady_clock::now();
  draw();
}

void Progress::tick() { draw(); }

void Progress::clear() {
  if (shown_ && std::exchange(drawn_, false)) fmt::print(stderr, "\r\x1b[K");
}

void Progress::draw() {
  if (!shown_) return;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const std::string time = seconds >= 1 ? fmt::format("  {:.0f} s", seconds) : std::string();
  fmt::print(stderr, "\r\x1b[K[{:>{}}/{}] {}{}", done_, std::to_string(total_).size(), total_, label_, time);
  std::fflush(stderr);
}

}  // namespace clarity::tools
