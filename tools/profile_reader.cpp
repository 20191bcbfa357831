// SPDX-License-Identifier: Apache-2.0
// This file reads the driver's records.
#include "command.h"
#include "profile/record_format.h"
#include "profile_entries.h"
#include "profile_record.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

using RecordJson = nlohmann::json;

ProfiledThread threadOf(const RecordJson& json) {
  ProfiledThread thread;
  thread.id = json.at("id");
  for (const RecordJson& each : json.at("calls")) {
    ProfiledCall& call = thread.calls.emplace_back();
    call.name = each.at("name");
    call.arguments = each.at("args");
    call.place = each.value("at", "");
    call.begin = each.at("begin");
    call.end = each.at("end");
    call.inside = call.end - call.begin;
    call.error = each.at("error");
  }
  return thread;
}

/// One line of a text, without the space at its beginning.
std::string lineOf(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (line == number) {
      const std::string_view found = text.substr(0, end);
      return std::string(found.substr(std::min(found.find_first_not_of(" \t"), found.size())));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

void addLines(ProfiledProcess& process, const RecordJson& json) {
  const std::uint64_t time = json.at("sampleTime");
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::string>, std::uint64_t> lines;
  for (const RecordJson& each : json.at("samples")) {
    ProfiledSample& sample = process.samples.emplace_back();
    sample.kernel = each.at("kernel");
    sample.file = each.at("file");
    sample.lines = {each.at("line")};
    for (const RecordJson& caller : each.value("callers", RecordJson::array())) sample.lines.push_back(caller);
    sample.time = each.at("count").get<std::uint64_t>() * time;
    sample.denormalTime = each.value("denormals", std::uint64_t{0}) * time;
    lines[{sample.kernel, sample.file, sample.lines[0], each.at("function")}] += sample.time;
  }
  for (const auto& [place, its] : lines) {
    const auto& [kernel, file, line, function] = place;
    process.lines.push_back(
        {.kernel = kernel, .file = file, .function = function, .line = line, .time = its, .text = {}});
  }
  std::ranges::sort(process.lines, std::greater{}, &ProfiledLine::time);
  for (ProfiledLine& line : process.lines)
    if (line.line != 0) line.text = lineOf(sourceOf(process, line), line.line);
}

/// The calls and commands that stand behind the head of a process (profile/record_format.h).
class BinaryReader {
public:
  BinaryReader(ProfiledProcess& process, const RecordJson& head, std::string_view bytes)
      : process_(process), head_(head), bytes_(bytes) {
    for (const RecordJson& each : head.at("entryPoints")) {
      EntryPoint& it = entryPoints_[each.at("id")];
      it.name = each.at("name");
      it.parameters = each.at("parameters");
      it.kinds = each.at("kinds");
    }
    texts_ = head.at("texts");
    places_ = head.at("places");
    kernels_ = head.at("kernels");
    for (const RecordJson& each : head.at("queues")) queues_.emplace(each.at("id"), queues_.size());
  }

  void read() {
    std::vector<std::size_t> first;  // command of each thread
    for (const RecordJson& each : head_.at("threads")) {
      ProfiledThread& thread = process_.threads.emplace_back();
      thread.id = each.at("id");
      lastArguments_.clear();
      lastBegin_ = lastQueued_ = lastCall_ = 0;
      for (std::string_view calls = take(each.at("callBytes")); !calls.empty();) addCall(thread, calls);
      first.push_back(process_.commands.size());
      for (std::string_view commands = take(each.at("commandBytes")); !commands.empty();) addCommand(commands);
    }
    first.push_back(process_.commands.size());
    for (ProfiledCommand& command : process_.commands)
      for (std::size_t& which : command.after) {
        const std::size_t thread = which >> 32, number = which & 0xffffffff;
        const bool isKnown = thread + 1 < first.size() && first[thread] + number < first[thread + 1];
        which = isKnown ? first[thread] + number : none;
      }
    for (ProfiledCommand& command : process_.commands) std::erase(command.after, none);
    sortCommands();
    for (const RecordJson& each : head_.at("workers")) addWorker(each.at("id"), take(each.at("bytes")));
  }

private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct EntryPoint {
    std::string name;
    std::vector<std::string> parameters, kinds;
  };

  static std::string_view take(std::string_view& from, std::size_t bytes) {
    if (bytes > from.size()) throw Failure("the record of the profile is cut off");
    const std::string_view taken = from.substr(0, bytes);
    from.remove_prefix(bytes);
    return taken;
  }
  std::string_view take(std::size_t bytes) { return take(bytes_, bytes); }
  /// A number.
  static std::uint64_t takeOne(std::string_view& from) {
    std::uint64_t number = 0;
    for (unsigned bits = 0; bits < 64; bits += 7) {
      const auto byte = static_cast<unsigned char>(take(from, 1)[0]);
      number |= std::uint64_t{byte & 0x7fu} << bits;
      if (byte < 0x80) return number;
    }
    throw Failure("the record of the profile is damaged: a number has more than 64 bits");
  }
  template <class List>
  static std::string entry(const List& list, std::size_t number) {
    return number == 0 || number > list.size() ? std::string() : list[number - 1];
  }

  void addCall(ProfiledThread& thread, std::string_view& from) {
    const std::uint64_t flags = takeOne(from);
    const std::uint64_t number = takeOne(from);
    const EntryPoint& entryPoint = entryPoints_.at(number);
    ProfiledCall& call = thread.calls.emplace_back();
    call.name = entryPoint.name;
    call.begin = lastBegin_ = profile::valueOf(takeOne(from), lastBegin_);
    call.inside = takeOne(from);
    call.end = call.begin + call.inside;
    if (flags & profile::failedCall) call.error = static_cast<int>(profile::valueOf(takeOne(from), 0));
    if (flags & profile::hasPlace) call.place = entry(places_, takeOne(from));
    if (flags & profile::isRepeated) {
      call.count = takeOne(from);
      call.inside = takeOne(from);
    }
    std::string& last = lastArguments_[number];
    const bool isSame = flags & profile::sameArguments;
    if (!isSame) last.clear();
    for (std::uint64_t i = 0, count = isSame ? 0 : takeOne(from); i < count; ++i) {
      const std::uint64_t bits = takeOne(from);
      if (i >= entryPoint.parameters.size() || entryPoint.parameters[i] == "errcode_ret") continue;
      if (!last.empty()) last += ", ";
      last += entryPoint.parameters[i];
      last += '=';
      addValue(last, i < entryPoint.kinds.size() ? entryPoint.kinds[i] : std::string("number"), bits);
    }
    call.arguments = last;
  }

  void addValue(std::string& to, const std::string& kind, std::uint64_t bits) {
    if (kind == "number")
      to += std::to_string(bits);
    else if (kind == "signed")
      to += std::to_string(static_cast<std::int64_t>(bits));
    else if (kind == "text")
      to += bits == 0 ? "null" : '\'' + entry(texts_, bits) + '\'';
    else if (bits == 0)
      to += "null";
    else if (kind == "pointer")
      to += fmt::format("{:#x}", bits);
    else
      to += fmt::format("{} {}", kind, objects_[kind].try_emplace(bits, objects_[kind].size() + 1).first->second);
  }

  void takeShape(std::string_view& from) {
    shape_.queue = takeOne(from);
    for (std::uint64_t& size : shape_.global) size = takeOne(from);
    for (std::uint64_t& size : shape_.local) size = takeOne(from);
    shape_.bytes = takeOne(from);
    shape_.kernel = static_cast<std::uint32_t>(takeOne(from));
    shape_.entryPoint = static_cast<std::uint16_t>(takeOne(from));
    shape_.dimensions = static_cast<std::uint8_t>(takeOne(from));
    shape_.isBlocking = takeOne(from) != 0;
  }

  void addCommand(std::string_view& from) {
    const std::uint64_t flags = takeOne(from);
    ProfiledCommand& command = process_.commands.emplace_back();
    command.thread = process_.threads.size() - 1;
    command.call = lastCall_ = profile::valueOf(takeOne(from), lastCall_);
    command.queued = lastQueued_ = profile::valueOf(takeOne(from), lastQueued_);
    command.submitted = profile::valueOf(takeOne(from), command.queued);
    command.started = profile::valueOf(takeOne(from), command.submitted);
    command.ended = profile::valueOf(takeOne(from), command.started);
    command.status = flags & profile::hasStatus ? static_cast<int>(profile::valueOf(takeOne(from), 0)) : 0;
    if (flags & profile::hasShape) takeShape(from);
    command.name = entryPoints_.at(shape_.entryPoint).name;
    command.kernel = entry(kernels_, shape_.kernel);
    const auto queue = queues_.find(shape_.queue);
    command.queue = queue == queues_.end() ? 0 : queue->second;
    command.dimensions = shape_.dimensions;
    command.global = shape_.global;
    command.local = shape_.local;
    command.bytes = shape_.bytes;
    command.isBlocking = shape_.isBlocking;
    for (std::uint64_t i = 0, count = flags & profile::hasWaits ? takeOne(from) : 0; i < count; ++i) {
      const std::uint64_t thread = takeOne(from), number = takeOne(from);
      command.after.push_back((thread << 32) | number);
    }
  }

  void addWorker(std::uint64_t id, std::string_view from) {
    ProfiledWorker& worker = process_.workers.emplace_back();
    worker.id = id;
    for (std::uint64_t lastEnd = 0; !from.empty();) {
      ProfiledSpan& span = worker.spans.emplace_back();
      span.begin = profile::valueOf(takeOne(from), lastEnd);
      span.end = lastEnd = span.begin + takeOne(from);
      span.first = takeOne(from);
      span.count = takeOne(from);
      span.all = takeOne(from);
      span.kernel = entry(kernels_, takeOne(from));
    }
    std::ranges::sort(worker.spans, {}, &ProfiledSpan::begin);
  }

  /// By the time at which they were enqueued, from all threads.
  void sortCommands() {
    if (process_.threads.size() < 2) return;
    std::vector<std::size_t> order(process_.commands.size()), place(order.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto enqueued = [&](std::size_t i) {
      const ProfiledCommand& it = process_.commands[i];
      return it.call < process_.threads[it.thread].calls.size() ? process_.threads[it.thread].calls[it.call].begin
                                                                : it.queued;
    };
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(enqueued(i), i); });
    std::vector<ProfiledCommand> sorted;
    sorted.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      sorted.push_back(std::move(process_.commands[order[i]]));
    }
    for (ProfiledCommand& command : sorted)
      for (std::size_t& earlier : command.after) earlier = place[earlier];
    process_.commands = std::move(sorted);
  }

  ProfiledProcess& process_;
  const RecordJson& head_;
  std::string_view bytes_;
  std::unordered_map<std::size_t, EntryPoint> entryPoints_;
  std::vector<std::string> texts_, places_, kernels_;
  std::unordered_map<std::uint64_t, std::size_t> queues_;
  std::unordered_map<std::size_t, std::string> lastArguments_;   ///< a thread's last arguments, by entry point
  std::uint64_t lastBegin_ = 0, lastQueued_ = 0, lastCall_ = 0;  ///< a thread's last times
  profile::CommandShape shape_;
  std::map<std::string, std::unordered_map<std::uint64_t, std::size_t>> objects_;  ///< numbers, by kind
};

