// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of a cache that is damaged while processes use it: their results stay right.
#include "run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace clarity::stress {
namespace {

namespace fs = std::filesystem;

// Links are made and removed and never followed here: nothing outside of the run's folder may change.

/// Everything in the cache at this moment.
std::vector<fs::path> contentOf(const std::string& cache) {
  std::vector<fs::path> all{cache};
  std::error_code gone;
  if (fs::is_symlink(cache, gone)) return all;
  for (auto each = fs::recursive_directory_iterator(cache, fs::directory_options::skip_permission_denied, gone);
       !gone && each != fs::recursive_directory_iterator(); each.increment(gone))
    all.push_back(each->path());
  return all;
}

void flipBits(const fs::path& path, Random& random) {
  const int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat about{};
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
    for (std::size_t i = random.between(1, 20); i > 0; --i) {
      const auto size = static_cast<std::size_t>(about.st_size);
      const auto at = static_cast<off_t>(random.below(random.chance(30) ? std::min<std::size_t>(size, 48) : size));
      char byte = 0;
      if (pread(file, &byte, 1, at) != 1) break;
      byte = static_cast<char>(byte ^ 1 << random.below(8));
      if (pwrite(file, &byte, 1, at) != 1) break;
    }
  close(file);
}

/// Cuts a file off, or makes it longer by what takes no room on the disk.
void resize(const fs::path& path, Random& random) {
  const int file = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat about{};
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    const auto size = static_cast<std::size_t>(about.st_size);
    const std::size_t wanted =
        random.chance(50) ? random.below(size + 1) : size + random.below(std::size_t{1} << random.below(36));
    (void)!ftruncate(file, static_cast<off_t>(wanted));
  }
  close(file);
}

/// A link in place of something in the cache, which must not be followed, or of the cache itself, which may.
void replaceByLink(const fs::path& path, const fs::path& other, bool isCache, const fs::path& decoy, Random& random) {
  const fs::path run = decoy.parent_path().parent_path();
  const fs::path targets[] = {other, decoy, decoy.parent_path(), "/dev/zero", run / "nothing", "."};
  std::error_code ignored;
  fs::remove_all(path, ignored);
  fs::create_symlink(isCache ? run / "elsewhere" : random.oneOf(targets), path, ignored);
}

void damage(const std::string& cache, const fs::path& decoy, Random& random) {
  const std::vector<fs::path> all = contentOf(cache);
  const fs::path path = all[random.below(all.size())], other = all[random.below(all.size())];
  std::error_code ignored;
  const bool isLink = fs::is_symlink(fs::symlink_status(path, ignored));
  switch (random.below(8)) {
    case 0:
    case 1: return flipBits(path, random);
    case 2: return resize(path, random);
    case 3: return replaceByLink(path, fs::absolute(other), path == cache, decoy, random);
    case 4:
      fs::remove_all(path, ignored);
      if (random.chance(50)) mkfifo(path.c_str(), 0600);
      return;
    case 5:
      fs::remove_all(path, ignored);
      if (random.chance(50)) fs::create_directory(path, ignored);
      return;
    case 6:
      if (!isLink) fs::permissions(path, static_cast<fs::perms>(random.below(01000)), ignored);
      return;
    default:
      if (other != cache) fs::rename(path, other, ignored);
      return;
  }
}

/// Builds and computes again and again, with new contexts, so that the cache is asked each time.
void useCache(Random random) {
  for (std::size_t i = random.between(3, 10); i > 0; --i) operateOnThreads(random.split(), random.between(1, 3), 10);
}

}  // namespace

void cacheAttacks(Run& run) {
  const std::string cache = run.folder + "/attacked", words = "not the cache's";
  const fs::path decoy = fs::absolute(run.folder) / "decoy" / "file";
  fs::create_directory(decoy.parent_path());
  std::ofstream(decoy) << words;
  std::vector<pid_t> processes;
  for (std::size_t i = run.random.between(1, 3); i > 0; --i)
    processes.push_back(run.start([&](Random random) {
      setenv("CLARITY_CACHE_DIR", cache.c_str(), 1);
      useCache(random);
    }));
  for (std::size_t i = run.random.between(20, 200); i > 0; --i) {
    damage(cache, decoy, run.random);
    usleep(static_cast<useconds_t>(run.random.below(5'000)));
  }
  for (const pid_t each : processes) run.expectGood(each);
  // A new process finds what is left.
  run.expectGood(run.start([&](Random random) {
    setenv("CLARITY_CACHE_DIR", cache.c_str(), 1);
    useCache(random);
  }));
  std::string found;
  std::getline(std::ifstream(decoy), found);
  if (found != words) throw Failure("a file that a link in the cache led to was changed");
  if (std::distance(fs::directory_iterator(decoy.parent_path()), fs::directory_iterator()) != 1)
    throw Failure("files were made in a folder that a link in the cache led to");
}

}  // namespace clarity::stress
