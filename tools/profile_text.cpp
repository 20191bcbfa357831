// SPDX-License-Identifier: Apache-2.0
// This file shows a profile as tables on a terminal.
#include "numbers.h"
#include "profile_advice.h"
#include "profile_gpu.h"
#include "profile_gpu_lines.h"
#include "profile_output.h"
#include "profile_verdict.h"
#include "screen.h"
#include "table.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {
namespace {

/// The rows of a list that are shown; the others are counted.
constexpr std::size_t mostRows = 12;

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::string() : percentText(static_cast<double>(part) / static_cast<double>(whole));
}

double ratePerSecond(std::uint64_t amount, std::uint64_t nanoseconds) {
  return nanoseconds == 0 ? 0 : static_cast<double>(amount) * 1e9 / static_cast<double>(nanoseconds);
}

class ProfileTables {
public:
  ProfileTables(const ProfiledProcess& process, std::size_t columns, bool colour)
      : process_(process), summary_(summaryOf(process)), columns_(columns), colour_(colour) {}

  std::string all() {
    head();
    kernels();
    lines();
    gpuLines();
    text_ += annotatedSource(process_, columns_, colour_);
    transfers();
    waits();
    workers();
    compiles();
    calls();
    advice();
    return std::move(text_);
  }

private:
  void head() {
    std::size_t calls = 0;
    for (const ProfiledThread& thread : process_.threads)
      for (const ProfiledCall& call : thread.calls) calls += call.count;
    text_ += wrapped(
        fmt::format("{}\n{} with the driver; {} API calls, {} commands\n", shortened(process_.command, 4 * columns_),
                    nanosecondsText(process_.time()), calls, process_.commands.size()),
        columns_);
    if (const std::string ending = process_.endingText(); !ending.empty()) text_ += wrapped(ending, columns_) + "\n";
    text_ += wrapped(partsText(), columns_) + "\n";
    if (process_.dropped > 0) text_ += fmt::format("{} calls more were not kept\n", process_.dropped);
  }

  std::string partsText() const {
    std::string text;
    for (const auto& [name, part] : partsOfRun(process_))
      if (part >= leastPercent)
        text += fmt::format("{}{} {}", text.empty() ? "Bound by " : ", ",
                            name == "counting" ? "counting (for the profile)" : name, percentText(part));
    return text;
  }

  /// `total`: the sum of the times in the table, which is more than the run's where several ran at once.
  void section(const std::string& title, const Table& table, std::uint64_t total = 0) {
    text_ += fmt::format("\n{}\n{}", wrapped(title, columns_), table.text(colour_, columns_));
    if (total > process_.time() && process_.time() > 0)
      text_ += wrapped(fmt::format("Some ran at the same time: all shares together are {:.0f} % of the run",
                                   100 * static_cast<double>(total) / static_cast<double>(process_.time())),
                       columns_) +
               "\n";
  }

  template <class Summaries>
  static std::uint64_t totalOf(const Summaries& summaries) {
    std::uint64_t total = 0;
    for (const auto& each : summaries) total += each.times.total;
    return total;
  }

  void more(Table& table, std::size_t all) {
    if (all > mostRows) table.addRow({Table::Cell(fmt::format("{} more", all - mostRows), Table::Mark::Faint)});
  }

