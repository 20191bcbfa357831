// SPDX-License-Identifier: Apache-2.0
// This file collects findings: one for each distinct place, written when it is first found, and counted.
#pragma once

#include "check/report/finding.h"
#include "check/report/suppressions.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace clarity::check {

/// The destinations of findings.
struct ReportOptions {
  bool text = true;       ///< to standard error
  bool colour = false;    ///< the text has colours
  unsigned columns = 80;  ///< the width of the text
  std::string
      recordFile{};  ///< a JSON object for each finding and, at the end, for each count is appended; empty: none
  Suppressions suppressions{};                    ///< are counted, not reported
  bool checksKernels = true, checksHost = false;  ///< said at the end
  bool allowsSameValue = false;                   ///< races of writes of the same value are not reported
};

/// The smallest buffer, or shared memory, of an address.
struct HostMemoryOf {
  Party creation;
  bool isOfSeveral = false;  ///< buffers have the same memory of the host, which is a mistake of its own
};

/// Thread-safe.
class Reporter {
public:
  explicit Reporter(ReportOptions);
  ~Reporter();
  Reporter(const Reporter&) = delete;

  void add(const Finding&);
  /// The memory of the application at an address, or the place where it has made the call of a number. To be set before
  /// anything is added.
  using MemoryOf = std::function<HostMemoryOf(std::uint64_t)>;
  using PartyOf = std::function<Party(std::uint64_t)>;
  void setMemory(MemoryOf memoryOf) { memoryOf_ = std::move(memoryOf); }
  void setLaunches(PartyOf launchOf) { launchOf_ = std::move(launchOf); }
  /// Whether a mistake of another kind has been found that may be why this was never written: an access that did not
  /// happen, a race for the same memory, work-items that have parted.
  bool explains(const Finding& uninitialised) const;
  /// Whether a race has been found in which an access at this place takes part.
  bool hasRaceAt(const std::string& kernel, const compiler::Site& place) const;
  /// A kernel runs; it is not checked, which is said once for each.
  void launched(const std::string& kernel);
  void leftOut(const std::string& kernel, std::string_view why);
  /// Writes how often mistakes were found, and what was checked, to the text and to the record. At the end of the
  /// process.
  void finish();

  std::uint64_t distinct() const;
  /// Whether a mistake of a kernel has been found.
  bool hasOfKernels() const;

private:
  /// Kind, kernel, object (empty where places tell), places.
  using Key = std::tuple<Kind, std::string, std::string, std::string>;
  struct Entry {
    std::uint64_t number = 0, count = 0;
    std::string title;
    Party first{};                    ///< where it was first found
    std::set<std::string> objects{};  ///< that the findings were about
    std::set<std::string> places{};   ///< places of all parties
    std::uint64_t parts = 0;          ///< findings at further places
  };
  using Entries = std::map<Key, Entry>;
  static Key keyOf(const Finding&);
  /// The mistake that a finding at another place is a part of; the end: it is one of its own.
  Entries::iterator wholeOf(const Finding&);
  void addPart(const Finding&, Entry& whole);
  /// Whether a race is that of arguments that overlap, which has been reported.
  bool isOfOverlap(const Key& race) const;
  void record(const std::string& json);

  void add(const Finding&, const Key&);
  std::string coverage() const;

  const ReportOptions options_;
  MemoryOf memoryOf_;
  PartyOf launchOf_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::map<Key, Key> parts_;  ///< findings that are parts of mistakes, with those of the mistakes
  std::set<Key> suppressed_;
  std::map<std::string, std::uint64_t> launches_;  ///< by kernel
  std::set<std::string> leftOut_;                  ///< kernels that were not checked, of those
  std::FILE* record_ = nullptr;
};

/// The text of a finding for people, of lines up to `columns` wide where words allow.
std::string formatted(const Finding&, bool colour, unsigned columns);
/// Notes for the places of a finding that is a part of a mistake, which was found first at `whole`.
std::string formattedPart(const Finding&, const compiler::Site& whole, bool colour, unsigned columns);
/// A finding as one line of JSON.
std::string json(const Finding&, std::uint64_t number);
/// The same of a part of the mistake of a number.
std::string jsonOfPart(const Finding&, std::uint64_t number);

}  // namespace clarity::check
