// SPDX-License-Identifier: Apache-2.0
// This file joins what is known about the kernels of a run, and asks every rule.
#include "profile_kernel_advice.h"
#include "pattern.h"

#include "kernel_code.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

/// Kernels that take less of the time of all kernels are not looked at, nor more than so many.
constexpr double leastOfKernels = 0.05;
constexpr std::size_t mostKernels = 6;
/// A finding must be able to save this part of the time of all kernels, and of the run.
constexpr double leastShareOfKernels = 0.08, leastShareOfRun = 0.01;

/// The build of the program that has a kernel: the last one.
const ProfiledBuild* buildOf(const ProfiledProcess& process, const std::string& kernel) {
  for (auto build = process.builds.rbegin(); build != process.builds.rend(); ++build)
    if (build->source < process.sources.size() && KernelSource(process.sources[build->source], kernel).isKnown())
      return &*build;
  return nullptr;
}

/// The summaries of a kernel, the one that took the most time first.
std::map<std::string, std::vector<const KernelSummary*>> byKernel(const ProfileSummary& summary) {
  std::map<std::string, std::vector<const KernelSummary*>> all;
  for (const KernelSummary& each : summary.kernels) all[each.kernel].push_back(&each);
  return all;
}

std::uint64_t timeOf(const std::vector<const KernelSummary*>& launches) {
  std::uint64_t time = 0;
  for (const KernelSummary* const each : launches) time += each->times.total;
  return time;
}

void addShares(KernelFacts& facts) {
  std::uint64_t all = 0;
  for (const ProfiledLine& line : facts.process.lines)
    if (line.kernel == facts.code.kernel) all += line.time;
  facts.file = fileOf(facts.process, facts.source, facts.code.kernel);
  facts.milliseconds = static_cast<double>(all) * 1e-6;
  for (const ProfiledSample& sample : facts.process.samples) {
    if (sample.kernel != facts.code.kernel || sample.file != facts.file || sample.lines[0] == 0) continue;
    KernelFacts::Sampled sampled{.lines = {sample.lines.begin(), sample.lines.end()},
                                 .share = static_cast<double>(sample.time) / static_cast<double>(all),
                                 .denormal = static_cast<double>(sample.denormalTime) / static_cast<double>(all)};
    for (const unsigned each : std::set<unsigned>(sampled.lines.begin(), sampled.lines.end()))
      facts.shares[each] += sampled.share;
    facts.samples.push_back(std::move(sampled));
  }
}

constexpr KernelRule* kernelRules[] = {
    adviseOnAccesses, adviseOnArraysOfItems, adviseOnSumsInMemory, adviseOnSharedLines, adviseOnBranches,
    adviseOnLoops,    adviseOnAtomics,       adviseOnSingleItems,  adviseOnGroups,      adviseOnBarriers,
    adviseOnSpills,   adviseOnDoubles,       adviseOnDivisions,    adviseOnPowers,      adviseOnFunctions,
    adviseOnImages,   adviseOnDenormals,     adviseOnImbalance,    adviseOnSameWork};

}  // namespace

double KernelFacts::share(unsigned first, unsigned last) const {
  double sum = 0;
  for (const Sampled& each : samples)
    if (std::ranges::any_of(each.lines, [&](unsigned line) { return line >= first && line <= last; }))
      sum += each.share;
  return sum;
}

double KernelFacts::certain(double share) const {
  constexpr double tick = 4;  // milliseconds between samples where threads have timers and no perf_event_open
  const double count = std::max(milliseconds / tick, 1.0);
  return share - std::sqrt(std::max(share * (1 - share), 0.0) / count);
}

double KernelFacts::weight(unsigned line) const {
  constexpr double ofLoop = 0.35, least = 0.04;
  constexpr unsigned shortBranch = 3;
  double own = share(line, line);
  // The one statement of a branch: a mask is computed in the branch's line, and what it masks runs beside.
  if (const SourceBlock* const branch = source.branchOf(line); branch && branch->last - branch->first < shortBranch)
    own = std::max(own, share(*branch));
  if (own < least) return 0;
  const SourceBlock* const loop = loopOf(line);
  const double around = loop ? share(*loop) : share(line > 1 ? line - 1 : line, line + 1);
  return std::max(own, ofLoop * around);
}

const SourceBlock* KernelFacts::loopOf(unsigned line) const {
  if (const SourceBlock* const loop = source.loopOf(line)) return loop;
  for (const Sampled& each : samples) {
    const auto own = std::ranges::find(each.lines, line);
    for (auto caller = own; caller != each.lines.end(); ++caller)
      if (const SourceBlock* const loop = source.loopOf(*caller)) return loop;
  }
  return nullptr;
}

unsigned KernelFacts::hottestLine() const {
  std::map<unsigned, double> own;
  for (const Sampled& each : samples) own[each.lines[0]] += each.share;
  return own.empty() ? 0 : std::ranges::max_element(own, {}, &std::pair<const unsigned, double>::second)->first;
}

bool KernelFacts::isAtMemoryLimit() const { return use && launch.times.median() >= shortLaunch && use->isAtMemory(); }

