// SPDX-License-Identifier: Apache-2.0
// This file writes the record of a process as JSON, by hand: there may be millions of entries.
#include "check/host/host_python.h"
#include "profile/compile_log.h"
#include "profile/kernel_counter.h"
#include "profile/records.h"
#include "profile/sampler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace clarity::profile {
namespace {

using check::Value;
using check::ValueKind;

/// The bytes of the character of UTF-8 at the beginning of a text; 0: it is none.
std::size_t characterAt(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (bytes == 0 || bytes > text.size() || first > 0xf4) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return bytes;
}

/// A JSON string. Bytes that are no UTF-8 become question marks.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t bytes = characterAt(text);
    const char c = text[0];
    if (bytes == 0)
      result += '?';
    else if (bytes == 1 && static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else if (c == '"' || c == '\\')
      result += {'\\', c};
    else
      result += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result + '"';
}

/// The process's command line.
std::string commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (text.ends_with('\0')) text.pop_back();
  for (char& c : text)
    if (c == '\0') c = ' ';
  return text;
}

/// Objects by short names: "buffer 2".
class Names {
public:
  std::string of(const Value& value) {
    auto& known = numbers_[value.kind];
    const auto [found, added] = known.try_emplace(value.bits, known.size() + 1);
    return fmt::format("{} {}", check::className(value.kind), found->second);
  }

private:
  std::map<ValueKind, std::map<std::uint64_t, std::size_t>> numbers_;
};

class Writer {
public:
  explicit Writer(const Record& record) : record_(record) {}

  std::string write() {
    out_ = fmt::format(R"({{"clarity":"profile 1","process":{},"command":{},"begin":{},"end":{},"dropped":{})",
                       ::getpid(), quoted(commandLine()), record_.begin, record_.end, record_.dropped);
    list("kernels", *record_.kernels, [&](const std::string& name) { out_ += quoted(name); });
    list("queues", *record_.queues, [&](const QueueRecord& queue) {
      out_ += fmt::format(R"({{"id":{},"device":{},"outOfOrder":{}}})", queue.handle, quoted(queue.device),
                          queue.isOutOfOrder);
    });
    list("threads", *record_.threads, [&](ThreadLog& log) { thread(log); });
    list("commands", *record_.commands, [&](const CommandRecord& command) { add(command); });
    const std::deque<CompileRecord> all = compiles();
    list("compiles", all, [&](const CompileRecord& compile) {
      out_ += fmt::format(R"({{"what":{},"name":{},"thread":{},"begin":{},"end":{},"cached":{},"quick":{}}})",
                          quoted(compile.what), quoted(compile.name), compile.thread, compile.begin, compile.end,
                          compile.fromCache, compile.isQuick);
    });
    const std::deque<CountRecord> counted = counts();
    list("counts", counted, [&](const CountRecord& each) { add(each); });
    list("sources", *record_.sources, [&](const std::string& source) { out_ += quoted(source); });
    list("builds", *record_.builds, [&](const BuildRecord& build) {
      out_ += fmt::format(R"({{"source":{},"options":{}}})", build.source, quoted(build.options));
    });
    addSamples();
    return std::move(out_) + "}";
  }

private:
  template <class List, class Each>
  void list(std::string_view name, List& entries, const Each& each) {
    out_ += fmt::format(",\n{}:[", quoted(name));
    bool first = true;
    for (auto& entry : entries) {
      if (!std::exchange(first, false)) out_ += ",\n";
      each(entry);
    }
    out_ += ']';
  }

  void thread(ThreadLog& log) {
    const std::lock_guard lock(log.mutex);
    out_ += fmt::format(R"({{"id":{})", log.thread);
    list("calls", log.calls, [&](const CallRecord& call) { add(call, log); });
    out_ += '}';
  }

  void add(const CallRecord& call, const ThreadLog& log) {
    out_ += fmt::format(R"({{"name":{},"begin":{},"end":{},"error":{})", quoted(call.info->name), call.begin, call.end,
                        call.error);
    std::string arguments;
    for (std::size_t i = 0; i < call.info->parameters.size(); ++i) {
      const std::string_view name = call.info->parameters[i];
      if (name == "errcode_ret") continue;
      arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", name,
                               textOf(log.arguments[call.firstArgument + i], log));
    }
    out_ += fmt::format(R"(,"args":{})", quoted(arguments));
    if (const compiler::Site* const site = call.python ? check::pythonSite(call.python) : nullptr)
      out_ += fmt::format(R"(,"at":{})", quoted(fmt::format("{}:{}", site->file, site->line)));
    out_ += '}';
  }

  std::string textOf(const Value& value, const ThreadLog& log) {
    if (value.kind == ValueKind::Text) return fmt::format("'{}'", log.texts[value.bits]);
    if (value.kind == ValueKind::Signed) return fmt::format("{}", static_cast<std::int64_t>(value.bits));
    if (value.kind == ValueKind::Number) return fmt::format("{}", value.bits);
    if (value.bits == 0) return "null";
    return check::isHandle(value.kind) ? names_.of(value) : fmt::format("{:#x}", value.bits);
  }

  void add(const CommandRecord& command) {
    out_ += fmt::format(
        R"({{"name":{},"thread":{},"call":{},"queue":{},"kernel":{},"global":[{},{},{}],"local":[{},{},{}],"dims":{},)"
        R"("bytes":{},"status":{},"blocking":{},"times":[{},{},{},{}],"after":[)",
        quoted(command.info->name), command.thread, command.call, command.queue, command.kernel, command.global[0],
        command.global[1], command.global[2], command.local[0], command.local[1], command.local[2], command.dimensions,
        command.bytes, command.status, command.isBlocking, command.times.queued, command.times.submitted,
        command.times.started, command.times.ended);
    for (std::size_t i = 0; i < command.after.size(); ++i)
      out_ += fmt::format("{}{}", i == 0 ? "" : ",", command.after[i]);
    out_ += "]}";
  }

  void addSamples() {
    const Samples all = samples();
    out_ += fmt::format(",\n\"sampleTime\":{},\"samplesElsewhere\":{}", all.nanoseconds, all.elsewhere);
    list("samples", all.inKernels, [&](const std::pair<const Samples::Place, std::uint64_t>& each) {
      const auto& [kernel, file, line, function] = each.first;
      out_ += fmt::format(R"({{"kernel":{},"file":{},"line":{},"function":{},"count":{}}})", quoted(kernel),
                          quoted(file), line, quoted(function), each.second);
    });
  }

  void add(const CountRecord& each) {
    const auto& [floats, doubles, read, written, local] = each.counts;
    out_ += fmt::format(
        R"({{"kernel":{},"global":[{},{},{}],"local":[{},{},{}],"begin":{},"end":{},"floats":{},"doubles":{},)"
        R"("read":{},"written":{},"localBytes":{},"activeLanes":{},"lanes":{},"buffers":{}}})",
        quoted(each.kernel), each.global[0], each.global[1], each.global[2], each.local[0], each.local[1],
        each.local[2], each.begin, each.end, floats, doubles, read, written, local, each.activeLanes, each.lanes,
        each.bufferBytes);
  }

  const Record& record_;
  Names names_;
  std::string out_;
};

}  // namespace

std::string jsonOf(const Record& record) { return Writer(record).write(); }

}  // namespace clarity::profile
