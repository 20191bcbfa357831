// SPDX-License-Identifier: Apache-2.0
// This file tests where the sentences of errors go without a callback (docs/messages.md): CLARITY_MESSAGES,
// CLARITY_TRACE and clGetLastErrorTextCLARITY. The environment is read once in a process, so the mistakes are made in a
// new process of this program, by the tests of MessagesChild, which are disabled otherwise.
#include "fixture.h"
#include "folder.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

extern char** environ;

namespace clarity::test {
namespace {

using Variables = std::map<std::string, std::string>;

/// The text that a process wrote to standard error, and how it ended.
struct Written {
  std::string text;
  int status = -1;
};

/// The two ends of what a child writes its errors to.
struct Ends {
  int read = -1, write = -1;
};

Ends pipeEnds() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  return {ends[0], ends[1]};
}

Ends terminalEnds() {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_GE(terminal, 0);
  EXPECT_EQ(::grantpt(terminal), 0);
  EXPECT_EQ(::unlockpt(terminal), 0);
  return {terminal, ::open(::ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC)};
}

std::vector<std::string> environmentWith(const Variables& variables) {
  std::vector<std::string> result;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string entry = *each;
    const std::string name = entry.substr(0, entry.find('='));
    if (name != "CLARITY_MESSAGES" && name != "CLARITY_TRACE" && name != "NO_COLOR" && name != "TERM")
      result.push_back(entry);
  }
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  result.emplace_back("CLARITY_TEST_SEED=1");  // tests/discrete: the device tells the seed that it chooses
  return result;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& each : words) result.push_back(each.data());
  result.push_back(nullptr);
  return result;
}

/// Runs MessagesChild.DISABLED_`scenario` with its errors on these ends. `listen`: someone reads them.
Written run(const std::string& scenario, const Variables& variables, Ends ends, bool listen = true) {
  std::vector<std::string> words{"/proc/self/exe", "--gtest_filter=MessagesChild.DISABLED_" + scenario,
                                 "--gtest_also_run_disabled_tests"};
  std::vector<std::string> environment = environmentWith(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends.write, STDERR_FILENO);
  pid_t child = -1;
  EXPECT_EQ(::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointersTo(words).data(),
                          pointersTo(environment).data()),
            0);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends.write);
  Written result;
  std::array<char, 4096> block{};
  for (ssize_t got = 1; listen && got > 0;) {
    got = ::read(ends.read, block.data(), block.size());
    if (got > 0) result.text.append(block.data(), static_cast<size_t>(got));
  }
  ::close(ends.read);
  ::waitpid(child, &result.status, 0);
  EXPECT_EQ(result.status, 0) << "the mistakes were not as expected, or ended the process\n" << result.text;
  return result;
}

size_t timesIn(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string contentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

constexpr const char* kKernelSentence =
    "clCreateKernel: CL_INVALID_KERNEL_NAME: the program has no kernel 'saxpi' (did you mean 'saxpy'?); it has saxpy, "
    "scale";

/// The mistakes of the child.
struct MessagesChild : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    silent = otherContext();  // without a callback
  }
  cl_program programIn(cl_context where, const std::string& text) {
    return created([&](cl_int* e) {
      const char* start = text.c_str();
      return clCreateProgramWithSource(where, 1, &start, nullptr, e);
    });
  }
  cl_program built() {
    cl_program program = programIn(
        silent, "kernel void saxpy(global float* y, float a) { y[0] *= a; } kernel void scale(global float* y) {}");
    EXPECT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    return program;
  }
  void mistakeName(cl_program program) {
    expectFails(CL_INVALID_KERNEL_NAME, [&](cl_int* e) { return clCreateKernel(program, "saxpi", e); });
  }
  static void CL_CALLBACK keepText(const char* text, const void* /*data*/, size_t /*bytes*/, void* into) {
    *static_cast<std::string*>(into) = text;
  }
  cl_context silent = nullptr;
};

TEST_F(MessagesChild, DISABLED_names) {
  cl_program program = built();
  for (int i = 0; i < 3; ++i) mistakeName(program);
}

TEST_F(MessagesChild, DISABLED_builds) {
  std::string text;
  for (int i = 0; i < 15; ++i) text += "kernel void k" + std::to_string(i) + "() { wrong" + std::to_string(i) + "; }\n";
  cl_program program = programIn(silent, text);
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
}

TEST_F(MessagesChild, DISABLED_options) {
  cl_program program = programIn(silent, "");
  EXPECT_CL(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 1, &device, "-cl-fast-relaxed-mth", nullptr, nullptr));
}

