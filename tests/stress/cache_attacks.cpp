// SPDX-License-Identifier: Apache-2.0
// This file is the scenario of a cache that is damaged while processes use it: their results stay right.
#include "run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace clarity::stress {
namespace {

namespace fs = std::filesystem;

/// Everything in the cache at this moment.
std::vector<fs::path> contentOf(const std::string& cache) {
  std::vector<fs::path> all{cache};
  std::error_code gone;
  for (auto each = fs::recursive_directory_iterator(cache, fs::directory_options::skip_permission_denied, gone);
       !gone && each != fs::recursive_directory_iterator(); each.increment(gone))
    all.push_back(each->path());
  return all;
}

void flipBits(const fs::path& path, Random& random) {
  std::error_code gone;
  const std::uintmax_t size = fs::file_size(path, gone);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  for (std::size_t i = random.between(1, 20); !gone && size > 0 && file && i > 0; --i) {
    const auto at =
        static_cast<std::streamoff>(random.below(random.chance(30) ? std::min<std::uintmax_t>(size, 48) : size));
    char byte = 0;
    file.seekg(at).get(byte);
    file.seekp(at).put(static_cast<char>(byte ^ 1 << random.below(8)));
  }
}

/// A link to something that a cache must not read.
void replaceByLink(const fs::path& path, const fs::path& other, Random& random) {
  const char* const targets[] = {"/dev/zero", "/dev/full", "/proc/self/exe", "/nowhere", "/proc/self/fd/0", "."};
  std::error_code ignored;
  fs::remove_all(path, ignored);
  fs::create_symlink(random.chance(30) ? other : fs::path(random.oneOf(targets)), path, ignored);
}

void damage(const std::string& cache, Random& random) {
  const std::vector<fs::path> all = contentOf(cache);
  // Of few things all, of many mostly files.
  const fs::path path = all[random.below(all.size())];
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(path, ignored);
  switch (random.below(9)) {
    case 0:
    case 1: return flipBits(path, random);
    case 2: return fs::resize_file(path, ignored ? 0 : random.below(size + 1), ignored);
    case 3: return fs::resize_file(path, size + random.below(std::size_t{1} << random.below(36)), ignored);
    case 4: return replaceByLink(path, all[random.below(all.size())], random);
    case 5:
      fs::remove_all(path, ignored);
      if (random.chance(50)) mkfifo(path.c_str(), 0600);
      return;
    case 6:
      fs::remove_all(path, ignored);
      if (random.chance(50)) fs::create_directory(path, ignored);
      return;
    case 7: return fs::permissions(path, static_cast<fs::perms>(random.below(01000)), ignored);
    default: return fs::rename(path, all[random.below(all.size())], ignored);
  }
}

/// Builds and computes again and again, with new contexts, so that the cache is asked each time.
void useCache(Random random) {
  for (std::size_t i = random.between(3, 10); i > 0; --i) operateOnThreads(random.split(), random.between(1, 3), 10);
}

}  // namespace

void cacheAttacks(Run& run) {
  const std::string cache = run.folder + "/attacked";
  std::vector<pid_t> processes;
  for (std::size_t i = run.random.between(1, 3); i > 0; --i)
    processes.push_back(run.start([&](Random random) {
      setenv("CLARITY_CACHE_DIR", cache.c_str(), 1);
      useCache(random);
    }));
  for (std::size_t i = run.random.between(20, 200); i > 0; --i) {
    damage(cache, run.random);
    usleep(static_cast<useconds_t>(run.random.below(5'000)));
  }
  for (const pid_t each : processes) run.expectGood(each);
  // A new process finds what is left.
  run.expectGood(run.start([&](Random random) {
    setenv("CLARITY_CACHE_DIR", cache.c_str(), 1);
    useCache(random);
  }));
}

}  // namespace clarity::stress
