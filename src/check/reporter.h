// SPDX-License-Identifier: Apache-2.0
// This file collects findings: one for each distinct place, written when it is first found, and counted.
#pragma once

#include "check/finding.h"
#include "check/suppressions.h"

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

/// Where findings go.
struct ReportOptions {
  bool text = true;       ///< to standard error
  bool colour = false;    ///< of the text
  unsigned columns = 80;  ///< of the text
  std::string
      recordFile{};  ///< a JSON object for each finding and, at the end, for each count is appended; empty: none
  Suppressions suppressions{};   ///< are counted, not reported
  bool allowsSameValue = false;  ///< races of writes of the same value are not reported
};

/// Thread-safe.
class Reporter {
public:
  explicit Reporter(ReportOptions);
  ~Reporter();
  Reporter(const Reporter&) = delete;

  void add(const Finding&);
  /// Where the application has created the buffer that an address is in. To be set before anything is added.
  using CreationOf = std::function<Party(std::uint64_t)>;
  void setCreations(CreationOf creationOf) { creationOf_ = std::move(creationOf); }
  /// Whether a mistake of another kind has been found that may be why this was never written: an access that did not
  /// happen, a race for the same memory, work-items that have parted.
  bool explains(const Finding& uninitialised) const;
  /// What the user should know of the checking itself.
  void note(const std::string& text);
  /// How often has been found what was found more than once; to the text and to the record. At the end of the process.
  void finish();

  std::uint64_t distinct() const;

private:
  using Key = std::tuple<Kind, std::string, std::string, std::string>;  ///< kind, kernel, object, places
  struct Entry {
    std::uint64_t number = 0, count = 0;
    std::string title;
  };
  static Key keyOf(const Finding&);
  void record(const std::string& json);

  void add(const Finding&, const Key&);

  const ReportOptions options_;
  CreationOf creationOf_;
  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;
  std::set<Key> suppressed_;
  std::set<std::string> notes_;
  std::FILE* record_ = nullptr;
};

/// The text of a finding for people, of lines up to `columns` wide where words allow.
std::string formatted(const Finding&, bool colour, unsigned columns);
/// The same as one line of JSON.
std::string json(const Finding&, std::uint64_t number);

}  // namespace clarity::check