/// A warning that says what a program means against its author's mind.
TEST_F(MessagesChild, DISABLED_forgottenType) {
  cl_program program = programIn(silent, "kernel void k(__local* p, global int* o) { o[0] = p[0]; }");
  EXPECT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
}

/// A context that has a callback, in its creation and later; questions; and an error before there is any context.
TEST_F(MessagesChild, DISABLED_others) {
  std::string text;
  expectFails(CL_INVALID_BUFFER_SIZE, [&](cl_int* e) { return clCreateBuffer(context, 0, 0, nullptr, e); });
  expectFails(CL_INVALID_PROPERTY, [&](cl_int* e) {
    const std::array<cl_context_properties, 3> list{12345, 1, 0};
    return clCreateContext(list.data(), 1, &device, &keepText, &text, e);
  });
  EXPECT_NE(text.find("0x3039"), std::string::npos) << text;
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(device, 0xdead, 0, nullptr, nullptr));
  expectFails(CL_DEVICE_NOT_FOUND,
              [&](cl_int* e) { return clCreateContextFromType(nullptr, CL_DEVICE_TYPE_CUSTOM, nullptr, nullptr, e); });
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr));
  expectFails(CL_INVALID_PROPERTY, [&](cl_int* e) {
    const std::array<cl_context_properties, 3> list{54321, 1, 0};
    return clCreateContext(list.data(), 1, &device, nullptr, nullptr, e);
  });
}

/// Processes that were forked and threads that all fail alike.
TEST_F(MessagesChild, DISABLED_many) {
  cl_program program = built();
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      clCreateKernel(program, "saxpi", nullptr);
      ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) clCreateKernel(program, "saxpi", nullptr);
    });
  for (std::thread& each : threads) each.join();
}

/// The errno that a call leaves, whatever becomes of its message.
TEST_F(MessagesChild, DISABLED_errorNumber) {
  cl_program program = built();
  errno = EDOM;
  clCreateKernel(program, "saxpi", nullptr);
  EXPECT_EQ(errno, EDOM);
}

/// More different texts than anyone reads.
TEST_F(MessagesChild, DISABLED_flood) {
  cl_program program = built();
  for (int i = 0; i < 3000; ++i) clCreateKernel(program, ("absent_kernel_" + std::to_string(i)).c_str(), nullptr);
}

struct Messages : OpenCL {
  Folder folder{"messages"};
};

TEST_F(Messages, autoWritesToATerminalOnly) {
  EXPECT_EQ(run("names", {}, pipeEnds()).text, "");
  EXPECT_EQ(run("names", {{"CLARITY_MESSAGES", "auto"}}, pipeEnds()).text, "");
  EXPECT_EQ(run("names", {}, terminalEnds()).text, std::string("clarity: ") + kKernelSentence + "\r\n");
}

TEST_F(Messages, coloursAreForTerminals) {
  const std::string coloured = run("names", {{"TERM", "xterm"}}, terminalEnds()).text;
  EXPECT_NE(coloured.find("\x1b[1;31mCL_INVALID_KERNEL_NAME\x1b[0m"), std::string::npos) << coloured;
  const std::string built = run("builds", {{"TERM", "xterm"}}, terminalEnds()).text;
  EXPECT_NE(built.find("\x1b[1;31merror:\x1b[0m"), std::string::npos) << built;
  EXPECT_NE(built.find("\x1b[1;32m"), std::string::npos) << "the caret\n" << built;
  for (const Variables& plain :
       {Variables{{"TERM", "xterm"}, {"NO_COLOR", "1"}}, Variables{{"TERM", "dumb"}}, Variables{}})
    EXPECT_EQ(run("names", plain, terminalEnds()).text.find('\x1b'), std::string::npos);
  EXPECT_EQ(run("names", {{"TERM", "xterm"}, {"CLARITY_MESSAGES", "always"}}, pipeEnds()).text.find('\x1b'),
            std::string::npos);
}

TEST_F(Messages, aForgottenTypeIsToldOnTheTerminal) {
  const std::string text = run("forgottenType", {}, terminalEnds()).text;
  EXPECT_NE(text.find("program.cl:1:24: warning: type specifier missing, defaults to 'int'"), std::string::npos)
      << text;
  EXPECT_NE(text.find("Write the type"), std::string::npos) << text;
  EXPECT_EQ(run("forgottenType", {}, pipeEnds()).text, "");
}

TEST_F(Messages, alwaysAndNever) {
  EXPECT_EQ(run("names", {{"CLARITY_MESSAGES", "always"}}, pipeEnds()).text,
            std::string("clarity: ") + kKernelSentence + "\n");
  EXPECT_EQ(run("names", {{"CLARITY_MESSAGES", "never"}}, terminalEnds()).text, "");
}

