// SPDX-License-Identifier: Apache-2.0
// This file tests that clBuildProgram needs nothing of the folder where compiled code is kept between processes: it may
// be missing, a file, unwritable, on a full disk, or hold damaged files. Each case is a process of its own, this
// program again, because a driver reads where the folder is when it starts.
#include "fixture.h"
#include "folder.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iterator>

extern char** environ;

namespace clarity::test {
namespace {

namespace fs = std::filesystem;

struct BuildCache : OpenCL {
  /// Starts a test in a new process with this folder; the process, or -1.
  pid_t startWith(const std::string& folder, const std::string& test = "buildsAndRuns") {
    std::vector<std::string> variables{"CLARITY_CACHE_DIR=" + folder};
    for (char** each = environ; *each != nullptr; ++each)
      if (std::string_view(*each).rfind("CLARITY_CACHE_DIR=", 0) != 0) variables.emplace_back(*each);
    std::vector<char*> environment;
    for (std::string& each : variables) environment.push_back(each.data());
    environment.push_back(nullptr);
    std::string program = fs::read_symlink("/proc/self/exe").string();
    std::string filter = "--gtest_filter=BuildCache." + test;
    char* arguments[] = {program.data(), filter.data(), nullptr};
    pid_t child = 0;
    return posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environment.data()) == 0 ? child : -1;
  }
  /// The exit status of a process when it has ended.
  int statusOf(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int childWith(const std::string& folder) { return statusOf(startWith(folder)); }
  /// The threads of this process.
  static std::ptrdiff_t threads() {
    return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
  }
  std::vector<fs::path> filesIn(const std::string& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder))
      if (each.is_regular_file()) files.push_back(each.path());
    return files;
  }
  std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void overwrite(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }
};

TEST_F(BuildCache, buildsAndRuns) {
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) { *r = 1234; }")), 1234);
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) {\n"
                          "  local int a[8]; int i = get_local_id(0); a[i] = i + 7; barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "  *r = a[0];\n}")),
            7);
}

TEST_F(BuildCache, theFolderIsMade) {
  const Folder folder("cache");
  EXPECT_EQ(childWith(folder.path() + "/deep/er"), 0);
  EXPECT_EQ(childWith(folder.path() + "/deep/er"), 0) << "and used again";
}

TEST_F(BuildCache, theFolderCannotBe) {
  const Folder folder("cache");
  folder.write("file", "no folder");
  EXPECT_EQ(childWith(folder.path() + "/file"), 0) << "a file";
  EXPECT_EQ(childWith(folder.path() + "/file/below"), 0) << "below a file";
  EXPECT_EQ(childWith("/proc/no/such/place"), 0) << "where no user can write";
  EXPECT_EQ(childWith("/dev/null"), 0) << "a device";
}

TEST_F(BuildCache, theFolderIsReadOnly) {
  const Folder folder("cache");
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  EXPECT_EQ(childWith(folder.path()), 0);
  chmod(folder.path().c_str(), 0755);
}

// No file can grow, as on a full disk: every write of the child fails.
TEST_F(BuildCache, theDiskIsFull) {
  const Folder folder("cache");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // the signal's disposition is the child's too
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const int full = childWith(folder.path());
  none.rlim_cur = 100;
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const int nearlyFull = childWith(folder.path());
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(full, 0);
  EXPECT_EQ(nearlyFull, 0);
  EXPECT_EQ(childWith(folder.path()), 0) << "what was left half written is not used";
}

// Files that are cut short, empty, flipped or something else are not believed.
TEST_F(BuildCache, theFilesAreDamaged) {
  const Folder folder("cache");
  ASSERT_EQ(childWith(folder.path()), 0);
  std::vector<std::pair<fs::path, std::string>> good;
  for (const fs::path& each : filesIn(folder.path())) good.emplace_back(each, contentOf(each));
  ASSERT_FALSE(good.empty()) << "nothing was cached";
  for (int damage = 0; damage < 6; ++damage) {
    for (const auto& [path, content] : good) {
      std::string damaged = content;
      switch (damage) {
        case 0: damaged.clear(); break;
        case 1: damaged.resize(damaged.size() / 2); break;
        case 2: damaged.resize(damaged.size() - std::min<size_t>(damaged.size(), 1)); break;
        case 3: damaged = std::string(damaged.size(), 'x'); break;
        case 4: damaged[damaged.size() / 2] = char(damaged[damaged.size() / 2] ^ 0x10); break;
        default: damaged[damaged.size() - 1] = char(damaged[damaged.size() - 1] ^ 0x01); break;
      }
      overwrite(path, damaged);
    }
    EXPECT_EQ(childWith(folder.path()), 0) << "damage " << damage;
  }
  // The code of one program under the name of another is not believed either.
  if (good.size() >= 2)
    for (size_t i = 0; i < good.size(); ++i) overwrite(good[i].first, good[(i + 1) % good.size()].second);
  EXPECT_EQ(childWith(folder.path()), 0) << "exchanged files";
}

// Many processes that fill the same folder at once do not disturb one another.
TEST_F(BuildCache, theFolderIsShared) {
  const Folder folder("cache");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(startWith(folder.path()));
  for (pid_t each : children) EXPECT_EQ(statusOf(each), 0);
}

// Reading from the folder needs no thread: locks cost more in a process that has several. The launches are of few
// work-items, waited for, behind an event, and in a command-queue out of order.
TEST_F(BuildCache, runsOnOneThread) {
  if (infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE) != CL_DEVICE_TYPE_CPU ||
      infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_TRUE)
    GTEST_SKIP() << "the device's driver has threads";
  const std::ptrdiff_t before = threads();
  const auto expectNoThread = [&](const char* after) {
    if (const char* kept = std::getenv("CLARITY_TEST_KEPT"); kept && *kept) EXPECT_EQ(threads(), before) << after;
  };
  cl_program program = build(
      "kernel void value(global int* r) { *r = 1234; }\n"
      "kernel void add(global int* r) { r[get_local_id(0)] += get_local_size(0); }\n"
      "kernel void twice(global int* r) { r[get_local_id(0)] *= get_local_size(0); }\n");
  expectNoThread("a build");
  EXPECT_EQ(valueOf(program), 1234);
  expectNoThread("a launch");
  cl_program loaded = fromBinary(binaryOf(program));
  ASSERT_SUCCESS(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr));
  expectNoThread("a binary");
  cl_mem memory = bufferOf(std::vector<cl_int>(8));
  cl_event gate = userEvent();
  const size_t items = 8;
  for (cl_command_queue each : {queue, anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)})
    for (const char* name : {"add", "twice"}) {
      cl_kernel one = kernel(loaded, name);
      ASSERT_SUCCESS(clSetKernelArg(one, 0, sizeof memory, &memory));
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(each, one, 1, nullptr, &items, &items, 1, &gate, nullptr));
      expectNoThread("a launch that waits");
    }
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clFinish(queue));
}

TEST_F(BuildCache, whatIsKeptNeedsNoThread) {
  const Folder folder("cache");
  ASSERT_EQ(statusOf(startWith(folder.path(), "runsOnOneThread")), 0);
  ASSERT_EQ(setenv("CLARITY_TEST_KEPT", "1", 1), 0);
  const int again = statusOf(startWith(folder.path(), "runsOnOneThread"));
  unsetenv("CLARITY_TEST_KEPT");
  EXPECT_EQ(again, 0);
}

}  // namespace
}  // namespace clarity::test
