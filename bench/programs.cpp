// SPDX-License-Identifier: Apache-2.0
// This file reads descriptions of launches of other programs' kernels.
#include "programs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <type_traits>

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
    // Streams read characters as letters, and no half.
    std::conditional_t<std::is_same_v<T, _Float16>, float, std::conditional_t<sizeof(T) == 1, int, T>> read{};
    if (!(words_ >> read)) reject("needs a number");
    return static_cast<T>(read);
  }

  // Calls the function object with a value of the type of this name; false if there is no such type.
  template <typename Function>
  static bool withType(const std::string& name, const Function& use) {
    const auto is = [&]<typename T>(const char* known, T value) { return name == known && (use(value), true); };
    return is("float", 0.0F) || is("double", 0.0) || is("half", _Float16()) || is("char", std::int8_t()) ||
           is("uchar", std::uint8_t()) || is("short", std::int16_t()) || is("ushort", std::uint16_t()) ||
           is("int", std::int32_t()) || is("uint", std::uint32_t()) || is("long", std::int64_t()) ||
           is("ulong", std::uint64_t());
  }
  void addBuffer(Problem& problem, const std::string& role, const std::string& type, unsigned seed) {
    if (!withType(type, [&]<typename T>(T) { add<T>(problem, role, seed); })) reject("has no element of that type");
  }
  // A vector has its number of elements behind the type, and is that many values.
  void addScalar(Problem& problem, const std::string& type) {
    const std::size_t digits = std::min(type.find_first_of("0123456789"), type.size());
    const std::size_t elements = digits < type.size() ? std::stoul(type.substr(digits)) : 1;
    const auto addValues = [&]<typename T>(T) {
      std::vector<T> values(elements == 3 ? 4 : elements);
      for (std::size_t i = 0; i < elements; ++i) values[i] = number<T>();
      problem.arguments.push_back(
          {Argument::Kind::Scalar, values.size() * sizeof(T), Storage(values.data(), values.size() * sizeof(T))});
    };
    if (elements > 16 || !withType(type.substr(0, digits), addValues)) reject("is no buffer, and no number");
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
