// SPDX-License-Identifier: Apache-2.0
// This file stores bytes under 128-bit keys, in memory for this process and in a folder for later ones. It never fails:
// an entry that cannot be written, read or verified counts as absent.
#pragma once

#include "support/hash.h"
#include "support/private_folder.h"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace clarity::support {

/// A bounded store of key and content. Any thread, and any number of processes on one folder, may use it at once:
/// an entry is written to a temporary file and renamed, and its checksum is verified on every load from disk.
///
/// Files that are loaded from the folder are executed, so nothing is used that another user could have written: the
/// folder, its sub-folders and every file are checked each time (private_folder.h). Files that are refused count as
/// absent, and are reported once.
///
/// On disk the least recently used entries are deleted when a sub-folder holds more than its share of `maxBytes`. Not
/// every write checks this, so the folder may exceed `maxBytes` by an eighth for a while.
class DiskCache {
public:
  /// Takes a sentence for the user: what of a folder is not used and why. Any thread; `complain` may be null.
  static void complainTo(void (*complain)(const std::string&));

  /// With an empty folder name nothing is stored, not even in memory. A folder that does not exist is created by the
  /// first put. `maxMemoryBytes` is little: processes that build one program after another should not grow, and the
  /// system keeps the files in memory as long as it has some to spare.
  explicit DiskCache(std::string folder, std::uint64_t maxBytes = 256ull << 20,
                     std::uint64_t maxMemoryBytes = 2ull << 20);
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
  static constexpr unsigned subfolders = 16;

  /// An entry's sub-folder, opened, and the names of both.
  struct Place {
    Descriptor folder;
    std::string path;  ///< the sub-folder's path, for sentences
    std::string name;  ///< the name of the file in it
  };

  Place placeOf(const Hash128&, IfMissing);
  Content load(const Hash128&);
  void complain(const std::string& why);
  Content recall(const Hash128&);
  void remember(const Hash128&, Content);
  void forget(const Hash128&);
  bool write(const Place&, const Hash128&, std::string_view bytes);
  bool trimIsDue(const Hash128&, std::uint64_t written);
  void trim(int subfolder);

  const std::string folder_;
  const std::uint64_t maxBytes_;
  const std::uint64_t maxMemoryBytes_;

  std::mutex mutex_;
  std::set<std::string> complaints_;  ///< so far
  std::map<Hash128, Remembered> memory_;
  std::list<Hash128> uses_;  ///< most recent first
  std::uint64_t memoryBytes_ = 0;
  std::uint64_t writtenSinceTrim_[subfolders] = {};
};

}  // namespace clarity::support
