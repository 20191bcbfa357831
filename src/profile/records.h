// SPDX-License-Identifier: Apache-2.0
// This file is what a recorder keeps in memory until the process ends.
#pragma once

#include "check/host/host_call.h"
#include "profile/byte_log.h"
#include "profile/entry_plan.h"
#include "profile/record_format.h"
#include "profile/recorder.h"
#include "profile/worker_log.h"

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace clarity::profile {

/// Texts with numbers, from 1. Thread-safe.
class NumberedTexts {
public:
  std::uint32_t numberOf(const std::string& text) {
    const std::lock_guard lock(mutex_);
    const auto [found, added] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size() + 1));
    if (added) texts_.push_back(text);
    return found->second;
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

private:
  mutable std::mutex mutex_;  ///< guards what follows
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// The call that a thread makes.
struct RunningCall {
  std::uint64_t begin = 0;
  bool wantsEvent = false;
  cl_event event = nullptr;                          ///< in place of one that the application does not want
  std::array<cl_queue_properties, 32> properties{};  ///< in place of the application's
};

/// The last call of an entry point by a thread.
struct EntryUse {
  static constexpr std::size_t most = 20;
  bool isKnown = false, hasTexts = false;
  std::uint8_t count = 0;                       ///< of parameters
  std::array<check::ValueKind, most> kinds{};   ///< of the parameters
  std::array<std::uint64_t, most> arguments{};  ///< of the last call, as they were given
};

/// A command whose times are not known yet.
struct PendingCommand {
  cl_event event;
  StoredCommand* command;
};

/// The calls and commands of one thread.
struct ThreadLog {
  /// Keeps a call that has ended, or counts it with the last one. Its number. `mutex` is locked.
  std::uint32_t addCall(const check::HostCall& call, const EntryPlan& plan, std::uint64_t end, std::uint32_t place,
                        NumberedTexts& texts);
  /// Memory for a command of this shape and as many words behind it.
  StoredCommand* addCommand(const StoredShape& itsShape, std::size_t words);

  RunningCall running;       ///< its thread's alone
  std::mutex mutex;          ///< guards what follows; taken by its thread, and by those that look for ended commands
  std::uint64_t thread = 0;  ///< the operating system's number
  std::uint32_t number = 0;  ///< among the threads
  std::uint32_t callCount = 0, commandCount = 0, dropped = 0;
  ByteLog calls, commands;
  std::deque<PendingCommand> pending;
  std::vector<EntryUse> uses;  ///< by CallInfo::number
  StoredShape shape{};         ///< of the last command
  std::uint32_t lastQueryPlace = 0;
  StoredCall* query = nullptr;      ///< the last call, if it is one that asks and may be repeated
  const void* lastPlace = nullptr;  ///< of Python, and its number
  std::uint32_t lastPlaceNumber = 0;

private:
  bool repeat(std::uint64_t end);
};

struct QueueRecord {
  std::uint64_t handle = 0;
  std::string device;
  bool isOutOfOrder = false;
};

/// A program that was built from source.
struct BuildRecord {
  std::size_t source = 0;  ///< a number of State's sources
  std::string options;
  bool operator==(const BuildRecord&) const = default;
};

/// The contents of a process's part of a record. Nothing changes the logs meanwhile.
struct Record {
  std::uint64_t begin = 0, end = 0;
  std::vector<const ThreadLog*> threads;
  std::vector<const WorkerLog*> workers;
  const std::vector<QueueRecord>* queues = nullptr;
  std::vector<std::string> kernels;
  std::vector<std::string> texts;                     ///< of arguments
  std::vector<std::string> places;                    ///< "file.py:12"
  const std::vector<std::string>* sources = nullptr;  ///< of programs in OpenCL C
  const std::vector<BuildRecord>* builds = nullptr;
  std::uint64_t dropped = 0;  ///< calls that were not kept
};
/// Its first line (record_format.h).
std::string headOf(const Record& record);
/// Appends it to a file.
void append(const std::string& file, const Record& record);

}  // namespace clarity::profile
