// SPDX-License-Identifier: Apache-2.0
// This file measures kernels in all their forms, launch by launch in turn, and what it costs to build them.
#include "runner.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "launch.h"
#include "opencl.h"
#include "parallel.h"

namespace bench {
namespace {

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double computeOnHost(Problem& problem, unsigned threads) {
  // Copies from other memory, as a buffer is filled, so that the state of the caches is the same as for the kernel.
  for (Argument& argument : problem.arguments)
    if (argument.isResult()) {
      const Storage contents(argument.bytes);
      prepare(argument, contents.data());
      std::memcpy(argument.host.data(), contents.data(), argument.bytes);
    }
  hostThreads = threads;
  const auto begin = std::chrono::steady_clock::now();
  problem.computeOnHost();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void computeReference(Problem& problem) {
  computeOnHost(problem, 1);
  for (Argument& argument : problem.arguments) {
    if (!argument.isResult()) continue;
    argument.reference = Storage(argument.host.data(), argument.bytes);
    if (argument.canonical) argument.canonical(argument.reference.data());
  }
}

double measureHost(Problem& problem, unsigned repetitions) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<double> times;
  for (unsigned i = 0; i <= repetitions; ++i) {
    const double time = computeOnHost(problem, threads);
    if (i > 0) times.push_back(time);
  }
  for (std::size_t i = 0; i < problem.arguments.size(); ++i)
    if (problem.arguments[i].isResult()) compare(problem.arguments[i], i, problem.arguments[i].host, "C++");
  return medianOf(std::move(times));
}

// The turn of one process among several that measure on one device. Without a file it is always its turn.
class Turn {
public:
  explicit Turn(const std::string& file) {
    if (file.empty()) return;
    file_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + file);
  }
  ~Turn() {
    if (file_ >= 0) close(file_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

private:
  int file_ = -1;
};

}  // namespace

std::string Case::path() const { return source.empty() ? KERNEL_FOLDER "/" + file + ".cl" : source; }

Runner::Runner(const Options& options) : options_(options) {
  if (!options.without.empty() && options.builds == 0) codes_.emplace();
  check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
  const auto leavesOut = [](const std::string& without) { return without != nothing; };
  if (std::ranges::any_of(options.without, leavesOut) && !platformName().starts_with("Clarity,"))
    throw std::runtime_error("--without is an option of Clarity's compiler, and the platform is " + platformName());
  check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
  context_ = makeContext(device_);
  cl_int code;
  queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
  if (!options.without.empty()) warmUp();
}

Runner::~Runner() {
  for (const auto& [name, program] : programs_)
    if (program) clReleaseProgram(program);
  if (queue_) clReleaseCommandQueue(queue_);
  if (context_) clReleaseContext(context_);
}

std::string Runner::platformName() const {
  char name[256] = {}, version[256] = {};
  check(clGetPlatformInfo(platform_, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr), "clGetPlatformInfo");
  check(clGetPlatformInfo(platform_, CL_PLATFORM_VERSION, sizeof version - 1, version, nullptr), "clGetPlatformInfo");
  return std::string(name) + ", " + version;
}

std::string Runner::deviceName() const { return deviceText(device_, CL_DEVICE_NAME); }

bool Runner::has(const std::string& extension) const {
  return deviceText(device_, CL_DEVICE_EXTENSIONS).find(extension) != std::string::npos;
}

cl_program Runner::build(const std::string& name, const std::string& source, const std::string& options) {
  const char* start = source.c_str();
  cl_int code;
  cl_program program = clCreateProgramWithSource(context_, 1, &start, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return program;
  const std::string log = buildLog(program, device_);
  clReleaseProgram(program);
  throw std::runtime_error(name + " does not build:\n" + log);
}

cl_program Runner::build(const Case& measured, const std::string& without, unsigned repetition) {
  std::stringstream text;
  if (!(text << std::ifstream(measured.path()).rdbuf())) throw std::runtime_error("cannot read " + measured.path());
  // A macro that nothing uses makes another program of it, so that no cache has it.
  std::string options = options_.buildOptions + ' ' + measured.options;
  if (without == nothing)
    options += " -DNOTHING_LEFT_OUT";
  else if (!without.empty())
    options += " -cl-clarity-disable=" + without;
  if (repetition) options += " -DREPETITION=" + std::to_string(repetition);
  return build(measured.path(), text.str(), options);
}

cl_program Runner::program(const Case& measured, const std::string& without) {
  const std::pair name(measured.program(), without);
  if (const auto found = programs_.find(name); found != programs_.end()) {
    if (!found->second) throw std::runtime_error(measured.path() + " does not build");
    return found->second;
  }
  programs_[name] = nullptr;
  return programs_[name] = build(measured, without, 0);
}

// A compiler's first kernel takes longer.
void Runner::warmUp() {
  cl_program program =
      build("a first kernel", "kernel void first(global float* out) { out[get_global_id(0)] = get_local_id(0); }",
            options_.buildOptions);
  Problem problem(true);
  float* out = problem.output<float>(64);
  std::fill_n(out, 64, 0.0F);
  problem.items(64);
  Launch launch(context_, queue_, problem);
  launch.run(launch.add(program, "first"));
  clReleaseProgram(program);
}

Outcome Runner::run(const Case& measured) {
  Problem problem(options_.small);
  Outcome outcome;
  try {
    measured.describe(problem);
    outcome = measure(measured, problem);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

// With all passes, and without those of each variant, in turn, in both orders.
void Runner::measureVariants(const Case& measured, Problem& problem, Launch& launch, Outcome& outcome) {
  const auto first = [&](const std::string& without, const std::string& whose) {
    const std::size_t kernel = launch.add(program(measured, without), measured.kernel);
    launch.run(kernel);  // compiles, and touches the memory
    if (kernel == 0 && !problem.computeOnHost) launch.takeReference(problem);
    launch.compareResults(whose.c_str());
    return kernel;
  };
  // Cases of one kernel share its code, which is new in the first case of each shape alone: all that the kernel has had
  // so far is compared.
  const auto codeOf = [&](const std::string& without) {
    std::string& known = codeOfForms_[{measured.program() + ' ' + measured.kernel, without}];
    if (codes_) known += codes_->takeNew();
    return known;
  };
  if (codes_) codes_->takeNew();
  std::vector<std::size_t> forms = {first("", "the first launch")};
  const std::string code = codeOf("");
  std::vector<Variant*> variants = {nullptr};
  outcome.variants.reserve(options_.without.size());
  for (const std::string& without : options_.without) {
    Variant& variant = outcome.variants.emplace_back(Variant{.without = without, .error = {}});
    try {
      const std::size_t form = first(without, "the first launch without " + without);
      variant.same = codeOf(without) == code && !code.empty() && without != nothing;
      if (variant.same) continue;
      forms.push_back(form);
      variants.push_back(&variant);
    } catch (const std::exception& error) {
      variant.error = error.what();
    }
  }
  std::vector<std::vector<double>> times(forms.size());
  for (unsigned round = 0; round < options_.repetitions; ++round) {
    const Turn turn(options_.turns);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const std::size_t form = round % 2 ? forms.size() - 1 - i : i;
      times[form].push_back(launch.run(forms[form]).device);
    }
  }
  outcome.deviceMilliseconds = medianOf(times[0]);
  for (std::size_t form = 1; form < forms.size(); ++form) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times[form].size(); ++i)
      if (times[0][i] > 0) ratios.push_back(times[form][i] / times[0][i]);
    variants[form]->deviceMilliseconds = medianOf(times[form]);
    if (!ratios.empty()) variants[form]->ratio = medianOf(std::move(ratios));
  }
}

std::vector<ProgramBuild> Runner::measureBuilds(const std::vector<const Case*>& cases) {
  std::vector<std::unique_ptr<Problem>> problems;
  std::vector<std::unique_ptr<Launch>> launches;
  for (const Case* measured : cases) {
    measured->describe(*problems.emplace_back(std::make_unique<Problem>(options_.small)));
    launches.push_back(std::make_unique<Launch>(context_, queue_, *problems.back()));
  }
  std::vector<std::string> forms = {""};
  forms.insert(forms.end(), options_.without.begin(), options_.without.end());
  std::vector<std::vector<double>> front(forms.size()), whole(forms.size());
  // The first round is not measured: the compiler's memory and tables grow in it.
  for (unsigned round = 0; round <= options_.builds; ++round)
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const std::size_t form = round % 2 ? forms.size() - 1 - i : i;
      const double begin = processorMilliseconds();
      cl_program program = build(*cases.front(), forms[form], ++builds_);
      const double built = processorMilliseconds() - begin;
      double code = 0;
      for (std::size_t k = 0; k < cases.size(); ++k) {
        const std::size_t kernel = launches[k]->add(program, cases[k]->kernel);
        const double first = launches[k]->run(kernel).processor;
        code += first - launches[k]->run(kernel).processor;
        launches[k]->clear();
      }
      clReleaseProgram(program);
      if (round == 0) continue;
      front[form].push_back(built);
      whole[form].push_back(built + code);
    }
  std::vector<ProgramBuild> builds;
  for (std::size_t form = 0; form < forms.size(); ++form) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < whole[form].size(); ++i) ratios.push_back(whole[form][i] / whole[0][i]);
    builds.push_back(
        {cases.front()->file, forms[form], medianOf(front[form]), medianOf(whole[form]), medianOf(std::move(ratios))});
  }
  return builds;
}

Outcome Runner::measure(const Case& measured, Problem& problem) {
  Outcome outcome;
  outcome.amount = problem.amount;
  outcome.unit = problem.unit;
  if (problem.computeOnHost) computeReference(problem);
  Launch launch(context_, queue_, problem);
  measureVariants(measured, problem, launch, outcome);
  launch.compareResults("the last launch");
  if (options_.host && problem.computeOnHost) outcome.hostMilliseconds = measureHost(problem, options_.repetitions);
  return outcome;
}

}  // namespace bench
