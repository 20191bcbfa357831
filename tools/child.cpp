// SPDX-License-Identifier: Apache-2.0
// This file runs another program.
#include "child.h"

#include "command.h"
#include "screen.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace clarity::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Both ends of a pipe, closed by the destructor.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Failure(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

std::vector<std::string> environmentWith(const Environment& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : changes)
    if (value) result.push_back(name + "=" + *value);
  return result;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

pid_t start(const std::vector<std::string>& words, const ChildOptions& options, Pipe& out, Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  if (!options.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  const std::vector<std::string> environment = environmentWith(options.environment);
  pid_t child = -1;
  const int error =
      ::posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Failure(fmt::format("cannot start '{}': {}", words[0], std::strerror(error)));
  return child;
}

// Reads the available bytes; closes the pipe at its end.
void drain(Pipe& pipe, std::string& into) {
  std::array<char, 16384> block;
  const ssize_t got = ::read(pipe.ends[0], block.data(), block.size());
  if (got > 0)
    into.append(block.data(), static_cast<size_t>(got));
  else if (got == 0 || errno != EINTR)
    pipe.close(0);
}

}  // namespace

std::string ChildResult::ending() const {
  if (timedOut) return fmt::format("timed out after {:.0f} s", seconds);
  if (status > 128) return fmt::format("killed by signal {} ({})", status - 128, ::strsignal(status - 128));
  return fmt::format("exit code {}", status);
}

ChildResult runChild(const std::vector<std::string>& words, const ChildOptions& options) {
  Pipe out, err;
  ChildResult result;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const pid_t child = start(words, options, out, err);
  out.close(1);
  err.close(1);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 2> waits{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    ::poll(waits.data(), waits.size(), 250);
    if (waits[0].revents) drain(out, result.output);
    if (waits[1].revents) drain(err, result.errors);
    if (!result.timedOut && elapsed() > options.limitSeconds) {
      result.timedOut = true;
      ::kill(child, SIGKILL);
    }
    // A process that the killed program started may still have the pipes open.
    if (result.timedOut && elapsed() > options.limitSeconds + 1) break;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.seconds = elapsed();
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

int runInForeground(const std::string& command, const std::vector<std::string>& words, int* signal) {
  pid_t child = 0;
  if (const int error = ::posix_spawnp(&child, words[0].c_str(), nullptr, nullptr, pointers(words).data(), environ)) {
    printError(fmt::format("clarity {}: cannot run '{}': {}\n", command, words[0], std::strerror(error)));
    return error == ENOENT ? notFoundCode : cannotStartCode;
  }
  // This process goes on, and writes what is known of the program.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (signal && WIFSIGNALED(status)) *signal = WTERMSIG(status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace clarity::tools