  void kernels() {
    if (summary_.kernels.empty()) return;
    Table table;
    table.addColumn("kernel", "global / local", Table::Align::Left);
    for (const char* heading : {"launches", "total", "share", "min", "median", "max", "waiting"})
      table.addColumn(heading);
    for (std::size_t i = 0; i < std::min(summary_.kernels.size(), mostRows); ++i) {
      const KernelSummary& kernel = summary_.kernels[i];
      table.addRow({shortened(kernel.kernel, 18), std::to_string(kernel.times.count()),
                    nanosecondsText(kernel.times.total), share(kernel.times.total, process_.time()),
                    nanosecondsText(kernel.times.least()), nanosecondsText(kernel.times.median()),
                    nanosecondsText(kernel.times.most()), nanosecondsText(kernel.waits.median())});
      table.addRow({Table::Cell(shortened("  " + kernel.sizes(), 22), Table::Mark::Faint)});
      // Launches of other sizes may have nothing else to say.
      if (const std::string use = useText(kernel); uses_.find(use) == uses_.npos) uses_ += use;
    }
    more(table, summary_.kernels.size());
    section("Kernels, by time; waiting: from enqueuing to the start, median", table, summary_.kernelTime);
    if (uses_.empty()) return;
    const bool isCounted =
        std::ranges::any_of(summary_.kernels, [](const KernelSummary& each) { return each.work.has_value(); });
    text_ += "\n" +
             wrapped(isCounted ? "What bounds them; their work is counted in one launch of those launched again"
                               : "What bounds them",
                     columns_) +
             "\n";
    for (const auto& [gpu, limits] : summary_.machines)
      text_ += wrapped(machineText(gpu.empty() ? "The machine" : gpu, limits), columns_) + "\n";
    text_ += uses_;
  }

  static std::string machineText(const std::string& name, const MachineLimits& machine) {
    std::string text = name + ":";
    for (const MachineCeilings::Cache& cache : machine.ceilings.caches)
      text += fmt::format(" L{} {},", cache.level, siText(cache.rate, "B/s"));
    text +=
        fmt::format(" memory {}; multiply-adds{}: float {}", siText(machine.stream, "B/s"),
                    machine.fmaBy.empty() ? "" : fmt::format(" ({})", machine.fmaBy), siText(machine.fma, "FLOP/s"));
    const std::pair<const char*, double> types[] = {
        {"double", machine.ceilings.doubles}, {"half", machine.ceilings.halves}, {"int", machine.ceilings.integers}};
    for (const auto& [type, rate] : types)
      if (rate != 0) text += fmt::format(", {} {}", type, siText(rate));
    return text;
  }

  std::string useText(const KernelSummary& kernel) const {
    const Verdict verdict = verdictOn(process_, summary_, kernel);
    std::vector<std::string> facts;
    const std::optional<Use> use = useOf(summary_, kernel);
    if (use && kernel.work->bytes() + kernel.work->operations() > 0) {
      const std::pair<double, const char*> amounts[] = {{kernel.work->bytes(), "B"},
                                                        {kernel.work->operations(), "FLOP"}};
      facts.push_back(amountsText(amounts, " a launch") + ", ");
      const std::pair<double, const char*> rates[] = {{use->bytesPerSecond, "B/s"},
                                                      {use->operationsPerSecond, "FLOP/s"}};
      facts.back() += amountsText(rates, "");
      std::string parts;
      for (const Use::Part& each : use->parts)
        if (each.part >= leastPercent)
          parts += fmt::format("{} {} {}", parts.empty() ? "of" : ",", each.limit, percentText(each.part));
      if (!parts.empty()) facts.push_back(std::move(parts));
      // The second one was counted.
      if (kernel.times.count() == 1) facts.emplace_back("in the first launch, which takes longer than later ones");
    }
    if (const ProfiledGpuLaunch* const launch = gpuLaunchOf(process_, kernel)) facts.push_back(textOf(*launch));
    if (std::string bound = longText(verdict, launchTimeOf(kernel.kernel)); !bound.empty())
      facts.push_back(std::move(bound));
    if (facts.empty()) return {};
    return wrapped(fmt::format("{}: {}", shortened(kernel.kernel, 24), fmt::join(facts, "; ")), columns_) + "\n";
  }

  /// "12.3 MB and 4.56 GFLOP", without what is none of, and the rest.
  static std::string amountsText(std::span<const std::pair<double, const char*>> amounts, const char* rest) {
    std::string text;
    for (const auto& [amount, unit] : amounts)
      if (amount > 0) text += (text.empty() ? "" : " and ") + siText(amount, unit);
    return text + rest;
  }

