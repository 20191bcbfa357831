// SPDX-License-Identifier: Apache-2.0
// This file is what a recorder keeps in memory until the process ends.
#pragma once

#include "check/host/host_call.h"
#include "device/recorded_command.h"
#include "profile/byte_log.h"
#include "profile/entry_plan.h"
#include "profile/record_format.h"
#include "profile/recorder.h"
#include "profile/worker_log.h"
#include "support/spin_lock.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace clarity::profile {

/// Texts with numbers, from 1. Thread-safe.
class NumberedTexts {
public:
  std::uint32_t numberOf(const std::string& text) { return entryOf(text).second; }
  /// A copy of the text, which stays where it is, and its number.
  std::pair<const std::string*, std::uint32_t> entryOf(const std::string& text) {
    const std::lock_guard lock(mutex_);
    const auto [found, added] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size() + 1));
    if (added) texts_.push_back(text);
    return {&found->first, found->second};
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

/// A command, and the place in which its event writes what became of it.
struct KeptCommand : device::CommandOutcome {
  std::uint32_t thread = 0, number = 0;  ///< which one of which thread's
  std::uint32_t call = 0;                ///< which of the thread's calls enqueued it
  std::uint32_t shape = 0;               ///< which of the thread's shapes
  std::uint32_t firstWait = 0, waits = 0;
  bool isEnqueued = false;  ///< false: its call failed
};

/// The call that a thread makes.
struct RunningCall {
  std::uint64_t begin = 0;
  bool enqueues = false;           ///< a command, which has no place yet
  KeptCommand* command = nullptr;  ///< the command that it enqueues
  std::uint32_t kernel = 0;        ///< the kernel of its launch; 0: it is not known
  std::array<std::size_t, 3> local{};
};

/// The last call of an entry point by a thread.
struct EntryUse {
  static constexpr std::size_t most = 20;
  bool isKnown = false, hasTexts = false;
  std::uint8_t count = 0;                       ///< the number of parameters
  std::array<check::ValueKind, most> kinds{};   ///< the parameters' kinds
  std::array<std::uint64_t, most> arguments{};  ///< arguments of the last call, as they were given
};

/// A call that asks, and how often it was made, one after the other.
struct RepeatedCall {
  std::size_t entryPoint = 0;
  std::uint32_t place = 0;
  std::uint64_t begin = 0, end = 0, count = 0;  ///< 0: there is none
  std::uint64_t inside = 0;                     ///< the time in all of them
};

/// The calls and commands of one thread.
class ThreadLog {
public:
  ThreadLog(std::uint32_t number, std::size_t entryPoints);

  /// Keeps a call that has ended, or counts it with the last one. Its number. `mutex` is locked, as for what follows.
  std::uint32_t addCall(const check::HostCall& call, const EntryPlan& plan, std::uint64_t end, std::uint32_t place,
                        NumberedTexts& texts);
  /// Memory for a command.
  KeptCommand* newCommand();
  /// The command has been enqueued by a call of this number, after others.
  void addCommand(KeptCommand& command, std::uint32_t call, const CommandShape& shape,
                  std::span<const std::uint64_t> waitsFor);
  /// Nothing is added any more. The commands, as they are now, in the form of a record.
  ByteLog finish();

  const std::uint64_t thread;  ///< the operating system's number
  const std::uint32_t number;  ///< among the threads
  RunningCall running;         ///< its thread's alone
  const void* lastPlace = nullptr;
  std::uint32_t lastPlaceNumber = 0;  ///< the number of a line of Python

  support::SpinLock mutex;  ///< guards what follows; taken by its thread, and by the one that writes the record
  std::uint32_t callCount = 0, dropped = 0;
  ByteLog calls;
  std::vector<EntryUse> uses;  ///< by CallInfo::number

private:
  static constexpr std::size_t commandsTogether = 256;
  using Commands = std::array<KeptCommand, commandsTogether>;

  bool repeats(const check::HostCall& call, std::uint64_t end, std::uint32_t place);
  std::byte* putHead(std::byte* to, unsigned flags, std::size_t entryPoint, std::uint64_t begin, std::uint64_t end);
  void addQuery();
  std::byte* put(std::byte* to, const KeptCommand& command, const KeptCommand& before) const;

  RepeatedCall query_;
  std::uint64_t lastBegin_ = 0;
  std::vector<std::unique_ptr<Commands>> commands_;
  std::size_t commandPlaces_ = 0;  ///< that are used
  std::uint32_t commandCount_ = 0;
  std::vector<CommandShape> shapes_;
  std::vector<std::uint64_t> waits_;
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
  Ending ending;
  std::vector<const ThreadLog*> threads;
  std::vector<ByteLog> commands;  ///< the log of each of them
  std::vector<const WorkerLog*> workers;
  const std::vector<QueueRecord>* queues = nullptr;
  std::vector<std::string> kernels;
  std::vector<std::string> texts;                     ///< texts of arguments
  std::vector<std::string> places;                    ///< "file.py:12"
  const std::vector<std::string>* sources = nullptr;  ///< sources of programs in OpenCL C
  const std::vector<BuildRecord>* builds = nullptr;
  std::uint64_t dropped = 0;  ///< calls that were not kept
};
/// Its first line (record_format.h).
std::string headOf(const Record& record);
/// Appends it to a file.
void append(const std::string& file, const Record& record);

}  // namespace clarity::profile
