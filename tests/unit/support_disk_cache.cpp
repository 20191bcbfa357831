// SPDX-License-Identifier: Apache-2.0
// This file tests the cache of compiled code: what it keeps, what it refuses, and that it never fails.
#include "support/disk_cache.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace clarity::support {
namespace {

namespace fs = std::filesystem;

Hash128 key(std::uint64_t number) { return Hasher().add(number).finish(); }

std::vector<fs::path> entriesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& item : fs::recursive_directory_iterator(folder))
      if (item.is_regular_file()) files.push_back(item.path());
  return files;
}

std::uint64_t bytesIn(const fs::path& folder) {
  std::uint64_t total = 0;
  for (const fs::path& file : entriesIn(folder)) total += fs::file_size(file);
  return total;
}

TEST(DiskCache, givesBackWhatWasPut) {
  const TemporaryFolder folder;
  DiskCache cache(folder / "deep/er/cache");
  EXPECT_FALSE(cache.get(key(1)));
  cache.put(key(1), "one");
  cache.put(key(2), std::string_view("two\0too", 7));
  EXPECT_EQ(cache.get(key(1)), "one");
  EXPECT_EQ(cache.get(key(2)), std::string_view("two\0too", 7));
  cache.put(key(1), "changed");
  EXPECT_EQ(cache.get(key(1)), "changed");
}

TEST(DiskCache, outlivesTheProcessThatFilledIt) {
  const TemporaryFolder folder;
  DiskCache(folder / "c").put(key(1), "one");
  DiskCache second(folder / "c");
  EXPECT_EQ(second.get(key(1)), "one");
  second.remove(key(1));
  EXPECT_FALSE(second.get(key(1)));
  EXPECT_FALSE(DiskCache(folder / "c").get(key(1)));
}

TEST(DiskCache, withoutFolderKeepsNothing) {
  DiskCache cache("");
  cache.put(key(1), "one");
  EXPECT_FALSE(cache.get(key(1)));
  EXPECT_FALSE(cache.enabled());
}

