// SPDX-License-Identifier: Apache-2.0
// This file finds the driver relative to the executable and creates the folder from which a loader loads it.
#include "driver.h"

#include "command.h"
#include "files.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace fs = std::filesystem;
namespace {

// The same name for the same driver in every process, so that repeated calls create one folder.
std::string nameOf(const std::string& library) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : library) hash = (hash ^ c) * 0x100000001b3u;
  return fmt::format("clarity-icd-{}-{:016x}", ::getuid(), hash);
}

// Only this user may have write access to the folder: an .icd file names code to run.
bool isOurs(const fs::path& folder) {
  struct stat info{};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::getuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<fs::path> makeVendorsFolder(const std::string& library) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code error;
  std::vector<fs::path> places;
  if (runtime && *runtime) places.emplace_back(runtime);
  places.push_back(fs::temp_directory_path(error));
  for (const fs::path& place : places) {
    const fs::path folder = place / nameOf(library);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) continue;
    if (!isOurs(folder)) continue;
    const fs::path file = folder / "driver.icd";
    const fs::path draft = folder / fmt::format("draft-{}", ::getpid());
    try {
      if (fs::exists(file) && readText(file) == library + "\n") return folder;
      writeText(draft, library + "\n");
      fs::rename(draft, file);
      return folder;
    } catch (const std::exception&) {
      fs::remove(draft, error);
    }
  }
  return std::nullopt;
}

std::string firstLine(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  const size_t end = text.find_first_of("\r\n", begin);
  std::string line = text.substr(begin, end == std::string::npos ? end : end - begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.pop_back();
  return line;
}

/// With a slash at its end: the loader of the CUDA toolkit appends the names of files to it as it is.
std::string folderForLoaders(const fs::path& folder) { return (folder / "").string(); }

}  // namespace

fs::path findLibrary(const std::string& name, const std::string& what) {
  const fs::path here = ownExecutable().parent_path();
  // Build tree: bin/clarity and lib/. Installed: <prefix>/bin and the library folder of the system.
  const std::vector<fs::path> folders = {here, here / "../lib", here / CLARITY_TOOL_LIBDIR,
                                         here / CLARITY_TOOL_LIBDIR / "clarity/driver", here / "../lib64"};
  std::string tried;
  for (const fs::path& folder : folders) {
    const fs::path candidate = (folder / name).lexically_normal();
    std::error_code error;
    if (fs::exists(candidate, error)) return fs::canonical(candidate);
    const std::string line = fmt::format("\n  {}", candidate.string());
    if (!(tried + "\n").contains(line + "\n")) tried += line;
  }
  throw Failure(fmt::format("{} {} was not found; looked for{}", what, name, tried));
}

fs::path findDriver() {
  try {
    return findLibrary("libclarity.so", "Clarity's driver");
  } catch (const Failure& failure) {
    throw Failure(
        fmt::format("{}\nBuild or install it, or name a driver with --icd PATH or CLARITY_ICD=PATH.", failure.what()));
  }
}

Environment environmentFor(const std::string& icd) {
  // Khronos' loader adds the drivers of OCL_ICD_FILENAMES; ocl-icd also reads OPENCL_VENDOR_PATH.
  Environment environment = {{"OCL_ICD_FILENAMES", std::nullopt}, {"OPENCL_VENDOR_PATH", std::nullopt}};
  std::string library;
  std::error_code error;
  if (icd.empty()) {
    library = findDriver().string();
  } else if (fs::is_directory(icd, error)) {
    environment["OCL_ICD_VENDORS"] = folderForLoaders(fs::absolute(icd));
    return environment;
  } else if (!fs::exists(icd, error)) {
    throw Failure(
        fmt::format("no driver at '{}'; expected a driver library, an .icd file or a folder of .icd files", icd));
  } else if (fs::path(icd).extension() == ".icd") {
    library = firstLine(readText(icd));
    if (library.empty()) throw Failure(fmt::format("'{}' is empty: an .icd file names a driver library", icd));
  } else {
    // The dynamic linker would wait for the writer of a pipe.
    if (!fs::is_regular_file(icd, error))
      throw Failure(
          fmt::format("'{}' is no driver library, no .icd file and no folder of .icd files: it is no file", icd));
    library = fs::absolute(icd).string();
  }
  const std::optional<fs::path> folder = makeVendorsFolder(library);
  // If no folder is writable, the path of the library: ocl-icd accepts it.
  environment["OCL_ICD_VENDORS"] = folder ? folderForLoaders(*folder) : library;
  return environment;
}

void addIcdOption(CLI::App& command, std::string& icd) {
  command
      .add_option("--icd", icd, "Driver to use instead of Clarity's: a library, an .icd file or a folder of .icd files")
      ->envname("CLARITY_ICD")
      ->type_name("PATH");
}

void useDriver(const std::string& icd) {
  for (const auto& [name, value] : environmentFor(icd)) {
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
}

}  // namespace clarity::tools
