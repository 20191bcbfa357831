// SPDX-License-Identifier: Apache-2.0
// This file writes the page of a profile: profile_page.html with the data of one process.
#include "numbers.h"
#include "profile_advice.h"
#include "profile_gpu_lines.h"
#include "profile_output.h"
#include "profile_verdict.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

using PageJson = nlohmann::json;

constexpr std::string_view pageText =
#include "profile_page.inc"
    ;

/// Calls that the timeline has: the longest ones. A call takes some 25 bytes of the page, which is to stay small.
constexpr std::size_t mostCallsOfPage = 20'000;
constexpr std::size_t mostCommandsOfPage = 40'000;
/// Parts of launches that threads executed: the longest ones, too.
constexpr std::size_t mostSpansOfPage = 10'000;
constexpr std::size_t mostSources = 12, mostSourceBytes = 100'000;

/// Texts that occur often, each once.
class Texts {
public:
  std::size_t of(const std::string& text) {
    const auto [found, added] = numbers_.try_emplace(text, all.size());
    if (added) all.push_back(text);
    return found->second;
  }
  std::vector<std::string> all{""};

private:
  std::unordered_map<std::string, std::size_t> numbers_{{"", 0}};
};

class Page {
public:
  explicit Page(const ProfiledProcess& process) : process_(process), summary_(summaryOf(process)) {}

  std::string write() {
    PageJson data{{"command", process_.command},       {"time", process_.time()},
                  {"kernelTime", summary_.kernelTime}, {"transferTime", summary_.transferTime},
                  {"waitTime", summary_.waitTime},     {"compileTime", summary_.compileTime}};
    data["ending"] = process_.endingText();
    std::set<std::string> devices;
    for (const ProfiledQueue& queue : process_.queues) devices.insert(queue.device);
    data["devices"] = devices;
    data["queues"] = std::vector<int>(process_.queues.size(), 0);
    addSums(data);
    addThreads(data);
    addWorkers(data);
    addCommands(data);
    data["names"] = texts_.all;
    std::string page(pageText);
    constexpr std::string_view mark = "@DATA@";
    return page.replace(page.find(mark), mark.size(), escaped(data.dump()));
  }

private:
  /// Text that does not end the element of the page that it stands in.
  static std::string escaped(const std::string& json) {
    std::string result;
    for (const char c : json) {
      if (c == '<')
        result += "\\u003c";
      else
        result += c;
    }
    return result;
  }

  std::uint64_t at(std::uint64_t time) const { return time < process_.begin ? 0 : time - process_.begin; }

  static PageJson sumOf(const std::string& name, const Times& times) {
    return {{"name", name},         {"count", times.count()},   {"total", times.total},
            {"min", times.least()}, {"median", times.median()}, {"max", times.most()}};
  }

  static PageJson callsOf(const std::vector<CallSummary>& calls) {
    PageJson list = PageJson::array();
    for (const CallSummary& call : calls) {
      PageJson each = sumOf(call.name, call.times);
      each["errors"] = call.errors;
      list.push_back(std::move(each));
    }
    return list;
  }

  static PageJson partsOf(const Use& use) {
    PageJson parts = PageJson::array();
    for (const Use::Part& each : use.parts) parts.push_back({each.limit, each.part});
    return parts;
  }

  static PageJson machineOf(const std::string& gpu, const MachineLimits& machine) {
    PageJson limits{
        {"gpu", gpu}, {"stream", machine.stream}, {"fma", machine.fma}, {"double", machine.ceilings.doubles}};
    limits["caches"] = PageJson::array();
    for (const MachineCeilings::Cache& cache : machine.ceilings.caches)
      limits["caches"].push_back({fmt::format("L{}", cache.level), cache.rate});
    return limits;
  }

  void addCountedLines(PageJson& to, const KernelSummary& kernel) const {
    const CountedLines counted(process_, kernel);
    for (const CountedLines::Line& line : counted.lines)
      to["lines"].push_back({line.counts.line, line.cycles / counted.cycles, siText(line.counts.executions),
                             fmt::format("{:.1f}", line.counts.activeThreads),
                             unitsText(line.counts.sectors, line.counts.requests),
                             unitsText(line.counts.passes, line.counts.localRequests), line.text});
  }

  void addSums(PageJson& data) const {
    data["kernels"] = data["transfers"] = data["compiles"] = data["advice"] = PageJson::array();
    for (const KernelSummary& kernel : summary_.kernels) {
      PageJson each = sumOf(kernel.kernel, kernel.times);
      each["sizes"] = kernel.sizes();
      each["waiting"] = kernel.waits.median();
      each["gpu"] = kernel.gpu;
      if (const std::optional<Use> use = useOf(summary_, kernel))
        each["use"] = {{"bytes", kernel.work->bytes()},
                       {"operations", kernel.work->operations()},
                       {"byteRate", use->bytesPerSecond},
                       {"rate", use->operationsPerSecond},
                       {"parts", partsOf(*use)}};
      addCountedLines(each, kernel);
      each["bound"] = shortText(verdictOn(process_, summary_, kernel));
      data["kernels"].push_back(std::move(each));
    }
    for (const TransferSummary& transfer : summary_.transfers) {
      PageJson each = sumOf(transfer.name, transfer.times);
      each["bytes"] = transfer.bytes;
      each["blocking"] = transfer.blocking;
      data["transfers"].push_back(std::move(each));
    }
    for (const auto& [kind, compiles] : summary_.compiles) {
      PageJson each = sumOf(kind, compiles.times);
      each["cached"] = compiles.cached;
      data["compiles"].push_back(std::move(each));
    }
    data["machines"] = PageJson::array();
    for (const auto& [gpu, limits] : summary_.machines) data["machines"].push_back(machineOf(gpu, limits));
    data["parts"] = partsOfRun(process_);
    addSources(data);
    data["waits"] = callsOf(summary_.waits);
    data["calls"] = callsOf(summary_.calls);
    for (const Advice& each : adviceFor(process_, summary_))
      data["advice"].push_back({{"title", each.title},
                                {"place", each.place},
                                {"source", each.source},
                                {"evidence", each.evidence},
                                {"cure", each.cure},
                                {"gain", each.gain}});
  }

