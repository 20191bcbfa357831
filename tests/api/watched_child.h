// SPDX-License-Identifier: Apache-2.0
// This file waits for a child process and notices when it hangs, however slow or busy the machine is.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>

namespace clarity::test {

/// How a child process ended: its wait status, or that it hung and was killed.
struct Ending {
  int status = 0;
  bool hung = false;

  bool exitedWith(int code) const { return !hung && WIFEXITED(status) && WEXITSTATUS(status) == code; }
  bool wasKilledBy(int signal) const { return !hung && WIFSIGNALED(status) && WTERMSIG(status) == signal; }
  std::string text() const {
    if (hung) return "a hang";
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    return "exit status " + std::to_string(WEXITSTATUS(status));
  }
};

/// The activity of all threads of a process.
struct Activity {
  bool asleep = true;            ///< every thread waits for something: none runs, wants to run or accesses a disk
  unsigned long long ticks = 0;  ///< ticks of processor time

  /// Empty if the file cannot be read: the thread may just have ended.
  static std::string beginningOf(const std::string& path) {
    char room[1024];
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, room, sizeof room);
    if (file >= 0) close(file);
    return {room, got > 0 ? static_cast<std::size_t>(got) : 0};
  }

  static Activity of(pid_t process) {
    Activity all;
    const std::string tasks = "/proc/" + std::to_string(process) + "/task/";
    DIR* const folder = opendir(tasks.c_str());
    if (!folder) return {.asleep = false};
    while (const dirent* entry = readdir(folder)) {
      if (entry->d_name[0] == '.') continue;
      const std::string text = beginningOf(tasks + entry->d_name + "/stat");
      const auto name = text.rfind(')');  // the name may contain anything
      char state = 'R';
      unsigned long long user = 0, system = 0;
      if (name == std::string::npos ||
          std::sscanf(text.c_str() + name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state, &user,
                      &system) != 3)
        continue;
      all.asleep = all.asleep && state == 'S';
      all.ticks += user + system;
    }
    closedir(folder);
    return all;
  }
};

/// Returns when the child has ended. It hangs, and is killed, when all its threads have slept for a minute without a
/// moment of processor time between, or when it has used an hour of it: neither comes of a busy machine.
inline Ending endingOf(pid_t child) {
  constexpr unsigned lookMicroseconds = 20'000, mostLooksAsleep = 60'000'000 / lookMicroseconds;
  const unsigned long long mostTicks = 3600ull * static_cast<unsigned long long>(sysconf(_SC_CLK_TCK));
  Ending ending;
  Activity before;
  for (unsigned asleep = 0; asleep < mostLooksAsleep && before.ticks < mostTicks;) {
    const pid_t ended = waitpid(child, &ending.status, WNOHANG);
    if (ended != 0) return ending;
    const Activity now = Activity::of(child);
    asleep = now.asleep && now.ticks == before.ticks ? asleep + 1 : 0;
    before = now;
    usleep(lookMicroseconds);
  }
  ending.hung = true;
  kill(child, SIGKILL);
  waitpid(child, &ending.status, 0);
  return ending;
}

}  // namespace clarity::test

#if defined(__has_feature) && __has_feature(address_sanitizer)
/// The process that has begun with main().
inline const pid_t clarityFirstProcess = getpid();

/// Asked when a process ends: whether to look for leaks. A child of fork() has none of its parent's threads, and what
/// these own looks lost there.
extern "C" [[gnu::used, gnu::weak, gnu::visibility("default")]] int __lsan_is_turned_off() {
  return getpid() != clarityFirstProcess;
}
#endif