  /// The time of all launches of a kernel, whatever their sizes.
  std::uint64_t launchTimeOf(const std::string& name) const {
    const auto its = summary_.ofKernels.find(name);
    return its == summary_.ofKernels.end() ? 0 : its->second.launches;
  }

  void lines() {
    if (process_.lines.empty()) return;
    const std::uint64_t all = process_.sampledTime();
    Table table;
    table.addColumn("share");
    table.addColumn("line", "", Table::Align::Left);
    table.addColumn("source", "", Table::Align::Left);
    for (std::size_t i = 0; i < std::min(process_.lines.size(), mostRows); ++i) {
      const ProfiledLine& line = process_.lines[i];
      const std::string place = line.line == 0 ? "(no line)" : fmt::format("{}:{}", fileName(line.file), line.line);
      table.addRow({share(line.time, all), shortened(line.kernel, 16) + " " + shortened(place, 20),
                    shortened(line.text, columns_ > 48 ? columns_ - 48 : 8)});
    }
    section(fmt::format("Lines of kernels, of {} processor time in kernels, sampled", nanosecondsText(all)), table);
  }

  /// The lines of kernels that were counted on a GPU.
  void gpuLines() {
    for (std::size_t i = 0; i < std::min(summary_.kernels.size(), mostRows); ++i) {
      const KernelSummary& kernel = summary_.kernels[i];
      const CountedLines counted(process_, kernel);
      if (counted.lines.empty()) continue;
      Table table;
      table.addColumn("line");
      for (const char* heading : {"cycles", "executed", "threads", "sectors", "passes"}) table.addColumn(heading);
      table.addColumn("source", "", Table::Align::Left);
      for (std::size_t n = 0; n < std::min(counted.lines.size(), mostRows); ++n) {
        const ProfiledCountedLine& its = counted.lines[n].counts;
        table.addRow({std::to_string(its.line), percentText(counted.lines[n].cycles / counted.cycles),
                      siText(its.executions), its.instructions == 0 ? "" : fmt::format("{:.1f}", its.activeThreads),
                      unitsText(its.sectors, its.requests), unitsText(its.passes, its.localRequests),
                      shortened(counted.lines[n].text, columns_ > 56 ? columns_ - 56 : 8)});
      }
      section(fmt::format("Lines of '{}' ({}), counted on the GPU: executions by warps, active threads of a warp, "
                          "sectors and passes of a request; cycles: estimated of these",
                          shortened(kernel.kernel, 24), kernel.sizes()),
              table);
    }
  }

