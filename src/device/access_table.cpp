// SPDX-License-Identifier: Apache-2.0
// This file counts accesses on each thread by themselves and adds them up when the launch has ended.
#include "device/access_table.h"

#include "device/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace clarity::device {
namespace {

/// Distinct places that are counted exactly for each line and variable; with more the table says "over" this number. A
/// set of this size uses 40 MB.
constexpr std::size_t mostPlaces = std::size_t{1} << 20;

struct Counts {
  std::uint64_t reads = 0, writes = 0, bytes = 0;
  std::unordered_set<std::uint64_t> places;
  bool morePlaces = false;

  void addPlace(std::uint64_t address) {
    if (places.size() < mostPlaces)
      places.insert(address);
    else
      morePlaces |= !places.contains(address);
  }
  void add(const Counts& other) {
    reads += other.reads;
    writes += other.writes;
    bytes += other.bytes;
    morePlaces |= other.morePlaces;
    for (const std::uint64_t address : other.places) addPlace(address);
  }
};

struct Row {
  std::string_view source;
  bool atomic = false;
  Counts counts;
};

std::string rowText(const std::pair<std::uint32_t, std::string_view>& place, const Row& row) {
  const Counts& counts = row.counts;
  const std::string line = place.first ? std::to_string(place.first) : "?";
  const std::string places = fmt::format("{}{}", counts.morePlaces ? ">" : "", counts.places.size());
  return fmt::format("{:>6}  {:<16}{:>12}{:>12}{:>14}{:>12}  {}{}\n", line, place.second.empty() ? "?" : place.second,
                     counts.reads, counts.writes, counts.bytes, places, row.source, row.atomic ? "  (atomic)" : "");
}

std::string sizeText(const std::array<std::size_t, 3>& size, std::uint32_t dims) {
  std::string text = std::to_string(size[0]);
  for (std::uint32_t d = 1; d < dims; ++d) text += fmt::format(" x {}", size[d]);
  return text;
}

}  // namespace

class AccessTable::OfLaunch final : public LaunchObserver {
public:
  OfLaunch(const ObservedLaunch& launch, const Write& write) : launch_(launch), write_(write) {}

  void access(const ObservedAccess& access) override {
    Counts& here = ofThread()[access.site];
    const compiler::SiteKind kind = launch_.sites[access.site].kind;
    here.reads += compiler::reads(kind);
    here.writes += compiler::writes(kind);
    here.bytes += access.bytes;
    here.addPlace(access.address);
  }

  void end(bool completed) override {
    std::map<std::pair<std::uint32_t, std::string_view>, Row> rows;
    for (const auto& [thread, counts] : counts_)
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i].places.empty()) continue;
        const compiler::Site& site = launch_.sites[i];
        Row& row = rows[{site.line, site.variable}];
        row.source = site.text;
        row.atomic |= compiler::isAtomic(site.kind);
        row.counts.add(counts[i]);
      }
    std::string text =
        fmt::format("kernel '{}', {} work-items in groups of {}: accesses to memory{}\n", launch_.kernel.name,
                    sizeText(launch_.range.global, launch_.range.dims),
                    sizeText(launch_.range.local, launch_.range.dims), completed ? "" : " until it failed");
    text += fmt::format("{:>6}  {:<16}{:>12}{:>12}{:>14}{:>12}  {}\n", "line", "variable", "reads", "writes", "bytes",
                        "elements", "source");
    for (const auto& [place, row] : rows) text += rowText(place, row);
    static std::mutex& mutex = *new std::mutex;
    const std::lock_guard lock(mutex);
    write_(text);
  }

private:
  std::vector<Counts>& ofThread() {
    const std::lock_guard lock(mutex_);
    std::vector<Counts>& counts = counts_[std::this_thread::get_id()];
    if (counts.empty()) counts.resize(launch_.sites.size());
    return counts;
  }

  ObservedLaunch launch_;
  const Write& write_;
  std::mutex mutex_;  ///< guards the map, not what is in it: each thread has its own
  std::map<std::thread::id, std::vector<Counts>> counts_;
};

std::unique_ptr<LaunchObserver> AccessTable::begin(const ObservedLaunch& launch) {
  return std::make_unique<OfLaunch>(launch, write_);
}

void AccessTable::cannotObserve(const compiler::KernelInfo& kernel, std::string_view why) {
  write_(fmt::format("kernel '{}' is not observed: {}\n", kernel.name, why));
}

}  // namespace clarity::device
