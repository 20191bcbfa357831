// SPDX-License-Identifier: Apache-2.0
// This file is a fuzzer of the reader of SPIR-V: modules with words, instructions and bytes changed are inspected and
// built in a child process. Each ends with a compiled program or with a sentence. A fault is a failure, also one that
// the guard of the compiler catches, and so is a build that takes longer or more memory than modules of this size may.
#include "compiler/driver/compiler.h"
#include "compiler/guard/limits.h"
#include "compiler/host/target.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::fuzz {
namespace {

using Random = std::mt19937_64;
using Words = std::vector<std::uint32_t>;

constexpr std::size_t headerWords = 5;
constexpr unsigned mostSeconds = 20;
constexpr long mostKilobytes = 1 << 20;  ///< kilobytes of the process

/// The child's progress, where the parent sees it.
struct Progress {
  std::uint64_t next = 0;  ///< the mutation that comes next, or that is being tried
  std::uint64_t built = 0, refused = 0, failures = 0;
  double slowest = 0;
  char what[300] = {};
};

[[noreturn]] void giveUp(std::string_view what) {
  fmt::print(stderr, "spirv_fuzz: {}\n", what);
  std::_Exit(2);
}

// --- mutations -----------------------------------------------------------------------------------------------------

struct Seed {
  std::string name;
  Words words;
  std::vector<std::size_t> starts;  ///< starts of instructions, and the end

  std::size_t count() const { return starts.size() - 1; }
};

Seed readSeed(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Seed seed;
  seed.name = path.substr(path.rfind('/') + 1);
  seed.words.resize(bytes.size() / 4);
  std::memcpy(seed.words.data(), bytes.data(), seed.words.size() * 4);
  for (std::size_t at = headerWords; at < seed.words.size(); at += seed.words[at] >> 16) {
    seed.starts.push_back(at);
    if (seed.words[at] >> 16 == 0) giveUp(path + " is not a module");
  }
  seed.starts.push_back(seed.words.size());
  if (seed.count() == 0 || seed.starts.back() != seed.words.size()) giveUp(path + " is not a module");
  return seed;
}

Words instructionOf(const Seed& seed, std::size_t number) {
  const auto at = [&](std::size_t index) { return seed.words.begin() + static_cast<long>(seed.starts[index]); };
  return {at(number), at(number + 1)};
}

/// A module as instructions, to be changed and put together again.
struct Parts {
  Words header;
  std::vector<Words> instructions;

  explicit Parts(const Seed& seed) : header(seed.words.begin(), seed.words.begin() + headerWords) {
    for (std::size_t i = 0; i < seed.count(); ++i) instructions.push_back(instructionOf(seed, i));
  }

