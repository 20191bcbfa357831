// SPDX-License-Identifier: Apache-2.0
// This file writes the first line of a process's part of a record.
#include "profile/compile_log.h"
#include "profile/entry_plan.h"
#include "profile/gpu_log.h"
#include "profile/kernel_counter.h"
#include "profile/records.h"
#include "profile/sampler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::profile {
namespace {

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

/// How the head calls a kind of argument.
std::string_view kindName(ValueKind kind) {
  switch (kind) {
    case ValueKind::Number: return "number";
    case ValueKind::Signed: return "signed";
    case ValueKind::Pointer: return "pointer";
    case ValueKind::Text: return "text";
    default: return check::className(kind);
  }
}

class Writer {
public:
  explicit Writer(const Record& record) : record_(record) {}

  std::string write() {
    out_ = fmt::format(R"({{"clarity":"profile 3","process":{},"command":{},"begin":{},"end":{},"dropped":{})",
                       ::getpid(), quoted(commandLine()), record_.begin, record_.end, record_.dropped);
    out_ += fmt::format(R"(,"signal":{},"status":{},"atOnce":{})", record_.ending.signal, record_.ending.status,
                        record_.ending.isAtOnce);
    texts("kernels", record_.kernels);
    texts("texts", record_.texts);
    texts("places", record_.places);
    list("queues", *record_.queues, [&](const QueueRecord& queue) {
      out_ += fmt::format(R"({{"id":{},"device":{},"outOfOrder":{},"gpu":{}}})", queue.handle, quoted(queue.device),
                          queue.isOutOfOrder, queue.isOnGpu);
    });
    addEntryPoints();
    addCompiles();
    const std::deque<CountRecord> counted = counts();
    list("counts", counted, [&](const CountRecord& each) { add(each); });
    addGpuLaunches();
    addStagedBytes();
    texts("sources", *record_.sources);
    list("builds", *record_.builds, [&](const BuildRecord& build) {
      out_ += fmt::format(R"({{"source":{},"options":{}}})", build.source, quoted(build.options));
    });
    addSamples();
    std::size_t bytes = 0;
    std::size_t number = 0;
    list("threads", record_.threads, [&](const ThreadLog* log) {
      const std::size_t calls = log->calls.bytes(), commands = record_.commands[number++].bytes();
      bytes += calls + commands;
      out_ += fmt::format(R"({{"id":{},"callBytes":{},"commandBytes":{}}})", log->thread, calls, commands);
    });
    list("workers", record_.workers, [&](const WorkerLog* log) {
      bytes += log->spans.bytes();
      out_ += fmt::format(R"({{"id":{},"bytes":{}}})", log->thread, log->spans.bytes());
    });
    return std::move(out_) + fmt::format(",\"bytes\":{}}}\n", bytes);
  }

private:
  template <class List, class Each>
  void list(std::string_view name, const List& entries, const Each& each) {
    out_ += fmt::format(",{}:[", quoted(name));
    bool first = true;
    for (const auto& entry : entries) {
      if (!std::exchange(first, false)) out_ += ',';
      each(entry);
    }
    out_ += ']';
  }

  void texts(std::string_view name, const std::vector<std::string>& all) {
    list(name, all, [&](const std::string& text) { out_ += quoted(text); });
  }

  /// Those that were called, and what their arguments are.
  void addEntryPoints() {
    std::map<std::size_t, const EntryUse*> called;
    for (const ThreadLog* const log : record_.threads)
      for (std::size_t i = 0; i < log->uses.size(); ++i)
        if (log->uses[i].isKnown) called[i] = &log->uses[i];
    const std::vector<EntryPlan>& plans = entryPlans();
    list("entryPoints", called, [&](const std::pair<const std::size_t, const EntryUse*>& each) {
      const check::CallInfo& info = *plans[each.first].info;
      out_ += fmt::format(R"({{"id":{},"name":{})", each.first, quoted(info.name));
      list("parameters", info.parameters, [&](std::string_view parameter) { out_ += quoted(parameter); });
      const std::span kinds(each.second->kinds.data(), each.second->count);
      list("kinds", kinds, [&](ValueKind kind) { out_ += quoted(kindName(kind)); });
      out_ += '}';
    });
  }

  void addCompiles() {
    const std::deque<CompileRecord> all = compiles();
    list("compiles", all, [&](const CompileRecord& compile) {
      out_ +=
          fmt::format(R"({{"what":{},"name":{},"thread":{},"begin":{},"end":{},"cached":{},"quick":{},"counted":{}}})",
                      quoted(compile.what), quoted(compile.name), compile.thread, compile.begin, compile.end,
                      compile.fromCache, compile.isQuick, compile.isCounted);
    });
  }

  void addGpuLaunches() {
    const std::vector<GpuRecord> all = gpuLaunches();
    list("gpuLaunches", all, [&](const GpuRecord& each) {
      out_ +=
          fmt::format(R"({{"kernel":{},"global":[{},{},{}],"local":[{},{},{}],"blocks":{},"threads":{},"registers":{},)"
                      R"("privateBytes":{},"sharedBytes":{},"together":{},"multiprocessors":{},"mostThreads":{}}})",
                      quoted(each.kernel), each.global[0], each.global[1], each.global[2], each.local[0], each.local[1],
                      each.local[2], each.blocks, each.threads, each.registers, each.privateBytes, each.sharedBytes,
                      each.together, each.multiprocessors, each.mostThreads);
    });
  }

  void addStagedBytes() { out_ += fmt::format(",\"stagedBytes\":{}", stagedBytes()); }

  void addSamples() {
    const Samples all = samples();
    out_ += fmt::format(",\"sampleTime\":{},\"samplesElsewhere\":{}", all.nanoseconds, all.elsewhere);
    list("samples", all.inKernels, [&](const std::pair<const Samples::Place, Samples::Counts>& each) {
      const auto& [kernel, file, line, function, callers] = each.first;
      out_ += fmt::format(R"({{"kernel":{},"file":{},"line":{},"function":{},"count":{},"denormals":{})",
                          quoted(kernel), quoted(file), line, quoted(function), each.second.all, each.second.denormal);
      list("callers", callers, [&](std::uint32_t caller) { out_ += std::to_string(caller); });
      out_ += '}';
    });
  }

  void add(const CountRecord& each) {
    const auto& [floats, doubles, halves, integers, read, written, local] = each.counts;
    out_ += fmt::format(
        R"({{"kernel":{},"global":[{},{},{}],"local":[{},{},{}],"begin":{},"end":{},"floats":{},"doubles":{},)"
        R"("halves":{},"integers":{},"read":{},"written":{},"localBytes":{},"activeLanes":{},"lanes":{},)"
        R"("buffers":{})",
        quoted(each.kernel), each.global[0], each.global[1], each.global[2], each.local[0], each.local[1],
        each.local[2], each.begin, each.end, floats, doubles, halves, integers, read, written, local, each.activeLanes,
        each.lanes, each.bufferBytes);
    list("lines", each.lines, [&](const device::ObservedLine& line) {
      out_ += fmt::format(
          R"({{"line":{},"executions":{},"instructions":{},"threadInstructions":{},"requests":{},"sectors":{},)"
          R"("leastSectors":{},"localRequests":{},"passes":{},"leastPasses":{}}})",
          line.line, line.executions, line.instructions, line.threadInstructions, line.requests, line.sectors,
          line.leastSectors, line.localRequests, line.passes, line.leastPasses);
    });
    out_ += '}';
  }

  const Record& record_;
  std::string out_;
};

}  // namespace

std::string headOf(const Record& record) { return Writer(record).write(); }

}  // namespace clarity::profile