TEST_F(Messages, nobodyReadsThem) {
  const Ends ends = pipeEnds();
  ::close(ends.read);
  run("many", {{"CLARITY_MESSAGES", "always"}}, {-1, ends.write}, false);
}

TEST_F(Messages, leaveTheErrorNumberAlone) {
  const Ends ends = pipeEnds();
  ::close(ends.read);
  run("errorNumber", {{"CLARITY_MESSAGES", "always"}}, {-1, ends.write}, false);
  run("errorNumber", {{"CLARITY_MESSAGES", "/dev/full"}}, pipeEnds());
}

TEST_F(Messages, filesAreAddedTo) {
  const std::string path = folder.path() + "/log.txt";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(run("names", {{"CLARITY_MESSAGES", path}}, terminalEnds()).text, "");
  EXPECT_EQ(contentOf(path), std::string("clarity: ") + kKernelSentence + "\nclarity: " + kKernelSentence + "\n");
}

TEST_F(Messages, filesThatCannotBeWrittenTo) {
  const std::string text =
      run("names", {{"CLARITY_MESSAGES", "/dev/null/log"}}, pipeEnds()).text + run("names", {}, pipeEnds()).text;
  EXPECT_EQ(timesIn(text, "'/dev/null/log' cannot be written to (Not a directory)"), 1u) << text;
  EXPECT_EQ(timesIn(text, kKernelSentence), 1u) << text;
}

// A log is long: on standard error the first error, in a file everything.
TEST_F(Messages, buildLogs) {
  const std::string brief = run("builds", {{"CLARITY_MESSAGES", "always"}}, pipeEnds()).text;
  EXPECT_EQ(timesIn(brief, "clBuildProgram: CL_BUILD_PROGRAM_FAILURE"), 1u) << brief;
  EXPECT_EQ(timesIn(brief, "error: "), 1u) << brief;
  EXPECT_EQ(timesIn(brief, "use of undeclared identifier 'wrong0'"), 1u) << brief;
  EXPECT_EQ(timesIn(brief, "^~~~~~"), 1u) << brief;
  EXPECT_EQ(timesIn(brief, "more lines in the build log"), 1u) << brief;
  const std::string path = folder.path() + "/log.txt";
  run("builds", {{"CLARITY_MESSAGES", path}}, pipeEnds());
  EXPECT_EQ(timesIn(contentOf(path), "error: "), 15u) << contentOf(path);
}

TEST_F(Messages, misspeltBuildOptions) {
  const std::string text = run("options", {{"CLARITY_MESSAGES", "always"}}, pipeEnds()).text;
  EXPECT_NE(text.find("unknown build option '-cl-fast-relaxed-mth' (did you mean '-cl-fast-relaxed-math'?)"),
            std::string::npos)
      << text;
}

TEST_F(Messages, callbacksTakeThem) {
  const std::string text = run("others", {{"CLARITY_MESSAGES", "always"}}, pipeEnds()).text;
  EXPECT_EQ(timesIn(text, "clarity: "), 1u) << text;
  EXPECT_NE(text.find("clCreateContext: CL_INVALID_PROPERTY: context property 0xd431"), std::string::npos) << text;
}

TEST_F(Messages, onceForThreadsAndForks) {
  EXPECT_EQ(run("many", {{"CLARITY_MESSAGES", "always"}}, pipeEnds()).text,
            std::string("clarity: ") + kKernelSentence + "\n");
}

TEST_F(Messages, aFloodEnds) {
  const std::string text = run("flood", {{"CLARITY_MESSAGES", "always"}}, pipeEnds()).text;
  EXPECT_GE(timesIn(text, "clarity: "), 100u);
  EXPECT_LE(timesIn(text, "clarity: "), 1100u);
}

TEST_F(Messages, theTraceHasThem) {
  const std::string text = run("others", {{"CLARITY_TRACE", "1"}, {"CLARITY_MESSAGES", "never"}}, pipeEnds()).text;
  EXPECT_NE(text.find("us): clCreateContext: CL_INVALID_PROPERTY: context property 0xd431"), std::string::npos) << text;
  EXPECT_NE(text.find("clGetDeviceInfo = CL_INVALID_VALUE"), std::string::npos) << text;
  EXPECT_NE(text.find("us): clGetDeviceInfo: CL_INVALID_VALUE: "), std::string::npos) << text;
  EXPECT_EQ(text.find("CL_SUCCESS (0.0 us): "), std::string::npos) << text;
}

