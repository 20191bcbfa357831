// SPDX-License-Identifier: Apache-2.0
// This file shows sentences: on standard error or in a file, each once, without stdio, which may be locked at a fork.
#include "core/messages.h"

#include "core/config.h"
#include "support/counted.h"
#include "support/diagnostic_colours.h"
#include "support/hash.h"
#include "support/without_signals.h"
#include "support/write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>
#include <utility>

namespace clarity::core {
namespace {

using support::writeAll;
using support::writeToStandardError;
using Clock = std::chrono::steady_clock;

/// The hashes of the texts that were shown, shared with forked processes: of many workers that fail alike one says so.
/// A full table shows nothing more.
class Shown {
public:
  /// Null where there is no memory for the table.
  static Shown* get() {
    static Shown* const instance = [] {
      void* const memory = ::mmap(nullptr, sizeof(Shown), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      return memory == MAP_FAILED ? new (std::nothrow) Shown : new (memory) Shown;
    }();
    return instance;
  }

  /// True if the text was not in the table and has been added.
  bool addNew(std::string_view text) {
    const std::uint64_t hash = std::max<std::uint64_t>(support::hashOf(text).low, 1);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      std::atomic<std::uint64_t>& slot = slots_[(hash + i) % slots_.size()];
      std::uint64_t found = 0;
      if (slot.compare_exchange_strong(found, hash)) return true;
      if (found == hash) return false;
    }
    return false;
  }

private:
  std::array<std::atomic<std::uint64_t>, 1024> slots_{};
};

std::string withName(std::string_view text, bool colours) {
  std::string line = fmt::format("clarity: {}", text);
  if (!line.ends_with('\n')) line += '\n';
  return colours ? support::coloured(line) : line;
}

/// With the error of the call that failed.
void reportUnwritable(std::string_view variable, const std::string& path, std::string_view what) {
  const char* const why = std::strerror(errno);
  writeToStandardError(
      fmt::format("clarity: {}: '{}' cannot be written to ({}); {} to standard error\n", variable, path, why, what));
}

/// The file of CLARITY_MESSAGES, opened at the first message; -1 if it cannot be, which is said once.
int messageFile() {
  static const int file = [] {
    const std::string& path = config().messages;
    const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0644);
    if (opened < 0) reportUnwritable("CLARITY_MESSAGES", path, "messages go");
    return opened;
  }();
  return file;
}

void showOnStandardError(std::string_view text) {
  writeToStandardError(withName(briefly(text), config().colours && ::isatty(STDERR_FILENO)));
}

void print(const std::string& text) {
  const std::string& where = config().messages;
  if (where == "never" || (where == "auto" && !::isatty(STDERR_FILENO))) return;
  if (!Shown::get() || !Shown::get()->addNew(text)) return;
  const int file = where == "auto" || where == "always" ? -1 : messageFile();
  if (file < 0) return showOnStandardError(text);
  writeAll(file, withName(text, false));
}

std::size_t lineCount(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + (!text.empty() && !text.ends_with('\n'));
}

/// The first `count` lines of `text`.
std::string_view firstLines(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count && end < text.size(); --count) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

/// A text of this thread that is freed when the thread ends. Not a thread_local string: the application may call us
/// after the objects of its main thread are destroyed.
struct ThreadText {
  pthread_key_t key{};
  bool made = pthread_key_create(&key, [](void* text) { delete static_cast<std::string*>(text); }) == 0;
};

const ThreadText& threadText() {
  static const ThreadText text;
  return text;
}

constinit thread_local unsigned errorCount = 0;

/// Never closed: calls may come until the very end of the process. A file that cannot be opened is said once.
std::FILE* traceFile() {
  static std::FILE* const file = [] {
    const std::string& where = config().trace;
    if (where == "1" || where == "stderr") return stderr;
    std::FILE* const opened = std::fopen(where.c_str(), "we");
    if (!opened) reportUnwritable("CLARITY_TRACE", where, "the trace goes");
    return opened ? opened : stderr;
  }();
  return file;
}

}  // namespace

std::string briefly(std::string_view text) {
  constexpr std::size_t fewLines = 12, linesOfError = 3;
  const std::size_t all = lineCount(text);
  const std::size_t error = text.find(": error: ");
  if (all <= fewLines || error == text.npos) return std::string(text);
  const std::size_t begin = text.rfind('\n', error) + 1;  // npos + 1 is the beginning of the text
  std::string brief(begin == 0 ? std::string_view() : firstLines(text, 1));
  const std::string_view first = firstLines(text.substr(begin), 1);
  std::string_view lines = firstLines(text.substr(begin), linesOfError);
  // Lines behind an error are its source, indented, unless they are the next finding.
  if (const std::size_t next = lines.find(": error: ", first.size()); next != lines.npos)
    lines = lines.substr(0, lines.rfind('\n', next) + 1);
  brief += lines;
  return brief + support::withSingulars(fmt::format("({} more lines in the build log)\n", all - lineCount(brief)));
}

void showMessage(const std::string& text) noexcept {
  try {
    print(text);
  } catch (...) {
    // No memory for the sentence.
  }
}

void prepareMessages() noexcept {
  if (config().messages != "never") Shown::get();
}

std::string_view lastError() noexcept {
  const auto* const text =
      threadText().made ? static_cast<const std::string*>(pthread_getspecific(threadText().key)) : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

unsigned errorsOfThread() noexcept { return errorCount; }

void setLastError(std::string text) noexcept {
  ++errorCount;
  if (!threadText().made) return;
  if (auto* const kept = static_cast<std::string*>(pthread_getspecific(threadText().key))) {
    *kept = std::move(text);
    return;
  }
  auto made = std::unique_ptr<std::string>(new (std::nothrow) std::string(std::move(text)));
  if (made && pthread_setspecific(threadText().key, made.get()) == 0) static_cast<void>(made.release());
}

bool isTraced() { return !config().trace.empty(); }

void traceLine(Clock::time_point at, std::string_view what) noexcept {
  try {
    static const Clock::time_point first = at;
    const std::chrono::duration<double> since = at - first;
    const std::string line = fmt::format("{:12.6f} {:7} {}\n", since.count(), gettid(), what);
    support::WithoutSignals guard;
    std::fwrite(line.data(), 1, line.size(), traceFile());
    if (std::fflush(traceFile()) != 0) guard.failed(errno);
  } catch (...) {
    // A trace without memory for a line is a trace without that line.
  }
}

}  // namespace clarity::core