  /// The sources of kernels with the time of each line.
  void addSources(PageJson& data) const {
    data["sources"] = PageJson::array();
    std::map<std::string, PageJson> byKernel;
    for (const ProfiledLine& line : process_.lines) {
      PageJson& its = byKernel[line.kernel];
      if (its.is_null())
        its = {{"kernel", line.kernel}, {"file", line.file}, {"time", 0}, {"lines", PageJson::object()}};
      its["time"] = its["time"].get<std::uint64_t>() + line.time;
      if (line.line == 0 || line.file != its["file"].get<std::string>()) continue;
      if (!its.contains("text")) its["text"] = sourceOf(process_, line).substr(0, mostSourceBytes);
      PageJson& time = its["lines"][std::to_string(line.line)];
      time = (time.is_null() ? 0 : time.get<std::uint64_t>()) + line.time;
    }
    std::vector<PageJson> all;
    for (auto& [kernel, its] : byKernel) {
      if (const auto code = process_.codes.find(kernel); code != process_.codes.end())
        for (const auto& [line, remarks] : remarksByLine(code->second)) its["remarks"][std::to_string(line)] = remarks;
      all.push_back(std::move(its));
    }
    std::ranges::sort(all, std::greater{}, [](const PageJson& each) { return each["time"].get<std::uint64_t>(); });
    all.resize(std::min(all.size(), mostSources));
    data["sources"] = all;
  }

  /// Entries that are shorter are left out, so that no more than `most` are left; `left`: how many are.
  static std::uint64_t shortestOf(std::vector<std::uint64_t> times, std::size_t most, std::size_t& left) {
    left = times.size() - std::min(times.size(), most);
    if (left == 0) return 0;
    const auto place = times.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(times, place, std::greater{});
    return *place + 1;
  }

  void addThreads(PageJson& data) {
    std::vector<std::uint64_t> times;
    for (const ProfiledThread& thread : process_.threads)
      for (const ProfiledCall& call : thread.calls) times.push_back(call.time());
    std::size_t left = 0;
    const std::uint64_t shortest = shortestOf(std::move(times), mostCallsOfPage, left);
    data["left"] = left;
    data["threads"] = PageJson::array();
    for (const ProfiledThread& thread : process_.threads) {
      PageJson calls = PageJson::array();
      for (const ProfiledCall& call : thread.calls)
        if (call.time() >= shortest)
          calls.push_back({at(call.begin), call.time(), texts_.of(call.name), texts_.of(call.place)});
      data["threads"].push_back({{"id", thread.id}, {"calls", std::move(calls)}});
    }
    data["compileBars"] = PageJson::array();
    for (const ProfiledCompile& compile : process_.compiles)
      data["compileBars"].push_back(
          {at(compile.begin), compile.time(), texts_.of(titleOf(compile)), compile.isCached ? 1 : 0});
  }

  /// The parts of launches that each thread executed. `host`: the number of the host's thread that it is, from 1 on.
  void addWorkers(PageJson& data) {
    std::vector<std::uint64_t> times;
    for (const ProfiledWorker& worker : process_.workers)
      for (const ProfiledSpan& span : worker.spans) times.push_back(span.end - span.begin);
    std::size_t left = 0;
    const std::uint64_t shortest = shortestOf(std::move(times), mostSpansOfPage, left);
    data["workers"] = PageJson::array();
    for (const ProfiledWorker& worker : process_.workers) {
      PageJson spans = PageJson::array();
      for (const ProfiledSpan& span : worker.spans)
        if (span.end - span.begin >= shortest)
          spans.push_back(
              {at(span.begin), span.end - span.begin, texts_.of(span.kernel), span.first, span.count, span.all});
      const auto host = std::ranges::find(process_.threads, worker.id, &ProfiledThread::id);
      const auto number = host == process_.threads.end() ? 0 : host - process_.threads.begin() + 1;
      data["workers"].push_back({{"id", worker.id}, {"host", number}, {"spans", std::move(spans)}});
    }
  }

  void addCommands(PageJson& data) {
    data["commands"] = PageJson::array();
    for (const ProfiledCommand& command : process_.commands) {
      if (!command.hasEnded() || data["commands"].size() >= mostCommandsOfPage) continue;
      std::string sizes;
      if (!command.kernel.empty()) {
        KernelSummary launch;
        launch.dimensions = command.dimensions;
        launch.global = command.global;
        launch.local = command.local;
        sizes = launch.sizes();
      }
      data["commands"].push_back(
          {command.queue, texts_.of(command.kernel.empty() ? command.name.substr(9) : command.kernel),
           at(command.queued), at(command.started), at(command.ended), command.bytes, texts_.of(sizes)});
    }
  }

  const ProfiledProcess& process_;
  const ProfileSummary summary_;
  Texts texts_;
};

}  // namespace

std::string profilePage(const std::vector<ProfiledProcess>& processes) {
  const auto most = std::ranges::max_element(
      processes, {}, [](const ProfiledProcess& process) { return std::pair(process.commands.size(), process.time()); });
  return most == processes.end() ? std::string() : Page(*most).write();
}

}  // namespace clarity::tools