TEST_F(Messages, aTraceThatCannotBeWrittenTo) {
  const std::string text =
      run("names", {{"CLARITY_TRACE", "/dev/null/trace"}, {"CLARITY_MESSAGES", "never"}}, pipeEnds()).text;
  EXPECT_EQ(timesIn(text,
                    "clarity: CLARITY_TRACE: '/dev/null/trace' cannot be written to (Not a "
                    "directory); the trace goes to standard error\n"),
            1u)
      << text;
  EXPECT_NE(text.find("clCreateKernel = "), std::string::npos) << text;
}

TEST_F(Messages, unknownVariables) {
  const Variables wrong{
      {"CLARITY_TREADS", "1"}, {"CLARITY_CASH", "0"}, {"CLARITY_SPEED", "11"}, {"CLARITY_MESSAGES", "always"}};
  const std::string text = run("many", wrong, pipeEnds()).text;
  EXPECT_EQ(timesIn(text, "there is no option CLARITY_TREADS (did you mean 'CLARITY_THREADS'?)"), 1u) << text;
  EXPECT_EQ(timesIn(text, "there is no option CLARITY_CASH (did you mean 'CLARITY_CACHE'?)"), 1u) << text;
  EXPECT_EQ(timesIn(text, "there is no option CLARITY_SPEED; 'clarity info --options' lists all"), 1u) << text;
  EXPECT_EQ(run("names", {{"CLARITY_TREADS", "1"}, {"CLARITY_MESSAGES", "never"}}, terminalEnds()).text, "");
}

struct GetLastErrorText : OpenCL {
  using Function = cl_int(CL_API_CALL*)(size_t, char*, size_t*);
  void SetUp() override {
    OpenCL::SetUp();
    function =
        reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, "clGetLastErrorTextCLARITY"));
    ASSERT_NE(function, nullptr);
  }
  std::string text() {
    size_t size = 0;
    EXPECT_SUCCESS(function(0, nullptr, &size));
    std::string result(size, '?');
    EXPECT_SUCCESS(function(size, result.data(), &size));
    EXPECT_EQ(size, result.size());
    return result.c_str();
  }
  Function function = nullptr;
};

TEST_F(GetLastErrorText, isThatOfTheThread) {
  std::thread([&] {
    EXPECT_EQ(text(), "");
    expectFails(CL_INVALID_BUFFER_SIZE, [&](cl_int* e) { return clCreateBuffer(context, 0, 0, nullptr, e); });
    EXPECT_NE(text().find("clCreateBuffer: CL_INVALID_BUFFER_SIZE: "), std::string::npos) << text();
    buffer(4);
    EXPECT_NE(text().find("clCreateBuffer"), std::string::npos) << "success leaves it";
    std::thread([&] { EXPECT_EQ(text(), ""); }).join();
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clFinish(nullptr));  // past the loader
    EXPECT_NE(text().find("clFinish: CL_INVALID_COMMAND_QUEUE: "), std::string::npos) << text();
  }).join();
}

// CL_INVALID_VALUE if both pointers are null or size is too small; the sentence stays.
TEST_F(GetLastErrorText, invalidValue) {
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clFinish(nullptr));  // past the loader
  const std::string before = text();
  char room[4] = {};
  EXPECT_CL(CL_INVALID_VALUE, function(sizeof room, room, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, function(before.size(), room, nullptr)) << "no room for the zero";
  EXPECT_CL(CL_INVALID_VALUE, function(0, nullptr, nullptr));
  EXPECT_EQ(text(), before);
}

// The error of a command, which happened on another thread, is part of what the waiting call says.
TEST_F(GetLastErrorText, ofCommands) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  cl_kernel kernel = this->kernel(build("kernel void k(global int* a) { a[0] = 1; }"), "k");
  cl_mem memory = buffer(4);
  ASSERT_SUCCESS(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  cl_event gate = userEvent(), event = nullptr;
  const size_t global = 1;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 1, &gate, &event));
  keep(event);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, -1234));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_NE(text().find("event_list[0] ended with CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"), std::string::npos)
      << text();
  ASSERT_SUCCESS(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr));
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_NE(text().find("an earlier command of this command-queue failed with "), std::string::npos) << text();
  EXPECT_NE(text().find("kernel 'k'"), std::string::npos) << text();
}

TEST_F(GetLastErrorText, isAnExtensionOfThePlatform) {
  const std::string extensions = infoStringOf(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS);
  EXPECT_NE(extensions.find("cl_clarity_last_error"), std::string::npos) << extensions;
}

}  // namespace
}  // namespace clarity::test