  Words whole() const {
    Words words = header;
    for (const Words& instruction : instructions) words.insert(words.end(), instruction.begin(), instruction.end());
    return words;
  }
};

std::string bytesOf(const Words& words) { return {reinterpret_cast<const char*>(words.data()), words.size() * 4}; }

/// Values at the ends of what words may be.
constexpr std::uint32_t extremes[] = {
    0, 1, 2, 3, 4, 8, 64, 0xff, 0x7fff, 0xffff, 0x10000, 0x3fffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

/// Changes modules at random, and says how.
class Mutator {
public:
  Mutator(const std::vector<Seed>& seeds, Random& random) : seeds_(seeds), random_(random) {}

  std::string mutate(std::string& what) {
    const Seed& seed = seeds_[random_() % seeds_.size()];
    what = seed.name + ": ";
    Parts parts(seed);
    for (std::uint64_t changes = 1 + random_() % 3; changes > 0; --changes) what += change(parts) + "; ";
    std::string bytes = bytesOf(parts.whole());
    if (random_() % 16 == 0) what += changeBytes(bytes);
    return bytes;
  }

private:
  std::size_t below(std::size_t count) { return random_() % std::max<std::size_t>(count, 1); }

  std::string change(Parts& parts) {
    std::vector<Words>& all = parts.instructions;
    if (all.empty()) return "nothing is left";
    if (random_() % 4 == 0) return exchangeValue(parts);
    const std::size_t number = below(all.size());
    Words& chosen = all[number];
    const std::size_t word = 1 + below(chosen.size() - 1);
    const bool hasOperand = chosen.size() > 1;
    switch (random_() % 12) {
      case 0: all.erase(all.begin() + static_cast<long>(number)); return fmt::format("{} is gone", number + 1);
      case 1:
        all.insert(all.begin() + static_cast<long>(number), Words(chosen));
        return fmt::format("{} doubled", number + 1);
      case 2: {
        const std::size_t other = random_() % 2 ? below(all.size()) : std::min(number + 1, all.size() - 1);
        std::swap(all[number], all[other]);
        return fmt::format("{} and {} exchanged", number + 1, other + 1);
      }
      case 3: {
        const Seed& other = seeds_[below(seeds_.size())];
        const std::size_t from = below(other.count());
        all.insert(all.begin() + static_cast<long>(number), instructionOf(other, from));
        return fmt::format("{} of {} ahead of {}", from + 1, other.name, number + 1);
      }
      case 4: {
        const Seed& other = seeds_[below(seeds_.size())];
        chosen[0] = (chosen[0] & 0xffff0000) | (other.words[other.starts[below(other.count())]] & 0xffff);
        return fmt::format("{} has the opcode {}", number + 1, chosen[0] & 0xffff);
      }
      case 5:
        chosen.resize(1 + below(chosen.size() + 3), 1 + static_cast<std::uint32_t>(below(parts.header[3])));
        chosen[0] = (chosen[0] & 0xffff) | static_cast<std::uint32_t>(chosen.size() << 16);
        return fmt::format("{} has {} words", number + 1, chosen.size());
      case 6: parts.header[1 + below(4)] = extremes[below(std::size(extremes))]; return "another header";
      case 7:
        if (!hasOperand) return "nothing";
        chosen[word] = extremes[below(std::size(extremes))];
        return fmt::format("{}[{}] = {}", number + 1, word, chosen[word]);
      case 8:
        if (!hasOperand) return "nothing";
        chosen[word] ^= 1u << random_() % 32;
        return fmt::format("{}[{}] = {}", number + 1, word, chosen[word]);
      default: {
        // Another id, or another small number.
        if (!hasOperand) return "nothing";
        const Words& other = all[below(all.size())];
        chosen[word] = random_() % 2 && other.size() > 1 ? other[1 + below(other.size() - 1)]
                                                         : 1 + static_cast<std::uint32_t>(below(parts.header[3]));
        return fmt::format("{}[{}] = {}", number + 1, word, chosen[word]);
      }
    }
  }

  /// Another value of the same type: such a module is most likely valid.
  std::string exchangeValue(Parts& parts) {
    constexpr std::uint32_t firstType = 19, lastType = 39;  // OpTypeVoid, OpTypeForwardPointer
    std::set<std::uint32_t> types;
    std::map<std::uint32_t, std::uint32_t> typeOf;  // values
    for (const Words& each : parts.instructions) {
      const std::uint32_t opcode = each[0] & 0xffff;
      if (opcode >= firstType && opcode <= lastType && each.size() > 1)
        types.insert(each[1]);
      else if (each.size() > 2 && types.contains(each[1]))
        typeOf.emplace(each[2], each[1]);
    }
    std::vector<std::uint32_t*> uses;
    for (Words& each : parts.instructions)
      for (std::size_t i = 3; i < each.size(); ++i)
        if (typeOf.contains(each[i])) uses.push_back(&each[i]);
    if (uses.empty()) return "no values";
    std::uint32_t& use = *uses[below(uses.size())];
    std::vector<std::uint32_t> others;
    for (const auto& [value, type] : typeOf)
      if (type == typeOf[use]) others.push_back(value);
    const std::uint32_t before = use;
    use = others[below(others.size())];
    return fmt::format("a use of {} is one of {}", before, use);
  }

  std::string changeBytes(std::string& bytes) {
    switch (random_() % 3) {
      case 0: bytes.resize(below(bytes.size() + 1)); return fmt::format("cut to {} bytes", bytes.size());
      case 1:
        for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
          std::reverse(bytes.begin() + static_cast<long>(i), bytes.begin() + static_cast<long>(i + 4));
        return "other byte order";
      default:
        if (bytes.empty()) return "no bytes";
        bytes[below(bytes.size())] = static_cast<char>(random_());
        return "another byte";
    }
  }

  const std::vector<Seed>& seeds_;
  Random& random_;
};

/// Changes that are tried one after another.
enum class Changes { Random, Every, Bytes };

/// Every single change of a kind: of each byte three, of each word the extremes, of each instruction three. Or, of each
/// byte one alone.
class EveryChange {
public:
  EveryChange(const std::vector<Seed>& seeds, Changes changes) : seeds_(seeds), isOfBytes_(changes == Changes::Bytes) {}

  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const Seed& seed : seeds_) sum += countOf(seed);
    return sum;
  }