bool KernelFacts::isAtLimit() const {
  return isAtMemoryLimit() || (use && launch.times.median() >= shortLaunch && use->isAtArithmetic());
}

std::optional<double> KernelFacts::activeLanes() const {
  if (!launch.work || launch.work->lanes == 0) return std::nullopt;
  return launch.work->activeLanes / launch.work->lanes;
}

const SourceArray* KernelFacts::array(std::string_view name) const {
  const auto found = std::ranges::find(source.arrays(), name, &SourceArray::name);
  return found == source.arrays().end() ? nullptr : &*found;
}

std::string KernelFacts::meaningOf(const std::string& name) const {
  if (std::string text = source.macro(name); !text.empty()) return text;
  const auto option = Pattern(fmt::format(R"((?:^|\s)-D\s*{}=([^ ]*))", Pattern::literally(name))).search(code.options);
  return option ? (*option)[1] : std::string();
}

std::string KernelFacts::typeOf(std::string name) const {
  constexpr int deepest = 8;
  for (int left = deepest; left > 0; --left) {
    std::string type = source.namedType(name);
    if (type.empty()) type = meaningOf(name);
    const std::size_t first = type.find_first_not_of(" \t"), last = type.find_last_not_of(" \t");
    if (first == type.npos) break;
    name = type.substr(first, last + 1 - first);
  }
  return name;
}

Advice KernelFacts::advice(std::string title, unsigned line, std::string evidence, std::string cure, double share,
                           double part) const {
  const std::string name = file.substr(file.find_last_of('/') + 1);
  return {.title = std::move(title),
          .evidence = std::move(evidence),
          .cure = std::move(cure),
          .place = line == 0 ? fmt::format("'{}'", code.kernel) : fmt::format("{}:{}", name, line),
          .gain = static_cast<std::uint64_t>(static_cast<double>(time) * std::min(share, 1.0) * part),
          .kernel = code.kernel,
          .source = source.shown(line),
          .line = line};
}

std::string fileOf(const ProfiledProcess& process, const KernelSource& source, const std::string& kernel) {
  std::string_view first;
  bool isKnown = false;  // how the lines of other files read
  for (const ProfiledLine& line : process.lines) {
    if (line.kernel != kernel || line.line == 0) continue;
    if (!line.text.empty() && source.shown(line.line) == line.text) return line.file;
    if (first.empty()) first = line.file;
    isKnown |= !line.text.empty();
  }
  return isKnown ? std::string() : std::string(first);
}

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

std::string clipped(std::string_view text) {
  constexpr std::size_t most = 48;
  std::string words;
  for (const char c : text)
    if (c != '\n' && (c != ' ' || !words.ends_with(' '))) words += c;
  return words.size() <= most ? words : words.substr(0, most - 2) + "..";
}

void addKernelCode(ProfiledProcess& process) {
  const ProfileSummary summary = summaryOf(process);
  std::vector<std::pair<std::uint64_t, const KernelSummary*>> kernels;
  for (const auto& [name, launches] : byKernel(summary)) kernels.emplace_back(timeOf(launches), launches[0]);
  std::ranges::sort(kernels, std::greater{});
  for (const auto& [time, launch] : kernels) {
    if (static_cast<double>(time) < leastOfKernels * static_cast<double>(summary.kernelTime)) break;
    // A second compile may take longer than the run, and of so little nothing is advised.
    if (static_cast<double>(time) < leastShareOfRun * static_cast<double>(process.time())) break;
    if (process.codes.size() >= mostKernels) break;
    if (const ProfiledBuild* const build = buildOf(process, launch->kernel))
      process.codes.emplace(
          launch->kernel, kernelCodeOf(process.sources[build->source], build->options, launch->kernel, launch->local));
  }
}

std::vector<Advice> kernelAdviceFor(const ProfiledProcess& process, const ProfileSummary& summary) {
  std::vector<Advice> all;
  for (const auto& [name, launches] : byKernel(summary)) {
    const auto code = process.codes.find(name);
    if (code == process.codes.end() || code->second.remarks.empty()) continue;
    KernelFacts facts{.process = process,
                      .code = code->second,
                      .launch = *launches[0],
                      .source = KernelSource(code->second.source, name),
                      .time = timeOf(launches),
                      .use = useOf(summary, *launches[0]),
                      .file = {},
                      .shares = {},
                      .samples = {}};
    addShares(facts);
    std::vector<Advice> found;
    adviseOnPrintf(facts, found);
    adviseOnOptions(facts, found);
    // Code that is not optimised says nothing of what it would be.
    if (!facts.shares.empty() && found.empty())
      for (KernelRule* const rule : kernelRules) rule(facts, found);
    std::ranges::sort(found, std::greater{}, &Advice::gain);
    std::set<unsigned> lines;  // several rules may see one cause
    for (Advice& each : found)
      if (lines.insert(each.line).second) all.push_back(std::move(each));
  }
  std::erase_if(all, [&](const Advice& each) {
    const auto gain = static_cast<double>(each.gain);
    return gain < leastShareOfKernels * static_cast<double>(summary.kernelTime) ||
           gain < leastShareOfRun * static_cast<double>(process.time());
  });
  return all;
}

}  // namespace clarity::tools
