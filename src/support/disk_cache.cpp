// SPDX-License-Identifier: Apache-2.0
// This file implements the cache: one file for each entry, in sixteen sub-folders named after the key's first digit.
#include "support/disk_cache.h"

#include "support/without_signals.h"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace clarity::support {
namespace {

constexpr std::string_view temporaryPrefix = ".new-";
constexpr std::time_t temporaryAge = 3600;  // seconds after which a temporary file is a crashed process's
constexpr std::time_t useResolution = 60;   // seconds; the time of use is updated at most this often

std::atomic<void (*)(const std::string&)> listener{nullptr};

/// The header of an entry's file, ahead of the content.
struct FileHeader {
  char magic[8] = {'C', 'L', 'R', 'T', 'Y', 'C', 'A', '1'};
  std::uint64_t size = 0;
  Hash128 key;
  Hash128 checksum;
};
static_assert(sizeof(FileHeader) == 48);

bool readAll(int fd, char* to, std::size_t size) {
  while (size) {
    const ssize_t got = ::read(fd, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool writeAll(int fd, const char* from, std::size_t size) {
  WithoutSignals guard;
  while (size) {
    const ssize_t put = ::write(fd, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      guard.failed(errno);
      return false;
    }
    from += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

/// Whether a file in a sub-folder may be an entry by its name: the key's digits but for the first.
bool isEntryName(std::string_view name) {
  constexpr std::size_t digits = 31;
  return name.size() == digits && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The content of an entry's file, or nullptr if it is not what was written for this key.
std::shared_ptr<const std::string> contentOf(int file, const struct stat& about, const Hash128& key) {
  FileHeader header;
  const FileHeader expected;
  const auto fileSize = static_cast<std::uint64_t>(about.st_size);
  if (fileSize < sizeof header || !readAll(file, reinterpret_cast<char*>(&header), sizeof header)) return nullptr;
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.key != key ||
      header.size != fileSize - sizeof header)
    return nullptr;
  auto content = std::make_shared<std::string>();
  content->resize(header.size);
  if (!readAll(file, content->data(), content->size()) || hashOf(*content) != header.checksum) return nullptr;
  return content;
}

}  // namespace

DiskCache::DiskCache(std::string folder, std::uint64_t maxBytes, std::uint64_t maxMemoryBytes)
    : folder_(std::move(folder)), maxBytes_(maxBytes), maxMemoryBytes_(maxMemoryBytes) {}

void DiskCache::complainTo(void (*complain)(const std::string&)) {
  listener.store(complain, std::memory_order_release);
}

DiskCache::Place DiskCache::placeOf(const Hash128& key, IfMissing missing) {
  const std::string digits = key.hex();
  Place place{.folder = {}, .path = folder_ + "/" + digits.substr(0, 1), .name = digits.substr(1)};
  std::string why;
  if (const Descriptor root = openFolder(folder_, missing, why))
    place.folder = openFolderIn(root, folder_, digits.substr(0, 1).c_str(), missing, why);
  if (!why.empty()) complain(why);
  return place;
}

void DiskCache::complain(const std::string& why) {
  constexpr std::size_t most = 16;
  auto* const tell = listener.load(std::memory_order_acquire);
  {
    const std::lock_guard lock(mutex_);
    if (!tell || complaints_.size() >= most || !complaints_.insert(why).second) return;
  }
  tell(fmt::format("nothing of the compiled-code cache is used there: {}", why));
}

DiskCache::Content DiskCache::load(const Hash128& key) {
  const Place place = placeOf(key, IfMissing::Nothing);
  if (!place.folder) return nullptr;
  struct stat about;
  std::string why;
  const Descriptor file = openFileIn(place.folder, place.path, place.name.c_str(), about, why);
  if (!why.empty()) complain(why);
  if (!file) return nullptr;
  Content content = contentOf(file, about, key);
  if (!content)
    ::unlinkat(place.folder, place.name.c_str(), 0);
  else if (std::time(nullptr) - about.st_mtime > useResolution)
    ::futimens(file, nullptr);  // for the eviction's order
  return content;
}

std::optional<std::string> DiskCache::get(const Hash128& key) try {
  if (!enabled()) return std::nullopt;
  if (Content content = recall(key)) return *content;
  Content content = load(key);
  if (!content) return std::nullopt;
  remember(key, content);
  return *content;
} catch (const std::exception&) {  // no memory: as if the entry were not there
  return std::nullopt;
}

void DiskCache::put(const Hash128& key, std::string_view bytes) try {
  if (!enabled()) return;
  remember(key, std::make_shared<std::string>(bytes));
  if (bytes.size() + sizeof(FileHeader) > maxBytes_ / subfolders) return;
  const Place place = placeOf(key, IfMissing::Create);
  if (place.folder && write(place, key, bytes) && trimIsDue(key, bytes.size() + sizeof(FileHeader))) trim(place.folder);
} catch (const std::exception&) {
}

void DiskCache::remove(const Hash128& key) try {
  if (!enabled()) return;
  forget(key);
  const Place place = placeOf(key, IfMissing::Nothing);
  if (place.folder) ::unlinkat(place.folder, place.name.c_str(), 0);
} catch (const std::exception&) {
}

DiskCache::Content DiskCache::recall(const Hash128& key) {
  std::lock_guard lock(mutex_);
  const auto found = memory_.find(key);
  if (found == memory_.end()) return nullptr;
  uses_.splice(uses_.begin(), uses_, found->second.use);
  return found->second.content;
}

void DiskCache::remember(const Hash128& key, Content content) {
  if (content->size() > maxMemoryBytes_ / 4) return forget(key);
  std::lock_guard lock(mutex_);
  auto entry = memory_.find(key);
  if (entry == memory_.end()) {
    std::list<Hash128> use{key};  // each may lack memory, and must then leave nothing behind
    entry = memory_.try_emplace(key).first;
    entry->second.use = use.begin();
    uses_.splice(uses_.begin(), use);
  } else {
    memoryBytes_ -= entry->second.content->size();
    uses_.splice(uses_.begin(), uses_, entry->second.use);
  }
  memoryBytes_ += content->size();
  entry->second.content = std::move(content);
  while (memoryBytes_ > maxMemoryBytes_) {
    const auto oldest = memory_.find(uses_.back());
    memoryBytes_ -= oldest->second.content->size();
    memory_.erase(oldest);
    uses_.pop_back();
  }
}

void DiskCache::forget(const Hash128& key) {
  std::lock_guard lock(mutex_);
  const auto found = memory_.find(key);
  if (found == memory_.end()) return;
  memoryBytes_ -= found->second.content->size();
  uses_.erase(found->second.use);
  memory_.erase(found);
}

bool DiskCache::write(const Place& place, const Hash128& key, std::string_view bytes) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary =
      fmt::format("{}{}-{}", temporaryPrefix, ::getpid(), counter.fetch_add(1, std::memory_order_relaxed));
  Descriptor file(
      ::openat(place.folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return false;
  FileHeader header;
  header.size = bytes.size();
  header.key = key;
  header.checksum = hashOf(bytes);
  const bool written = writeAll(file, reinterpret_cast<const char*>(&header), sizeof header) &&
                       writeAll(file, bytes.data(), bytes.size()) && file.close();
  if (written && ::renameat(place.folder, temporary.c_str(), place.folder, place.name.c_str()) == 0) return true;
  ::unlinkat(place.folder, temporary.c_str(), 0);
  return false;
}

// Scanning a sub-folder costs a stat for each entry. One put in eight scans, chosen by the key, so that many short
// processes scan as often as one long one; so does a process that has written an eighth of the folder's share.
bool DiskCache::trimIsDue(const Hash128& key, std::uint64_t written) {
  const std::uint64_t share = maxBytes_ / subfolders;
  std::lock_guard lock(mutex_);
  std::uint64_t& since = writtenSinceTrim_[key.high >> 60];
  since += written;
  if ((key.low & 7) != 0 && since < share / 8) return false;
  since = 0;
  return true;
}

// Only files that are named as the cache names its own are counted or deleted: the folder may hold other things too.
void DiskCache::trim(int subfolder) {
  struct Entry {
    std::int64_t seconds, nanoseconds;
    std::uint64_t size;
    std::string name;
    bool operator<(const Entry& o) const {
      return std::pair(seconds, nanoseconds) < std::pair(o.seconds, o.nanoseconds);
    }
  };
  Descriptor toList(::openat(subfolder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!toList) return;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(toList), ::closedir);
  if (!folder) return;
  static_cast<void>(toList.release());  // closedir() closes it
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent* item = ::readdir(folder.get())) {
    const bool isTemporary = std::string_view(item->d_name).starts_with(temporaryPrefix);
    if (!isTemporary && !isEntryName(item->d_name)) continue;
    struct stat about;
    if (::fstatat(subfolder, item->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode)) continue;
    if (isTemporary) {
      if (now - about.st_mtime > temporaryAge) ::unlinkat(subfolder, item->d_name, 0);
      continue;
    }
    total += static_cast<std::uint64_t>(about.st_size);
    entries.push_back(
        {about.st_mtim.tv_sec, about.st_mtim.tv_nsec, static_cast<std::uint64_t>(about.st_size), item->d_name});
  }
  const std::uint64_t share = maxBytes_ / subfolders;
  if (total <= share) return;
  std::sort(entries.begin(), entries.end());
  for (const Entry& entry : entries) {
    if (total <= share - share / 8) break;  // leaves room, so that the next put does not delete again
    if (::unlinkat(subfolder, entry.name.c_str(), 0) == 0) total -= entry.size;
  }
}

}  // namespace clarity::support