TEST(DiskCache, damagedEntriesAreRemovedAndMissed) {
  const std::string content(1000, 'x');
  const auto damages = std::vector<void (*)(const fs::path&)>{
      [](const fs::path& p) { fs::resize_file(p, fs::file_size(p) - 1); },
      [](const fs::path& p) { fs::resize_file(p, fs::file_size(p) + 1); },
      [](const fs::path& p) { fs::resize_file(p, 10); },
      [](const fs::path& p) { fs::resize_file(p, 0); },
      [](const fs::path& p) { std::fstream(p, std::ios::in | std::ios::out).seekp(500).put('y'); },
      [](const fs::path& p) { std::fstream(p, std::ios::in | std::ios::out).seekp(0).put('y'); },
      [](const fs::path& p) { std::fstream(p, std::ios::in | std::ios::out).seekp(20).put('y'); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    const TemporaryFolder folder;
    DiskCache(folder / "c").put(key(1), content);
    const auto files = entriesIn(folder / "c");
    ASSERT_EQ(files.size(), 1u);
    damages[i](files[0]);
    DiskCache cache(folder / "c");
    EXPECT_FALSE(cache.get(key(1))) << "damage " << i;
    EXPECT_FALSE(fs::exists(files[0])) << "damage " << i;
    cache.put(key(1), content);
    EXPECT_EQ(DiskCache(folder / "c").get(key(1)), content) << "damage " << i;
  }
}

TEST(DiskCache, anEntryUnderAnotherKeysNameIsMissed) {
  const TemporaryFolder folder;
  Hash128 first = key(1), second = key(1);
  second.low ^= 1;
  DiskCache(folder / "c").put(first, "one");
  const std::string name = second.hex();
  fs::copy_file(entriesIn(folder / "c")[0], folder / ("c/" + name.substr(0, 1) + "/" + name.substr(1)));
  EXPECT_FALSE(DiskCache(folder / "c").get(second));
  EXPECT_EQ(DiskCache(folder / "c").get(first), "one");
}

TEST(DiskCache, folderThatIsAFile) {
  const TemporaryFolder folder;
  folder.write("file", "text");
  DiskCache cache(folder / "file");
  cache.put(key(1), "one");
  EXPECT_EQ(cache.get(key(1)), "one");  // memory still works
  EXPECT_FALSE(DiskCache(folder / "file").get(key(1)));
  DiskCache below(folder / "file/below");
  below.put(key(1), "one");
  EXPECT_EQ(below.get(key(1)), "one");
}

TEST(DiskCache, folderThatOthersMayWriteToIsNotUsed) {
  const TemporaryFolder folder;
  DiskCache(folder / "c").put(key(1), "one");
  ::chmod((folder / "c").c_str(), 0777);
  DiskCache cache(folder / "c");
  EXPECT_FALSE(cache.get(key(1)));
  cache.put(key(2), "two");
  EXPECT_EQ(entriesIn(folder / "c").size(), 1u);
}

/// A cache as another user could have prepared it. Needs the right to give files away, which root has.
struct PlantedCache : testing::Test {
  static constexpr uid_t other = 12345;
  const TemporaryFolder folder;
  const std::string path = folder / "c";
  std::vector<std::string> complaints;

  static PlantedCache*& running() {
    static PlantedCache* instance = nullptr;
    return instance;
  }
  void TearDown() override { DiskCache::complainTo(nullptr); }
  void SetUp() override {
    running() = this;
    DiskCache::complainTo([](const std::string& text) { running()->complaints.push_back(text); });
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
    DiskCache(path).put(key(1), "one");
    ASSERT_EQ(found(), "one");
    ASSERT_TRUE(complaints.empty());
  }
  fs::path file() const { return entriesIn(path).at(0); }
  fs::path subfolder() const { return file().parent_path(); }
  static void give(const fs::path& to) { ASSERT_EQ(::lchown(to.c_str(), other, other), 0); }
  DiskCache fresh() { return DiskCache(path); }
  std::string found() { return fresh().get(key(1)).value_or("nothing"); }
  /// Nothing is loaded and nothing written, and `part` is said of why, once.
  void expectRefused(const std::string& part) {
    DiskCache cache = fresh();
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(cache.get(key(1)));
    ASSERT_EQ(complaints.size(), 1U);
    EXPECT_NE(complaints[0].find(part), std::string::npos) << complaints[0];
    EXPECT_NE(complaints[0].find(path), std::string::npos) << complaints[0];
  }
};

TEST_F(PlantedCache, folderOfAnotherUser) {
  give(path);
  expectRefused("belongs to user 12345, and this process runs as user 0");
}

TEST_F(PlantedCache, subfolderOfAnotherUser) {
  give(subfolder());
  expectRefused("belongs to user 12345");
  fresh().put(key(1), "mine");
  EXPECT_EQ(found(), "nothing");
  EXPECT_EQ(entriesIn(path).size(), 1U) << "written into a folder of another user";
}

TEST_F(PlantedCache, fileOfAnotherUser) {
  give(file());
  expectRefused("belongs to user 12345");
  // The folder is ours: what does not belong there is replaced.
  fresh().put(key(1), "mine");
  EXPECT_EQ(found(), "mine");
}

TEST_F(PlantedCache, subfolderOrFileThatOthersMayWriteTo) {
  const fs::path planted = file();
  ::chmod(planted.c_str(), 0666);
  expectRefused("0666");
  ::chmod(planted.c_str(), 0600);
  complaints.clear();
  ::chmod(subfolder().c_str(), 0770);
  expectRefused("0770");
}

TEST_F(PlantedCache, subfolderThatIsALink) {
  const fs::path real = subfolder();
  fs::rename(real, folder / "elsewhere");
  fs::create_directory_symlink(folder / "elsewhere", real);
  expectRefused("is a symbolic link");
}

TEST_F(PlantedCache, fileThatIsALink) {
  const fs::path real = file();
  fs::rename(real, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", real);
  expectRefused("is a symbolic link");
}

// The names of sub-folders are digits, and so are those of a process's open files.
TEST_F(PlantedCache, folderThatIsTheListOfOpenFiles) {
  std::uint64_t number = 2;
  while (key(number).high >> 60 != 9) ++number;
  DiskCache(path).put(key(number), "one");
  const int target = 9;
  const fs::path planted = path + "/9";
  const int opened = ::open(planted.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::dup2(opened, target), target);
  fs::rename(path, folder / "real");
  give(folder / "real" / planted.filename());
  fs::create_directory_symlink("/proc/self/fd", path);
  DiskCache cache = fresh();
  EXPECT_FALSE(cache.get(key(number)));
  EXPECT_EQ(complaints.size(), 1U);
  ::close(opened);
  ::close(target);
}

// Many keep ~/.cache on another disk: a link of one's own is followed, one of another user is not.
TEST_F(PlantedCache, folderThatIsALink) {
  fs::rename(path, folder / "real");
  fs::create_directory_symlink("real", path);
  EXPECT_EQ(found(), "one");
  EXPECT_TRUE(complaints.empty());
  fs::create_directory_symlink(folder.path(), folder / "way");
  EXPECT_EQ(DiskCache(folder / "way/c").get(key(1)), "one");
  give(path);
  expectRefused("is one of user 12345");
}

TEST_F(PlantedCache, linksWithoutEnd) {
  fs::remove_all(path);
  fs::create_directory_symlink("c", path);
  EXPECT_EQ(found(), "nothing");
}

// A folder of root's that the user may only read: root could change the driver as well.
TEST_F(PlantedCache, folderOfRootServesAll) {
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(path.c_str(), 0755);
  ::chmod(subfolder().c_str(), 0755);
  ::chmod(file().c_str(), 0644);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setresuid(other, other, other) != 0) ::_exit(2);
    ::_exit(found() == "one" && complaints.empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// Nothing else is deleted of a folder that is not for the cache alone.
TEST(DiskCache, onlyEntriesAreEvicted) {
  const TemporaryFolder folder;
  for (const char digit : std::string("0123456789abcdef"))
    folder.write(std::string("c/") + digit + "/holiday.jpg", std::string(100000, 'x'));
  ::chmod((folder / "c").c_str(), 0755);
  for (const char digit : std::string("0123456789abcdef"))
    ::chmod((folder / ("c/" + std::string(1, digit))).c_str(), 0755);
  DiskCache cache(folder / "c", 1 << 20);
  for (std::uint64_t i = 0; i < 400; ++i) cache.put(key(i), std::string(10000, 'y'));
  std::size_t photos = 0;
  for (const fs::path& file : entriesIn(folder / "c")) photos += file.filename() == "holiday.jpg";
  EXPECT_EQ(photos, 16U);
}

TEST(DiskCache, folderThatCannotBeMade) {
  DiskCache cache("/proc/clarity-cannot-be-here/cache");
  cache.put(key(1), "one");
  EXPECT_EQ(cache.get(key(1)), "one");
  DiskCache longName("/tmp/" + std::string(5000, 'x'));
  longName.put(key(1), "one");
  EXPECT_EQ(longName.get(key(1)), "one");
}

TEST(DiskCache, fullDiskLosesTheEntryAndNothingElse) {
  const TemporaryFolder folder;
  DiskCache cache(folder / "c");
  cache.put(key(1), "one");
  // A limit on the size of files is what a test can have in place of a full disk: writes fail half-way.
  const std::string large(1 << 16, 'x');
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    DiskCache limited(folder / "c");
    limited.put(key(2), large);
    ::_exit(limited.get(key(2)) == large && limited.get(key(1)) == "one" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  DiskCache after(folder / "c");
  EXPECT_EQ(after.get(key(1)), "one");
  EXPECT_FALSE(after.get(key(2)));
  EXPECT_EQ(entriesIn(folder / "c").size(), 1u) << "a half-written file was left behind";
}

TEST(DiskCache, sizeIsBounded) {
  const TemporaryFolder folder;
  constexpr std::uint64_t maxBytes = 1 << 20;
  const std::string content(4000, 'x');
  for (std::uint64_t process = 0; process < 20; ++process) {
    DiskCache cache(folder / "c", maxBytes);
    for (std::uint64_t i = 0; i < 50; ++i) cache.put(key(process * 1000 + i), content);
  }
  EXPECT_LE(bytesIn(folder / "c"), maxBytes + maxBytes / 4);
  EXPECT_GE(bytesIn(folder / "c"), maxBytes / 2);
}

TEST(DiskCache, whatIsLargerThanItsShareIsNotWritten) {
  const TemporaryFolder folder;
  DiskCache cache(folder / "c", 1 << 20);
  cache.put(key(1), std::string(1 << 17, 'x'));
  EXPECT_EQ(bytesIn(folder / "c"), 0u);
}

TEST(DiskCache, theLeastRecentlyUsedGoesFirst) {
  const TemporaryFolder folder;
  constexpr std::uint64_t maxBytes = 16 * 8 * 5000;  // eight entries of 4952 bytes for each sub-folder
  std::vector<Hash128> keys;
  for (std::uint64_t i = 0; keys.size() < 64; ++i)
    if (const Hash128 k = key(i); k.high >> 60 == 3 && (k.low & 7) != 0) keys.push_back(k);
  const std::string content(4952 - 48, 'x');
  {
    DiskCache cache(folder / "c", 1 << 30);
    for (std::size_t i = 0; i < 8; ++i) cache.put(keys[i], content);
  }
  for (const fs::path& file : entriesIn(folder / "c"))
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(10));
  EXPECT_TRUE(DiskCache(folder / "c", maxBytes).get(keys[0]));  // a use, in another process as it were
  DiskCache cache(folder / "c", maxBytes);
  for (std::size_t i = 8; i < 12; ++i) cache.put(keys[i], content);
  DiskCache after(folder / "c", maxBytes);
  EXPECT_TRUE(after.get(keys[0]));
  for (std::size_t i = 8; i < 12; ++i) EXPECT_TRUE(after.get(keys[i])) << i;
  std::size_t left = 0;
  for (std::size_t i = 1; i < 8; ++i) left += after.get(keys[i]).has_value();
  EXPECT_LT(left, 4u);
}

TEST(DiskCache, memoryIsBoundedAndTheDiskRemembers) {
  const TemporaryFolder folder;
  DiskCache cache(folder / "c", 256 << 20, /*maxMemoryBytes=*/10000);
  for (std::uint64_t i = 0; i < 100; ++i) cache.put(key(i), std::string(2000, static_cast<char>('a' + i % 26)));
  fs::remove_all(folder / "c");
  std::size_t left = 0;
  for (std::uint64_t i = 0; i < 100; ++i) left += cache.get(key(i)).has_value();
  EXPECT_EQ(left, 5u);
}

// A process that builds a thousand programs keeps few of them in memory.
TEST(DiskCache, aProcessDoesNotGrowWithWhatItHasBuilt) {
  const TemporaryFolder folder;
  DiskCache cache(folder / "c");
  for (std::uint64_t i = 0; i < 1000; ++i) cache.put(key(i), std::string(10000, static_cast<char>('a' + i % 26)));
  fs::remove_all(folder / "c");
  std::size_t left = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) left += cache.get(key(i)).has_value();
  EXPECT_LT(left, 300u);
  EXPECT_GT(left, 0u);
}

TEST(DiskCache, manyThreadsAndCachesOnOneFolder) {
  const TemporaryFolder folder;
  DiskCache shared(folder / "c", 8 << 20, 1 << 16);
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      DiskCache own(folder / "c", 8 << 20, 1 << 16);
      DiskCache& cache = t % 2 ? own : shared;
      for (std::uint64_t i = 0; i < 200; ++i) {
        const std::uint64_t which = i * 7 % 50;
        const std::string content(1000 + which, static_cast<char>('a' + which % 26));
        if (const auto found = cache.get(key(which)); found && *found != content) ++wrong;
        cache.put(key(which), content);
        if (i % 11 == 0) cache.remove(key(which));
      }
    });
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace clarity::support