  std::string mutate(std::uint64_t number, std::string& what) const {
    for (const Seed& seed : seeds_) {
      if (number < countOf(seed)) return mutate(seed, number, what);
      number -= countOf(seed);
    }
    giveUp("there are fewer changes");
  }

private:
  static std::uint64_t ofBytes(const Seed& seed) { return seed.words.size() * 4 * 3; }
  static std::uint64_t ofWords(const Seed& seed) { return seed.words.size() * std::size(extremes); }
  std::uint64_t countOf(const Seed& seed) const {
    return isOfBytes_ ? seed.words.size() * 4 : ofBytes(seed) + ofWords(seed) + seed.count() * 3;
  }

  static std::string changeByte(const Seed& seed, std::uint64_t place, std::uint64_t how, std::string& what) {
    std::string bytes = bytesOf(seed.words);
    char& byte = bytes[place];
    byte = static_cast<char>(how == 0 ? byte ^ 1 : how == 1 ? byte + 1 : ~byte);
    what = fmt::format("{}: byte {} = {}", seed.name, place, static_cast<unsigned char>(byte));
    return bytes;
  }

  std::string mutate(const Seed& seed, std::uint64_t number, std::string& what) const {
    if (isOfBytes_) return changeByte(seed, number, number / 4 % 3, what);
    if (number < ofBytes(seed)) return changeByte(seed, number / 3, number % 3, what);
    Words words = seed.words;
    number -= ofBytes(seed);
    if (number < ofWords(seed)) {
      const std::size_t word = number / std::size(extremes);
      words[word] = extremes[number % std::size(extremes)];
      what = fmt::format("{}: word {} = {}", seed.name, word, words[word]);
      return bytesOf(words);
    }
    number -= ofWords(seed);
    Parts parts(seed);
    auto& all = parts.instructions;
    const std::size_t which = number / 3;
    what = fmt::format("{}: instruction {} {}", seed.name, which + 1,
                       number % 3 == 0   ? "gone"
                       : number % 3 == 1 ? "doubled"
                                         : "behind the next");
    if (number % 3 == 0) all.erase(all.begin() + static_cast<long>(which));
    if (number % 3 == 1) all.insert(all.begin() + static_cast<long>(which), Words(all[which]));
    if (number % 3 == 2 && which + 1 < all.size()) std::swap(all[which], all[which + 1]);
    return bytesOf(parts.whole());
  }

  const std::vector<Seed>& seeds_;
  bool isOfBytes_;
};

// --- the run -------------------------------------------------------------------------------------------------------

struct Run {
  std::vector<Seed> seeds;
  Changes changes = Changes::Random;
  std::uint64_t seed = 0;  ///< the seed of random changes
  std::uint64_t first = 0, count = 0;

  std::string module(std::uint64_t number, std::string& what) const {
    if (changes != Changes::Random) return EveryChange(seeds, changes).mutate(number, what);
    Random random(seed * 1'000'003 + number);
    return Mutator(seeds, random).mutate(what);
  }
};

long residentKilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// The fault of a build that ended as none may; empty if it ended well.
std::string wrongWith(const std::string& bytes, Progress& progress) {
  const auto facts = compiler::inspectSpirv(bytes);
  if (!facts && facts.error().empty()) return "refused without a sentence";
  const long before = residentKilobytes();
  const auto begin = std::chrono::steady_clock::now();
  const compiler::Outcome outcome =
      compiler::build(compiler::Source(compiler::Source::Kind::Spirv, bytes), "", compiler::hostTarget());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  progress.slowest = std::max(progress.slowest, seconds);
  ++(outcome.status == compiler::Status::Ok ? progress.built : progress.refused);
  if (seconds > mostSeconds) return fmt::format("took {:.1f} s", seconds);
  if (residentKilobytes() > mostKilobytes && residentKilobytes() > before)
    return fmt::format("took more than {} MB", residentKilobytes() >> 10);
  if (outcome.status == compiler::Status::Ok) return facts ? "" : "built, and no module";
  if (outcome.log.contains("LLVM gave up")) return outcome.log;
  if (outcome.status != compiler::Status::CompileFailure && outcome.status != compiler::Status::LinkFailure)
    return fmt::format("status {}: {}", static_cast<int>(outcome.status), outcome.log);
  return outcome.log.contains("error: ") ? "" : "refused without an error";
}

void report(const Run& run, const Progress& progress, const std::string& bytes, std::string_view why) {
  const std::string file = fmt::format("spirv-fuzz-{}-{}.spv", run.seed, progress.next);
  std::ofstream(file, std::ios::binary) << bytes;
  fmt::print("mutation {} ({}): {}\n  {}\n", progress.next, file, why, static_cast<const char*>(progress.what));
  std::fflush(stdout);
}

/// Runs in a child. Tries mutations from progress.next on.
[[noreturn]] void tryAll(const Run& run, Progress& progress) {
  for (; progress.next < run.count; ++progress.next) {
    std::string what;
    const std::string bytes = run.module(progress.next, what);
    std::snprintf(progress.what, sizeof progress.what, "%s", what.c_str());
    ::alarm(3 * mostSeconds);
    if (const std::string why = wrongWith(bytes, progress); !why.empty()) {
      report(run, progress, bytes, why);
      ++progress.failures;
    }
    if (residentKilobytes() > mostKilobytes) std::_Exit((++progress.next, 3));
  }
  std::_Exit(0);
}

int tryInChildren(const Run& run) {
  void* const shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) giveUp("no shared memory");
  auto& progress = *new (shared) Progress;
  progress.next = run.first;
  while (progress.next < run.count) {
    const pid_t child = ::fork();
    if (child == 0) tryAll(run, progress);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) giveUp("no child process");
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 0) break;
    if (code == 3) continue;  // a fresh child, to see which module takes more memory
    std::string what;
    report(run, progress, run.module(progress.next, what),
           fmt::format("ended the process ({})", WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "an exit"));
    ++progress.failures;
    ++progress.next;
  }
  fmt::print("{} mutations: {} built, {} refused, {} failures; the slowest took {:.2f} s\n", run.count - run.first,
             progress.built, progress.refused, progress.failures, progress.slowest);
  return progress.failures ? 1 : 0;
}

std::uint64_t numberIn(const char* text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  if (error != std::errc() || *end != '\0') giveUp(fmt::format("'{}' is not a number", text));
  return value;
}

}  // namespace
}  // namespace clarity::fuzz

int main(int argc, char** argv) {
  using namespace clarity::fuzz;
  Run run;
  const std::string_view mode = argc > 2 ? argv[1] : "";
  if (mode == "every") run.changes = Changes::Every;
  if (mode == "bytes") run.changes = Changes::Bytes;
  const bool isRandom = run.changes == Changes::Random;
  for (int i = isRandom ? 3 : 2; i < argc; ++i) run.seeds.push_back(readSeed(argv[i]));
  if (run.seeds.empty()) {
    fmt::print(stderr,
               "usage: spirv_fuzz SEED MUTATIONS[-FIRST] MODULE.spv...\n"
               "       spirv_fuzz every|bytes MODULE.spv...\n");
    return 2;
  }
  if (isRandom) run.seed = numberIn(argv[1]);
  std::string count = isRandom ? argv[2] : std::to_string(EveryChange(run.seeds, run.changes).count());
  if (const std::size_t dash = count.find('-'); dash != std::string::npos) {
    run.first = numberIn(count.c_str() + dash + 1);
    count.resize(dash);
  }
  run.count = numberIn(count.c_str());
  clarity::compiler::configureLimits({std::uint64_t{1} << 30, std::chrono::seconds(mostSeconds)});
  return tryInChildren(run);
}