  static std::string fileName(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

  void transfers() {
    if (summary_.transfers.empty()) return;
    Table table;
    table.addColumn("transfers", "", Table::Align::Left);
    for (const char* heading : {"count", "blocking", "bytes", "total", "share", "rate"}) table.addColumn(heading);
    for (const TransferSummary& each : summary_.transfers)
      table.addRow({each.name, std::to_string(each.times.count()), std::to_string(each.blocking),
                    siText(static_cast<double>(each.bytes), "B"), nanosecondsText(each.times.total),
                    share(each.times.total, process_.time()),
                    each.times.total == 0 ? "" : siText(ratePerSecond(each.bytes, each.times.total), "B/s")});
    section("Transfers and fills", table, summary_.transferTime);
  }

  void waits() {
    if (summary_.waits.empty()) return;
    section("Waits of the host for commands", callTable(summary_.waits), summary_.waitTime);
  }

  /// The work of each thread of the device. A host's thread executes kernels while it waits for them.
  void workers() {
    Table table;
    table.addColumn("thread", "", Table::Align::Left);
    for (const char* heading : {"parts of launches", "total", "share", "max"}) table.addColumn(heading);
    std::size_t threads = 0;
    std::uint64_t total = 0;
    for (const ProfiledWorker& worker : process_.workers) {
      Times times;
      for (const ProfiledSpan& span : worker.spans) times.add(span.end - span.begin);
      total += times.total;
      if (times.count() == 0 || ++threads > mostRows) continue;
      const bool isHost = std::ranges::find(process_.threads, worker.id, &ProfiledThread::id) != process_.threads.end();
      table.addRow({Table::Cell(fmt::format("{} {}", isHost ? "host thread" : "worker", worker.id)),
                    Table::Cell(std::to_string(times.count())), Table::Cell(nanosecondsText(times.total)),
                    Table::Cell(share(times.total, process_.time())), Table::Cell(nanosecondsText(times.most()))});
    }
    if (threads < 2) return;
    more(table, threads);
    section("Threads that execute kernels", table, total);
  }

  void compiles() {
    if (summary_.compiles.empty()) return;
    Table table;
    table.addColumn("compiles", "", Table::Align::Left);
    for (const char* heading : {"count", "cached", "total", "share", "max"}) table.addColumn(heading);
    const std::pair<const char*, const char*> kinds[] = {{"build", "clBuildProgram: source to kernel IR"},
                                                         {"compile", "clCompileProgram"},
                                                         {"link", "clLinkProgram"},
                                                         {"code", "kernels, for their sizes"},
                                                         {"machine code", "kernels, by the GPU's driver"},
                                                         {CompileSummary::ofProfile, "counted code, for the profile"}};
    std::uint64_t total = 0;
    for (const auto& [kind, title] : kinds) {
      const auto found = summary_.compiles.find(kind);
      if (found == summary_.compiles.end()) continue;
      const CompileSummary& its = found->second;
      total += its.times.total;
      table.addRow({title, std::to_string(its.times.count()), std::to_string(its.cached),
                    nanosecondsText(its.times.total), share(its.times.total, process_.time()),
                    nanosecondsText(its.times.most())});
    }
    section("Compiles; cached: found on disk", table, total);
  }

  void calls() { section("API calls", callTable(summary_.calls), totalOf(summary_.calls)); }

  Table callTable(const std::vector<CallSummary>& calls) {
    Table table;
    table.addColumn("call", "", Table::Align::Left);
    const bool anyErrors = std::ranges::any_of(calls, [](const CallSummary& call) { return call.errors != 0; });
    for (const char* heading : {"count", "total", "share", "median", "max"}) table.addColumn(heading);
    if (anyErrors) table.addColumn("errors");
    for (std::size_t i = 0; i < std::min(calls.size(), mostRows); ++i) {
      const CallSummary& call = calls[i];
      std::vector<Table::Cell> row{shortened(call.name, anyErrors ? 28 : 34), std::to_string(call.times.count()),
                                   nanosecondsText(call.times.total),         share(call.times.total, process_.time()),
                                   nanosecondsText(call.times.median()),      nanosecondsText(call.times.most())};
      if (anyErrors) row.emplace_back(call.errors == 0 ? std::string() : std::to_string(call.errors));
      table.addRow(std::move(row));
    }
    more(table, calls.size());
    return table;
  }

  void advice() {
    const std::vector<Advice> found = adviceFor(process_, summary_);
    if (found.empty()) return;
    text_ += "\nAdvice\n";
    std::size_t number = 0;
    for (const Advice& each : found) {
      text_ += wrapped(fmt::format("{}. {}{}; at most {} ({}) to gain", ++number, each.title,
                                   each.place.empty() ? "" : " at " + each.place, nanosecondsText(each.gain),
                                   share(each.gain, process_.time())),
                       columns_) +
               "\n";
      if (!each.source.empty()) text_ += shortened("   | " + each.source, columns_) + "\n";
      text_ += wrapped("   " + each.evidence, columns_) + "\n" + wrapped("   " + each.cure, columns_) + "\n";
    }
  }

  const ProfiledProcess& process_;
  const ProfileSummary summary_;
  const std::size_t columns_;
  const bool colour_;
  std::string text_, uses_;
};

}  // namespace

std::string profileText(const ProfiledProcess& process, std::size_t columns, bool colour) {
  return ProfileTables(process, columns, colour).all();
}

}  // namespace clarity::tools
