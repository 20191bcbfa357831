// SPDX-License-Identifier: Apache-2.0
// This file counts findings and writes each distinct one once.
#include "check/report/reporter.h"

#include "support/debug_state.h"
#include "support/write.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <vector>

namespace clarity::check {

namespace {

std::string placeOf(const Party& party) {
  return fmt::format("{}:{}:{}", party.place.file, party.place.line, party.place.column);
}

std::string beginOfPlace(const Party& party) { return fmt::format("{}:{}:", party.place.file, party.place.line); }

bool isRace(Kind kind) { return kind == Kind::GlobalRace || kind == Kind::LocalRace; }

/// Kinds of which one mistake, such as a missing barrier or an array that is too small, shows in many accesses.
bool hasParts(Kind kind) {
  return isRace(kind) || kind == Kind::OutOfBounds || kind == Kind::NullPointer || kind == Kind::Misaligned;
}

std::vector<std::string> placesOf(const Finding& finding) {
  std::vector<std::string> places{placeOf(finding.party)};
  for (const Party& other : finding.others) places.push_back(placeOf(other));
  return places;
}

}  // namespace

Reporter::Key Reporter::keyOf(const Finding& finding) {
  // A value that was never written is reported where it is used first; later findings come of the same.
  if (finding.kind == Kind::Uninitialised) return {finding.kind, finding.kernel, finding.object, {}};
  // One bad pointer leads to several members, in one line of source: reads are one mistake, and writes, as the summary
  // says.
  if (finding.kind == Kind::OutOfBounds || finding.kind == Kind::NullPointer || finding.kind == Kind::Misaligned)
    return {finding.kind, finding.kernel, finding.object,
            fmt::format("{}:{} {}", finding.party.place.file, finding.party.place.line, finding.summary)};
  // Chance decides which of two accesses comes first.
  std::vector<std::string> places = placesOf(finding);
  // A line that uses memory without a map is one mistake, whatever runs meanwhile. Where it was created comes last.
  if (finding.kind == Kind::HostPointerUse && places.size() > 2) places.erase(places.begin() + 1, places.end() - 1);
  std::ranges::sort(places);
  // The two sides of a race may be two objects of one memory.
  const std::string& object = isRace(finding.kind) ? std::string() : finding.object;
  return {finding.kind, finding.kernel, object, fmt::format("{}", fmt::join(places, " "))};
}

Reporter::Reporter(ReportOptions options) : options_(std::move(options)) {
  if (options_.recordFile.empty()) return;
  record_ = std::fopen(options_.recordFile.c_str(), "ae");
  if (!record_)
    support::writeToStandardError(fmt::format("clarity check: '{}' cannot be written\n", options_.recordFile));
  record(fmt::format(R"({{"process":{}}})", ::getpid()));
}

Reporter::~Reporter() {
  if (record_) std::fclose(record_);
}

bool Reporter::isOfOverlap(const Key& race) const {
  const auto& [kind, kernel, object, places] = race;
  return isRace(kind) && std::ranges::any_of(entries_, [&](const auto& entry) {
           return std::get<0>(entry.first) == Kind::OverlappingArguments && std::get<1>(entry.first) == kernel &&
                  std::get<3>(entry.first) == places;
         });
}

void Reporter::add(const Finding& finding) {
  const Key key = keyOf(finding);
  std::unique_lock lock(mutex_);
  if (isOfOverlap(key)) return;
  if (const auto part = parts_.find(key); part != parts_.end()) {
    ++entries_[part->second].count;
    return;
  }
  if (entries_.contains(key)) return add(finding, key);
  lock.unlock();  // who answers may be adding findings
  Finding more = finding;
  if (finding.memory != 0 && memoryOf_) {
    HostMemoryOf memory = memoryOf_(finding.memory);
    if (finding.isOfTwoArguments && memory.isOfSeveral) return;
    more.creation = std::move(memory.creation);
  }
  if (finding.call != 0 && launchOf_) more.launch.place = launchOf_(finding.call).place;
  lock.lock();
  add(more, key);
}

void Reporter::add(const Finding& finding, const Key& key) {
  const compiler::Site& place = finding.party.place;
  if ((finding.writesSameValue && options_.allowsSameValue) || options_.suppressions.contains(finding)) {
    suppressed_.insert(key);
    return;
  }
  if (const auto whole = wholeOf(finding); whole != entries_.end() && whole->first != key) {
    parts_.emplace(key, whole->first);
    addPart(finding, whole->second);
    return;
  }
  Entry& entry = entries_[key];
  entry.objects.insert(finding.object);
  if (++entry.count > 1) return;
  entry.number = entries_.size();
  entry.first = finding.party;
  for (std::string& each : placesOf(finding)) entry.places.insert(std::move(each));
  entry.title = fmt::format("{}:{}: {}", place.file.empty() ? "<source>" : place.file, place.line, finding.summary);
  if (options_.text) support::writeToStandardError(formatted(finding, options_.colour, options_.columns) + "\n");
  record(json(finding, entry.number));
  clarity_debug_finding(entry.title.c_str());
}

Reporter::Entries::iterator Reporter::wholeOf(const Finding& finding) {
  if (!hasParts(finding.kind)) return entries_.end();
  const auto isIn = [&](const Party& party, const Entry& entry) {
    return party.place.line != 0 &&
           std::ranges::any_of(entry.places, [line = beginOfPlace(party)](const std::string& place) {
             return place.starts_with(line);
           });
  };
  return std::ranges::find_if(entries_, [&](const auto& each) {
    const auto& [kind, kernel, object, places] = each.first;
    const Entry& entry = each.second;
    if (kind != finding.kind || kernel != finding.kernel) return false;
    return entry.objects.contains(finding.object) || isIn(finding.party, entry) ||
           std::ranges::any_of(finding.others, [&](const Party& other) { return isIn(other, entry); });
  });
}

void Reporter::addPart(const Finding& finding, Entry& whole) {
  constexpr std::uint64_t mostParts = 3;  // that are written out
  ++whole.count;
  whole.objects.insert(finding.object);
  Finding part = finding;
  const auto isKnown = [&](const Party& party) { return !whole.places.insert(placeOf(party)).second; };
  std::erase_if(part.others, isKnown);
  if (isKnown(part.party)) {
    if (part.others.empty()) return;
    part.party = part.others.front();
    part.others.erase(part.others.begin());
  } else if (!isRace(part.kind)) {
    part.party.what = part.summary;
  }
  record(jsonOfPart(part, whole.number));
  if (++whole.parts > mostParts || !options_.text) return;
  support::writeToStandardError(formattedPart(part, whole.first.place, options_.colour, options_.columns) + "\n");
}

bool Reporter::explains(const Finding& uninitialised) const {
  const std::vector<std::string> reads = placesOf(uninitialised);
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(entries_, [&](const auto& entry) {
    const auto& [kind, kernel, object, places] = entry.first;
    // Memory that the host has written without being allowed to counts as not written.
    if (kind == Kind::HostPointerUse) return true;
    if (kind == Kind::Uninitialised || kernel != uninitialised.kernel) return false;
    if (entry.second.objects.contains(uninitialised.object) || kind == Kind::BarrierDivergence) return true;
    // The same access may have another name for the object, that of a pointer.
    return isRace(kind) &&
           std::ranges::any_of(reads, [&](const std::string& read) { return entry.second.places.contains(read); });
  });
}

bool Reporter::hasRaceAt(const std::string& kernel, const compiler::Site& place) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(entries_, [&](const auto& each) {
    return isRace(std::get<0>(each.first)) && std::get<1>(each.first) == kernel &&
           each.second.places.contains(placeOf({place, {}}));
  });
}

