// SPDX-License-Identifier: Apache-2.0
// This file starts the processes of a run and judges how they end.
#include "run.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <utility>

namespace clarity::stress {

Run::Run(std::uint64_t seed, std::string itsFolder, std::string sharedCache)
    : random(seed),
      folder(std::move(itsFolder)),
      cache(random.chance(70) ? std::move(sharedCache) : folder + "/cache") {}

pid_t Run::start(const std::function<void(Random)>& body) {
  const Random its = random.split();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Failure("fork() failed");
  if (child > 0) return child;
  setenv("CLARITY_CACHE_DIR", cache.c_str(), 1);
  const int log = open((folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log >= 0) {
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    close(log);
  }
  try {
    body(its);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    exit(1);
  }
  exit(0);
}

std::string Run::lastWords() const {
  std::ifstream log(folder + "/log");
  std::string last;
  for (std::string line; std::getline(log, line);)
    if (!line.empty()) last = line;
  return last;
}

test::Ending Run::endingOf(pid_t process) const {
  const test::Ending ending = test::endingOf(process);
  if (ending.hung) throw Failure("a process hung");
  return ending;
}

void Run::expectGood(pid_t process) const {
  const test::Ending ending = endingOf(process);
  if (ending.exitedWith(0)) return;
  const std::string words = lastWords();
  throw Failure("a process ended with " + ending.text() + (words.empty() ? "" : ": " + words));
}

}  // namespace clarity::stress
