// SPDX-License-Identifier: Apache-2.0
// This file distributes the blocks of a measurement over threads, each with a separate queue, kernel and buffers, and
// writes results as JSON.
#include "accuracy/measure.h"

#include <atomic>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "accuracy/inputs.h"

namespace accuracy {
namespace {

constexpr std::size_t blockSize = 1 << 15;  // its arrays fit into a cache of 2 MiB

// The work of one thread: block after block until none is left.
template <class T>
class Worker {
public:
  Worker(const Program<T>& program, const Function<T>& function, const Inputs<T>& inputs, const Judge<T>& judge,
         bool quick, const Disturbance<T>& disturb)
      : function_(function),
        inputs_(inputs),
        judge_(judge),
        quick_(quick),
        disturb_(disturb),
        capacity_(std::min<std::uint64_t>(blockSize, inputs.count())),
        launcher_(program, function.shape, capacity_),
        block_(capacity_),
        truth_(capacity_) {}

  Outcome work(std::atomic<std::uint64_t>& next) {
    Outcome outcome;
    for (std::uint64_t begin; (begin = next.fetch_add(capacity_)) < inputs_.count();) {
      inputs_.fill(block_, begin, std::min<std::uint64_t>(capacity_, inputs_.count() - begin));
      launcher_.run(block_);
      if (disturb_) disturb_(block_);
      (quick_ ? function_.quick : function_.reference)(block_, truth_.data());
      judge_.judge(block_, truth_.data(), begin, outcome);
    }
    return outcome;
  }

private:
  const Function<T>& function_;
  const Inputs<T>& inputs_;
  const Judge<T>& judge_;
  bool quick_;
  const Disturbance<T>& disturb_;
  std::size_t capacity_;
  Launcher<T> launcher_;
  Block<T> block_;
  std::vector<Truth<T>> truth_;
};

// Whether, on a sample of inputs, the quick reference is within 2^-16 ulp of the exact one wherever the judge uses it.
template <class T>
bool quickIsRight(const Function<T>& function) {
  if (!function.quick) return false;
  constexpr std::uint64_t sample = 1 << 14;
  Block<T> block(sample);
  Inputs<T>(function, sample).fill(block, 0, sample);
  std::vector<Truth<T>> quick(sample), exact(sample);
  function.quick(block, quick.data());
  function.reference(block, exact.data());
  auto apart = [](Wide<T> a, Wide<T> b) {
    return std::isfinite(a) && std::isfinite(b) && a != 0 && b != 0 && std::fabs(b) < beyondLargest<T>() &&
           std::fabs(a - b) * inverseUlp<T>(b) > 0x1p-16;
  };
  for (std::uint64_t i = 0; i < sample; ++i)
    if (apart(quick[i].first, exact[i].first) || apart(quick[i].second, exact[i].second)) {
      std::fprintf(stderr, "%s: the quick reference is not used: it has %a for %a, not %a\n",
                   function.fullName().c_str(), static_cast<double>(quick[i].first), static_cast<double>(block.x[i]),
                   static_cast<double>(exact[i].first));
      return false;
    }
  return true;
}

std::string allowedText(double limit) {
  return limit == unbounded ? "not bounded" : limit == exact ? "0" : limitText(limit);
}

}  // namespace

template <class T>
Result measure(const Device& device, const Function<T>& function, const std::string& options, std::uint64_t wanted,
               unsigned threads, const Disturbance<T>& disturb) {
  const auto start = std::chrono::steady_clock::now();
  const Rules rules = rulesFor<T>(options, device.keepsSubnormals<T>());
  const Program<T> program(device, function, options);
  const Inputs<T> inputs(function, wanted);
  const Judge<T> judge(function, rules);
  const bool quick = quickIsRight(function);
  const RelaxedBound* bound = rules.relaxed ? RelaxedBound::of(function.name) : nullptr;
  Result result{.type = Format<T>::name, .function = function.name, .options = options};
  result.shape = takesOneNumber(function.shape) ? "one" : "more";
  result.allowed = bound ? bound->text() : allowedText(function.limit);
  result.relaxed = bound != nullptr;
  result.judged = function.limit != unbounded;
  result.inputs = inputs.count();
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  auto work = [&] {
    try {
      const Outcome outcome = Worker<T>(program, function, inputs, judge, quick, disturb).work(next);
      const std::lock_guard lock(mutex);
      result.outcome.merge(outcome);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  const std::uint64_t blocks = (inputs.count() + blockSize - 1) / blockSize;
  {
    std::vector<std::jthread> others;
    for (std::uint64_t thread = 1; thread < std::min<std::uint64_t>(threads, blocks); ++thread)
      others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template Result measure(const Device&, const Function<Half>&, const std::string&, std::uint64_t, unsigned,
                        const Disturbance<Half>&);
template Result measure(const Device&, const Function<float>&, const std::string&, std::uint64_t, unsigned,
                        const Disturbance<float>&);
template Result measure(const Device&, const Function<double>&, const std::string&, std::uint64_t, unsigned,
                        const Disturbance<double>&);

Store::Store(std::string folder, const Device& device)
    : folder_(std::move(folder)), device_(device.name() + ", " + device.driver()) {
  if (!folder_.empty()) std::filesystem::create_directories(folder_);
}

std::filesystem::path Store::fileOf(const std::string& type, const std::string& function,
                                    const std::string& options) const {
  std::string name = type + '-' + function;
  for (const char c : options) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return std::filesystem::path(folder_) / (name + ".json");
}

// JSON has no infinity: errors and limits are written as texts in C's notation.
std::optional<Result> Store::load(const std::string& type, const std::string& function, const std::string& options,
                                  std::uint64_t inputs) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(fileOf(type, function, options));
  if (!file) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded() || json.value("device", "") != device_ || json.value("inputs", std::uint64_t{0}) < inputs)
    return std::nullopt;
  Result result{.type = type, .function = function, .options = options};
  json.at("shape").get_to(result.shape);
  json.at("allowed").get_to(result.allowed);
  json.at("judged").get_to(result.judged);
  json.at("relaxed").get_to(result.relaxed);
  json.at("seconds").get_to(result.seconds);
  json.at("inputs").get_to(result.inputs);
  Outcome& outcome = result.outcome;
  outcome.error = std::stod(json.at("error").get<std::string>());
  outcome.limit = std::stod(json.at("limit").get<std::string>());
  json.at("index").get_to(outcome.index);
  json.at("at").get_to(outcome.at);
  json.at("failures").get_to(outcome.failures);
  for (const nlohmann::json& text : json.at("shown"))
    outcome.shown.push_back({outcome.shown.size(), text.get<std::string>()});
  return result;
}

void Store::save(const Result& result) const {
  if (folder_.empty()) return;
  const Outcome& outcome = result.outcome;
  nlohmann::json json = {{"type", result.type},
                         {"function", result.function},
                         {"options", result.options},
                         {"shape", result.shape},
                         {"allowed", result.allowed},
                         {"judged", result.judged},
                         {"relaxed", result.relaxed},
                         {"inputs", result.inputs},
                         {"seconds", result.seconds},
                         {"device", device_},
                         {"error", std::to_string(outcome.error)},
                         {"limit", std::to_string(outcome.limit)},
                         {"index", outcome.index},
                         {"at", outcome.at},
                         {"failures", outcome.failures},
                         {"shown", nlohmann::json::array()}};
  for (const Outcome::Failure& failure : outcome.shown) json["shown"].push_back(failure.text);
  // Written to a temporary file and renamed, so that an interrupted run leaves no partial file.
  const std::filesystem::path file = fileOf(result.type, result.function, result.options);
  const std::filesystem::path part = file.string() + ".part";
  if (!(std::ofstream(part) << json.dump(1) << '\n')) throw std::runtime_error("cannot write " + part.string());
  std::filesystem::rename(part, file);
}

}  // namespace accuracy
