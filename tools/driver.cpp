// SPDX-License-Identifier: Apache-2.0
// This file finds the driver relative to the executable and leads loaders to it.
#include "driver.h"

#include "command.h"
#include "files.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace fs = std::filesystem;
namespace {

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
  // ocl-icd also reads OPENCL_VENDOR_PATH.
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
  // ocl-icd takes a library for a folder of drivers. Khronos' loader and that of the CUDA toolkit find nothing in it,
  // and the library in the other variable. PyOpenCL's, which is ocl-icd, would add drivers of its own to those of a
  // folder.
  environment["OCL_ICD_VENDORS"] = library;
  environment["OCL_ICD_FILENAMES"] = library;
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
