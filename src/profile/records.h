// SPDX-License-Identifier: Apache-2.0
// This file is what a recorder keeps in memory until the process ends.
#pragma once

#include "check/host/host_call.h"
#include "profile/recorder.h"

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace clarity::profile {

/// A call: its arguments are `arguments` of its log, from `firstArgument` on, as many as `info` has parameters.
struct CallRecord {
  const check::CallInfo* info = nullptr;
  std::uint64_t begin = 0, end = 0;
  std::size_t firstArgument = 0;
  std::uint64_t result = 0;
  const void* python = nullptr;  ///< the line of Python that made it (check/host/host_python.h)
  cl_int error = CL_SUCCESS;
  bool hasResult = false;
};

/// The call that a thread makes.
struct RunningCall {
  std::uint64_t begin = 0;
  bool wantsEvent = false;
  cl_event event = nullptr;                          ///< in place of one that the application does not want
  std::array<cl_queue_properties, 32> properties{};  ///< in place of the application's
};

/// The calls of one thread.
struct ThreadLog {
  RunningCall running;       ///< its thread's alone
  std::mutex mutex;          ///< taken by its thread, and by the end of the process
  std::uint64_t thread = 0;  ///< the operating system's number
  std::deque<CallRecord> calls;
  std::deque<check::Value> arguments;
  std::deque<std::string> texts;  ///< what arguments of kind Text are kept as: their `bits` are an index
};

struct CommandRecord {
  const check::CallInfo* info = nullptr;
  std::uint64_t thread = 0;
  std::size_t call = 0;  ///< its number in the log of the thread
  std::uint64_t queue = 0;
  cl_int status = CL_QUEUED;
  cl_uint dimensions = 0;
  std::uint32_t kernel = 0;  ///< a number of State's texts, one more; 0: no kernel
  std::array<std::uint64_t, 3> global{}, local{};
  std::uint64_t bytes = 0;  ///< that it transfers or fills
  CommandTimes times;
  std::vector<std::size_t> after;  ///< numbers of commands in its wait list
  bool isBlocking = false;
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

/// The line of JSON that is the record of a process.
struct Record {
  std::uint64_t begin = 0, end = 0;
  std::deque<ThreadLog>* threads = nullptr;
  const std::deque<CommandRecord>* commands = nullptr;
  const std::vector<QueueRecord>* queues = nullptr;
  const std::vector<std::string>* kernels = nullptr;
  const std::vector<std::string>* sources = nullptr;  ///< of programs in OpenCL C
  const std::vector<BuildRecord>* builds = nullptr;
  std::uint64_t dropped = 0;  ///< calls that were not kept
};
std::string jsonOf(const Record& record);

}  // namespace clarity::profile
