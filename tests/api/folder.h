// SPDX-License-Identifier: Apache-2.0
// This file is a folder on disk that lives as long as a test, for headers that programs include.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace clarity::test {

class Folder {
public:
  /// A new folder whose name ends with `name`.
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("api_tests_" + std::to_string(getpid())) / name) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    std::filesystem::remove(path_.parent_path(), ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  /// Writes a file, in a folder inside this one where the name has a slash.
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

private:
  std::filesystem::path path_;
};

}  // namespace clarity::test
