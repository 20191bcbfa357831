// SPDX-License-Identifier: Apache-2.0
// This file appends the part of a process to a record.
#include "profile/records.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace clarity::profile {
namespace {

iovec partOf(const void* data, std::size_t bytes) { return {.iov_base = const_cast<void*>(data), .iov_len = bytes}; }

void write(int to, std::vector<iovec>& parts) {
  constexpr std::size_t atOnce = 512;  // IOV_MAX is 1024
  for (std::size_t first = 0; first < parts.size();) {
    const ssize_t written = ::writev(to, &parts[first], static_cast<int>(std::min(atOnce, parts.size() - first)));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    auto left = static_cast<std::size_t>(written);
    for (; first < parts.size() && left >= parts[first].iov_len; ++first) left -= parts[first].iov_len;
    if (left != 0)
      parts[first] = partOf(static_cast<std::byte*>(parts[first].iov_base) + left, parts[first].iov_len - left);
  }
}

}  // namespace

void append(const std::string& file, const Record& record) {
  const std::string head = headOf(record);
  std::vector<iovec> parts{partOf(head.data(), head.size())};
  const auto add = [&](const ByteLog& log) {
    for (std::size_t i = 0; i < log.chunks(); ++i) parts.push_back(partOf(log.chunk(i).data(), log.chunk(i).size()));
  };
  for (std::size_t i = 0; i < record.threads.size(); ++i) {
    add(record.threads[i]->calls);
    add(record.commands[i]);
  }
  for (const WorkerLog* const log : record.workers) add(log->spans);
  const int to = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (to < 0) {
    std::perror(("clarity: the profile cannot be written to '" + file + "'").c_str());
    return;
  }
  write(to, parts);
  ::close(to);
}

}  // namespace clarity::profile