/// Calls and commands of the first version of records, which were JSON.
void addCallsAndCommands(ProfiledProcess& process, const RecordJson& json) {
  std::unordered_map<std::uint64_t, std::size_t> queues, threads;
  for (const RecordJson& each : json.at("queues")) {
    queues.emplace(each.at("id"), queues.size());
  }
  for (const RecordJson& each : json.at("threads")) {
    threads[each.at("id")] = process.threads.size();
    process.threads.push_back(threadOf(each));
  }
  for (const RecordJson& each : json.at("commands")) {
    ProfiledCommand& command = process.commands.emplace_back();
    command.name = each.at("name");
    if (const std::size_t kernel = each.at("kernel")) command.kernel = json.at("kernels").at(kernel - 1);
    command.thread = threads[each.at("thread")];
    command.call = each.at("call");
    command.queue = queues[each.at("queue")];
    command.dimensions = each.at("dims");
    command.global = each.at("global");
    command.local = each.at("local");
    command.bytes = each.at("bytes");
    command.status = each.at("status");
    command.isBlocking = each.at("blocking");
    const RecordJson& times = each.at("times");
    command.queued = times.at(0);
    command.submitted = times.at(1);
    command.started = times.at(2);
    command.ended = times.at(3);
    command.after = each.at("after").get<std::vector<std::size_t>>();
  }
}