void Reporter::launched(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  ++launches_[kernel];
}

void Reporter::leftOut(const std::string& kernel, std::string_view why) {
  const std::lock_guard lock(mutex_);
  if (!leftOut_.insert(kernel).second) return;
  support::writeToStandardError(fmt::format("clarity check: kernel '{}' is not checked: {}\n", kernel, why));
}

std::string Reporter::coverage() const {
  std::uint64_t all = 0;
  for (const auto& [kernel, count] : launches_)
    if (!leftOut_.contains(kernel)) all += count;
  const std::size_t kernels = launches_.size() - leftOut_.size();
  std::string text;
  if (options_.checksKernels)
    text = kernels == 0
               ? "no kernel"
               : fmt::format("{} kernel{} in {} launch{}", kernels, kernels == 1 ? "" : "s", all, all == 1 ? "" : "es");
  if (options_.checksHost) text += text.empty() ? "the host program" : " and the host program";
  text = "checked " + text;
  if (!leftOut_.empty()) text += fmt::format(", not checked: kernel '{}'", fmt::join(leftOut_, "', '"));
  return text;
}

void Reporter::finish() {
  const std::lock_guard lock(mutex_);
  std::uint64_t all = 0;
  for (const auto& [key, entry] : entries_) {
    all += entry.count;
    if (entry.count > 1) record(fmt::format(R"({{"finding":{},"count":{}}})", entry.number, entry.count));
  }
  for (const auto& [kernel, count] : launches_)
    record(fmt::format(R"({{"kernel":"{}","launches":{},"checked":{}}})", kernel, count, !leftOut_.contains(kernel)));
  if (!options_.text) return;
  const std::string mistakes =
      entries_.empty() ? "no mistakes" : fmt::format("{} mistake{}", entries_.size(), entries_.size() == 1 ? "" : "s");
  std::string text = "clarity check: " + mistakes;
  if (all > entries_.size()) text += fmt::format(", found {} times", all);
  if (!suppressed_.empty()) text += fmt::format(", {} suppressed", suppressed_.size());
  support::writeToStandardError(fmt::format("{}; {}\n", text, coverage()));
}

std::uint64_t Reporter::distinct() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

bool Reporter::hasOfKernels() const {
  const std::lock_guard lock(mutex_);
  return !leftOut_.empty() ||
         std::ranges::any_of(entries_, [](const auto& entry) { return !std::get<1>(entry.first).empty(); });
}

void Reporter::record(const std::string& json) {
  if (!record_) return;
  // Without a buffer: the process may end at any time.
  support::writeAll(::fileno(record_), json + "\n");
}

}  // namespace clarity::check
