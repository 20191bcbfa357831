// SPDX-License-Identifier: Apache-2.0
// This file keeps bytes under 128-bit keys, in memory for this process and in a folder for the next ones. It never
// fails: an entry that cannot be written, read or trusted is one that is not there.
#pragma once

#include "support/hash.h"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace clarity::support {

/// A bounded store of key and content. Any thread, and any number of processes on one folder, may use it at once:
/// an entry appears whole by a rename or not at all, and its checksum is verified on every load from disk.
///
/// On disk the oldest entries (by the time of their last use) go when a sub-folder holds more than its share of
/// `maxBytes`; since not every write looks, the folder may be over `maxBytes` by an eighth for a while.
class DiskCache {
public:
  /// An empty folder name makes a cache that keeps nothing, not even in memory. A folder that does not exist is made
  /// on the first put. One that others may write to, or that belongs to someone else, is not used: what is loaded
  /// from here is executed.
  explicit DiskCache(std::string folder, std::uint64_t maxBytes = 256ull << 20, std::uint64_t maxMemoryBytes = 32ull << 20);
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  std::optional<std::string> get(const Hash128& key);
  void put(const Hash128& key, std::string_view bytes);
  void remove(const Hash128& key);

  bool enabled() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }

private:
  using Content = std::shared_ptr<const std::string>;
  struct Remembered {
    Content content;
    std::list<Hash128>::iterator use;
  };
  static constexpr unsigned kSubfolders = 16;

  std::string subfolderOf(const Hash128&) const;
  std::string pathOf(const Hash128&) const;
  bool folderIsOurs();
  Content recall(const Hash128&);
  void remember(const Hash128&, Content);
  void forget(const Hash128&);
  void write(const Hash128&, std::string_view bytes);
  bool trimIsDue(const Hash128&, std::uint64_t written);
  void trim(const std::string& subfolder);

  const std::string folder_;
  const std::uint64_t maxBytes_;
  const std::uint64_t maxMemoryBytes_;

  std::mutex mutex_;
  enum class Folder { Unknown, Ours, Refused } state_ = Folder::Unknown;
  std::map<Hash128, Remembered> memory_;
  std::list<Hash128> uses_;  ///< most recent first
  std::uint64_t memoryBytes_ = 0;
  std::uint64_t writtenSinceTrim_[kSubfolders] = {};
};

}  // namespace clarity::support