constexpr std::string_view firstVersion = "profile 1", thisVersion = "profile 3";

ProfiledProcess processOf(const RecordJson& json, std::string_view bytes) {
  ProfiledProcess process;
  process.id = json.at("process");
  process.command = json.at("command");
  process.begin = json.at("begin");
  process.end = json.at("end");
  process.dropped = json.at("dropped");
  process.signal = json.value("signal", 0);
  process.status = json.value("status", 0);
  process.endsAtOnce = json.value("atOnce", false);
  for (const RecordJson& each : json.at("queues")) {
    const std::string device = each.at("device");
    // Older records have only the name of the device.
    const bool isOnGpu = each.value("gpu", device.find("NVIDIA") != std::string::npos);
    process.queues.push_back({device, each.at("outOfOrder"), isOnGpu});
  }
  if (json.at("clarity") == firstVersion)
    addCallsAndCommands(process, json);
  else
    BinaryReader(process, json, bytes).read();
  addEntries(process, json);
  for (const RecordJson& each : json.at("sources")) process.sources.push_back(each);
  for (const RecordJson& each : json.value("builds", RecordJson::array()))
    process.builds.push_back({each.at("source"), each.at("options")});
  addLines(process, json);
  return process;
}

}  // namespace

std::vector<ProfiledProcess> readRecord(std::string_view text) try {
  std::vector<ProfiledProcess> processes;
  const auto skipSpace = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
  for (skipSpace(); !text.empty(); skipSpace()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    RecordJson json = RecordJson::parse(text.substr(0, end), nullptr, false);
    if (json.is_object() && json.value("clarity", "") == thisVersion) {
      text.remove_prefix(end);
      const std::size_t bytes = json.at("bytes");
      if (bytes > text.size()) throw Failure("the record of the profile is cut off");
      processes.push_back(processOf(json, text.substr(0, bytes)));
      text.remove_prefix(bytes);
      continue;
    }
    std::istringstream stream{std::string(text)};
    stream >> json;
    if (!json.is_object() || json.value("clarity", "") != firstVersion)
      throw Failure("it is no record of this version of clarity profile");
    processes.push_back(processOf(json, {}));
    text.remove_prefix(stream.eof() ? text.size() : static_cast<std::size_t>(stream.tellg()));
  }
  return processes;
} catch (const RecordJson::exception& error) {
  throw Failure(fmt::format("the record of the profile cannot be read: {}", error.what()));
} catch (const std::out_of_range&) {
  throw Failure("the record of the profile cannot be read: it names an entry point that it does not list");
}

}  // namespace clarity::tools
