// SPDX-License-Identifier: Apache-2.0
// This file compares variants, and keeps child processes for it.
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "random.h"

namespace clarity::fuzz {
namespace {

/// A child process that sends lines. Its output to the standard error stream is kept for its last words.
class Child {
public:
  explicit Child(const std::function<void(int)>& run) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
    errors_ = std::tmpfile();
    std::fflush(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ == 0) {
      close(ends[0]);
      if (errors_) dup2(fileno(errors_), STDERR_FILENO);
      run(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  ~Child() {
    if (pid_ > 0) end();
    close(from_);
    if (errors_) std::fclose(errors_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Got : std::uint8_t { Line, End, Nothing };
  /// Waits for a line while the process uses less than so many seconds of processor time. A busy machine is no reason
  /// to give up, so the limit for waiting as such is ten times as long, and time in which both processes stand does not
  /// count.
  Got read(std::string& line, int seconds) {
    const double used = processorTime();
    int waits = 20 * seconds;  // of half a second each
    for (;;) {
      if (const std::size_t end = buffered_.find('\n'); end != std::string::npos) {
        line = buffered_.substr(0, end);
        buffered_.erase(0, end + 1);
        return Got::Line;
      }
      if (waits <= 0 || processorTime() - used > seconds) return Got::Nothing;
      pollfd waiting{from_, POLLIN, 0};
      if (poll(&waiting, 1, 500) <= 0) {
        --waits;
        continue;
      }
      char piece[4096];
      const ssize_t count = ::read(from_, piece, sizeof piece);
      if (count <= 0) return Got::End;
      buffered_.append(piece, static_cast<std::size_t>(count));
    }
  }

  /// Ends the process and says how it ended.
  std::string end() {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == 0) {
      // It may be ending by itself: the pipe closes before the process does.
      for (int i = 0; i < 100 && waitpid(pid_, &status, WNOHANG) == 0; ++i) usleep(10000);
      if (kill(pid_, 0) == 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, &status, 0);
      }
    }
    pid_ = 0;
    std::string text = WIFSIGNALED(status) ? std::string("ended by signal ") + strsignal(WTERMSIG(status))
                                           : "exit status " + std::to_string(WEXITSTATUS(status));
    return text + lastWords();
  }

  std::string lastWords() {
    if (!errors_) return "";
    char piece[2000];
    std::rewind(errors_);
    const std::size_t count = std::fread(piece, 1, sizeof piece, errors_);
    return count ? "; it printed:\n" + std::string(piece, count) : "";
  }

private:
  double processorTime() const {
    clockid_t clock;
    timespec time{};
    if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  pid_t pid_ = 0;
  int from_ = -1;
  std::string buffered_;
  std::FILE* errors_ = nullptr;
};

void sendLine(int to, std::string line) {
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = write(to, line.data() + sent, line.size() - sent);
    if (count <= 0) _exit(1);
    sent += static_cast<std::size_t>(count);
  }
}

// A verdict as one line: fields separated by \x1f, line breaks as \x1e.
std::string encode(const Verdict& verdict) {
  std::string text =
      std::to_string(static_cast<int>(verdict.kind)) + '\x1f' + verdict.variants + '\x1f' + verdict.detail;
  std::ranges::replace(text, '\n', '\x1e');
  return text;
}

Verdict decode(std::string line) {
  std::ranges::replace(line, '\x1e', '\n');
  const std::size_t first = line.find('\x1f'), second = line.find('\x1f', first + 1);
  return {static_cast<Verdict::Kind>(std::atoi(line.c_str())), line.substr(first + 1, second - first - 1),
          line.substr(second + 1)};
}

}  // namespace

std::string Verdict::describe() const {
  switch (kind) {
    case Kind::Same: return "same";
    case Kind::Different: return "different (" + variants + "): " + detail;
    case Kind::ReferenceFailed: return "reference failed: " + detail;
    case Kind::Crashed: return "crashed" + (variants.empty() ? "" : " (" + variants + ")") + ": " + detail;
    case Kind::TimedOut: return "timed out" + (variants.empty() ? "" : " (" + variants + ")") + ": " + detail;
  }
  return "";
}

Checker::Checker(const Comparison& comparison) : comparison_(comparison), runner_(comparison.platform) {
  if (!comparison.referencePlatform.empty()) reference_ = std::make_unique<Runner>(comparison.referencePlatform);
}

std::vector<Variant> Checker::variantsFor(std::uint64_t seed) const {
  std::vector<Variant> variants = comparison_.variants;
  if (comparison_.perProgram == 0) return variants;
  Random random(seed ^ 0x5eedull << 40);
  if (!random.chance(15)) std::erase_if(variants, [](const Variant& variant) { return variant.dear; });
  while (variants.size() > comparison_.perProgram)
    variants.erase(variants.begin() + random.below(static_cast<std::int64_t>(variants.size())));
  return variants;
}

Verdict Checker::check(const Program& program, std::uint64_t seed) {
  const Program::Text text = program.text();
  Runner& runner = reference_ ? *reference_ : runner_;
  const Outcome expected = runner.run(text, program.launches, comparison_.reference.options);
  Verdict verdict;
  if (!expected.error.empty()) return {Verdict::Kind::ReferenceFailed, comparison_.reference.label, expected.error};
  for (const Variant& variant : variantsFor(seed)) {
    const Outcome actual = runner_.run(text, program.launches, variant.options);
    const auto differs = difference(expected, actual, program.launches);
    if (!differs) continue;
    verdict.kind = Verdict::Kind::Different;
    verdict.variants += (verdict.variants.empty() ? "" : ", ") + variant.label;
    if (verdict.detail.empty()) verdict.detail = *differs;
  }
  return verdict;
}

void checkAll(const Comparison& comparison, std::uint64_t first, const std::function<Program(std::uint64_t)>& program,
              const std::function<bool(std::uint64_t)>& goesOn, const Report& report) {
  std::uint64_t number = first;
  while (goesOn(number)) {
    Child child([&](int to) {
      Checker checker(comparison);
      for (std::uint64_t n = number;; ++n) sendLine(to, encode(checker.check(program(n), n)));
    });
    for (bool alive = true; alive && goesOn(number); ++number) {
      std::string line;
      const Child::Got got = child.read(line, comparison.timeLimit);
      alive = got == Child::Got::Line;
      if (alive)
        report(number, decode(line));
      else if (got == Child::Got::End)
        report(number, {Verdict::Kind::Crashed, "", child.end()});
      else
        report(number, {Verdict::Kind::TimedOut, "",
                        "more than " + std::to_string(comparison.timeLimit) +
                            " s of processor time, or waiting for ever" + child.lastWords()});
    }
  }
}

bool inChild(const std::function<void()>& run) {
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    run();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::vector<bool> accepted(const std::string& platform, const std::vector<std::string>& options) {
  Child child([&](int to) {
    Runner runner(platform);
    std::string answers;
    for (const std::string& option : options) answers += runner.accepts(option) ? 'y' : 'n';
    sendLine(to, answers);
  });
  std::string answers;
  if (child.read(answers, 60) != Child::Got::Line)
    throw std::runtime_error("no platform '" + platform + "' that works: " + child.end());
  std::vector<bool> result;
  for (const char answer : answers) result.push_back(answer == 'y');
  return result;
}

}  // namespace clarity::fuzz
