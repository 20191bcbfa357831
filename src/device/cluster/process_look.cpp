// SPDX-License-Identifier: Apache-2.0
// This file looks for processes in /proc.
#include "device/cluster/process_look.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string_view>

namespace clarity::device::cluster {

std::uint64_t processSpaceOfThisProcess() {
  struct stat info{};
  // The number of a namespace is one of this machine alone; with the machine's name it is one of all.
  if (::stat("/proc/self/ns/pid", &info) != 0) return 0;
  char name[256] = {};
  (void)::gethostname(name, sizeof name - 1);
  return std::hash<std::string_view>{}(name) ^ (info.st_ino * 0x9E3779B97F4A7C15u);
}

bool hasEnded(std::uint64_t process) {
  if (::kill(static_cast<pid_t>(process), 0) != 0) return errno == ESRCH;
  const int file = ::open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[512];
  const ssize_t bytes = ::read(file, text, sizeof text);
  ::close(file);
  // NUMBER (NAME) STATE: a launcher may leave zombies. The name may have brackets in it.
  const std::string_view all(text, bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  const std::size_t behind = all.rfind(')');
  if (behind == all.npos || behind + 2 >= all.size()) return false;
  return all[behind + 2] == 'Z' || all[behind + 2] == 'X';
}

}  // namespace clarity::device::cluster
