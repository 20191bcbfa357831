// SPDX-License-Identifier: Apache-2.0
// This file reads descriptions of launches of other programs' kernels.
#include "programs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace bench {
namespace {

using Json = nlohmann::json;

// Sums in another order, and operations that fuse or do not, differ by less.
constexpr Tolerance rounding = {.absolute = 1e-4, .relative = 1e-3, .share = 1e-3, .nan = true};

// One argument: a role (in, out, update), a type, a count, and how a buffer is filled; or a type and a value; or
// `local` and bytes.
class ArgumentText {
public:
  explicit ArgumentText(const std::string& text) : text_(text), words_(text) {}

  void addTo(Problem& problem, unsigned seed) {
    const std::string first = word();
    if (first == "local") return problem.local<char>(number<std::size_t>());
    if (first == "in" || first == "out" || first == "update") return addBuffer(problem, first, word(), seed);
    addScalar(problem, first);
  }

private:
  [[noreturn]] void reject(const std::string& why) const {
    throw std::runtime_error("argument \"" + text_ + "\": " + why);
  }
  std::string word() {
    std::string read;
    if (!(words_ >> read)) reject("ends early");
    return read;
  }
  template <typename T>
  T number() {
    T read{};
    if (!(words_ >> read)) reject("needs a number");
    return read;
  }

  void addBuffer(Problem& problem, const std::string& role, const std::string& type, unsigned seed) {
    if (type == "float") return add<float>(problem, role, seed);
    if (type == "double") return add<double>(problem, role, seed);
    if (type == "int") return add<std::int32_t>(problem, role, seed);
    if (type == "uint") return add<std::uint32_t>(problem, role, seed);
    if (type == "uchar") return add<std::uint8_t>(problem, role, seed);
    reject("is of no type float, double, int, uint or uchar");
  }
  void addScalar(Problem& problem, const std::string& type) {
    if (type == "float")
      problem.scalar(number<float>());
    else if (type == "double")
      problem.scalar(number<double>());
    else if (type == "int")
      problem.scalar(number<std::int32_t>());
    else if (type == "long")
      problem.scalar(number<std::int64_t>());
    else if (type == "uint")
      problem.scalar(number<std::uint32_t>());
    else
      reject("is no buffer, and of no type float, double, int, uint or long");
  }
  template <typename T>
  void add(Problem& problem, const std::string& role, unsigned seed) {
    const auto count = number<std::size_t>();
    const Tolerance tolerance = std::is_integral_v<T> ? Tolerance{} : rounding;
    if (role == "out") {
      problem.output<T>(count, tolerance);
    } else if (role == "in") {
      problem.input(elements<T>(count, seed));
    } else {
      problem.update(elements<T>(count, seed), tolerance);
    }
  }
  // `LOW HIGH`: random numbers; `step N`: 0, N, 2 N, ...; nothing: zeros.
  template <typename T>
  std::vector<T> elements(std::size_t count, unsigned seed) {
    std::vector<T> result(count);
    std::string how;
    if (!(words_ >> how)) return result;
    if (how == "step") {
      const auto step = number<double>();
      for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<T>(static_cast<double>(i) * step);
      return result;
    }
    const double low = std::stod(how), high = number<double>();
    const std::vector<double> random = randomDoubles(count, seed, low, high);
    std::ranges::transform(random, result.begin(), [](double value) { return static_cast<T>(value); });
    return result;
  }

  std::string text_;
  std::istringstream words_;
};

void describe(const Json& kernel, Problem& problem) {
  unsigned seed = 1;
  for (const Json& argument : kernel.at("arguments")) ArgumentText(argument.get<std::string>()).addTo(problem, seed++);
  problem.global = kernel.at("global").get<std::vector<std::size_t>>();
  problem.groupSizes = kernel.value("local", std::vector<std::size_t>());
}

void addCases(const std::filesystem::path& file, std::vector<Case>& cases) {
  std::ifstream stream(file);
  const Json program = Json::parse(stream);
  const std::filesystem::path source = file.parent_path() / program.at("file").get<std::string>();
  if (!std::filesystem::exists(source)) throw std::runtime_error("there is no " + source.string());
  for (const Json& kernel : program.at("kernels")) {
    Case measured{.file = file.stem(),
                  .kernel = kernel.at("kernel"),
                  .variant = kernel.value("variant", ""),
                  .describe = [kernel](Problem& problem) { bench::describe(kernel, problem); }};
    measured.source = source;
    measured.options = program.value("options", "") + " -I " + source.parent_path().string();
    cases.push_back(std::move(measured));
  }
}

}  // namespace

std::vector<Case> casesOfPrograms(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Case> cases;
  for (const std::filesystem::path& file : files) {
    try {
      addCases(file, cases);
    } catch (const std::exception& error) {
      throw std::runtime_error(file.string() + ": " + error.what());
    }
  }
  return cases;
}

}  // namespace bench
