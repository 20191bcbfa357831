// SPDX-License-Identifier: Apache-2.0
// This file is the entry of the `clarity` command: it registers the subcommands, parses the command line and turns
// errors into a message on standard error and an exit code.
#include "cl_api.h"
#include "command.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <ranges>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

constexpr const char* kDescription =
    "Clarity, an implementation of OpenCL 3.0: show its devices, run programs and\n"
    "single kernels on it, print how its compiler translates them, and measure it.";

constexpr const char* kFooter =
    "Exit codes: 0 success; 1 failure, or a wrong result; 2 invalid command line.\n"
    "`clarity COMMAND --help` shows a command's options and examples.";

// Breaks every line of `text` at spaces. The rest of a line is indented like the last column of the line: the text
// after a run of spaces.
std::string wrapped(const std::string& text, size_t width) {
  std::string result;
  for (const auto part : std::views::split(text, '\n')) {
    std::string line(part.begin(), part.end());
    const size_t gap = line.find_last_not_of(' ') == std::string::npos ? std::string::npos : line.rfind("  ");
    const std::string indent(gap == std::string::npos ? 0 : gap + 2, ' ');
    while (line.size() > width) {
      const size_t space = line.rfind(' ', width);
      if (space == std::string::npos || space < indent.size()) break;
      result += line.substr(0, space) + "\n";
      line = indent + line.substr(space + 1);
    }
    result += line + "\n";
  }
  result.pop_back();
  return result;
}

// CLI11's help text at 80 columns, with usage lines that show what follows the options.
class HelpFormatter : public CLI::Formatter {
  static constexpr size_t kTextColumn = 34, kTextWidth = 80 - kTextColumn;

public:
  HelpFormatter() { column_width(kTextColumn); }
  std::string make_usage(const CLI::App* app, std::string) const override {
    return fmt::format("\nUsage: {}\n", usageOf(app->get_parent() ? app->get_name() : ""));
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(CLI::Formatter::make_option_desc(option), kTextWidth);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description(), kTextWidth), kTextColumn);
    return out.str();
  }

private:
  static std::string usageOf(const std::string& command) {
    if (command == "info") return "clarity info [OPTIONS]";
    if (command == "run") return "clarity run [--icd PATH] PROGRAM [ARGS...]";
    if (command == "compile") return "clarity compile [OPTIONS] FILE [-- BUILD OPTIONS...]";
    if (command == "opt") return "clarity opt (--passes=PASS,... | --pipeline=NAME) [OPTIONS] FILE.ll";
    if (command == "exec") return "clarity exec [OPTIONS] FILE.cl KERNEL --global X[,Y[,Z]] [--arg SPEC]...";
    if (command == "bench") return "clarity bench [OPTIONS]";
    return "clarity COMMAND [OPTIONS]";
  }
};

// Options of `run` that have a value; everything after the program's name is passed to the program.
bool takesValue(const std::string& option) { return option == "--icd"; }

// Removes the words that are not parsed here.
std::vector<std::string> splitRest(std::vector<std::string> args, Invocation& invocation) {
  size_t end = 0;
  if (!args.empty() && args[0] == "run") {
    end = 1;
    while (end < args.size() && args[end].starts_with("-") && args[end] != "--") end += takesValue(args[end]) ? 2 : 1;
    end = std::min(end, args.size());
  } else {
    end = static_cast<size_t>(std::ranges::find(args, "--") - args.begin());
  }
  const size_t rest = end < args.size() && args[end] == "--" ? end + 1 : end;
  invocation.rest.assign(args.begin() + static_cast<std::ptrdiff_t>(rest), args.end());
  args.resize(end);
  return args;
}

int say(int code, const std::string& text, const std::string& command) {
  fmt::print(stderr, "clarity{}{}: {}\n", command.empty() ? "" : " ", command, text);
  return code;
}

std::string subcommandOf(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? std::string() : parsed.front()->get_name();
}

std::vector<std::string> subcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); }))
    names.push_back(sub->get_name());
  return names;
}

// "unknown option '--globl' (did you mean '--global'?)" for words that CLI11 did not recognise.
std::string unexpected(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  const CLI::App& scope = parsed.empty() ? app : *parsed.front();
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return "the command line is invalid";
  const std::string word = words.front().substr(0, words.front().find('='));
  if (!word.starts_with("-")) return fmt::format("unexpected argument '{}'", word);
  std::vector<std::string> names;
  for (const CLI::Option* option : scope.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string near = nearest(word, names);
  return fmt::format("unknown option '{}'{}", word, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
}

int usageError(const CLI::App& app, const std::string& text, const std::string& first) {
  const std::string command = subcommandOf(app);
  if (command.empty() && !first.empty() && !first.starts_with("-")) {
    const std::string near = nearest(first, subcommandNames(app));
    return say(kUsage,
               fmt::format("there is no command '{}'{}; try 'clarity --help'", first,
                           near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)),
               "");
  }
  return say(kUsage, fmt::format("{}\nTry 'clarity {}{}--help'.", text, command, command.empty() ? "" : " "), command);
}

int runMain(int argc, char** argv) {
  CLI::App app(kDescription, "clarity");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("clarity ") + CLARITY_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this text and exit");
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());  // before the subcommands, which inherit it

  Invocation invocation;
  addInfoCommand(app, invocation);
  addRunCommand(app, invocation);
  addCompileCommand(app, invocation);
  addOptCommand(app, invocation);
  addExecCommand(app, invocation);
  addBenchCommand(app, invocation);
  addMeasureCommand(app, invocation);

  for (CLI::App* sub : app.get_subcommands([](const CLI::App* s) { return !s->get_group().empty(); }))
    sub->group("Commands");

  std::vector<std::string> args = splitRest({argv + 1, argv + argc}, invocation);
  if (args.empty() && invocation.rest.empty()) {
    fmt::print(stderr, "{}", app.help());
    return kUsage;
  }
  if (!args.empty() && args[0] == "help") {  // `clarity help exec` is `clarity exec --help`
    args.erase(args.begin());
    args.emplace_back("--help");
  }
  const std::string first = args.empty() ? std::string() : args.front();
  try {
    std::ranges::reverse(args);  // CLI11 expects the words in reverse order
    app.parse(args);
    return invocation.status;
  } catch (const CLI::CallForHelp&) {
    const auto parsed = app.get_subcommands();
    fmt::print("{}", parsed.empty() ? app.help() : parsed.front()->help());
    return kSuccess;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return kSuccess;
  } catch (const CLI::ExtrasError&) {
    return usageError(app, unexpected(app), first);
  } catch (const CLI::ParseError& error) {
    return usageError(app, error.what(), first);
  } catch (const UsageError& error) {
    return usageError(app, error.what(), first);
  } catch (const Failure& error) {
    return say(kFailure, error.what(), subcommandOf(app));
  } catch (const cl::Error& error) {
    return say(kFailure, fmt::format("{} failed: {} ({})", error.what(), errorName(error.err()), error.err()),
               subcommandOf(app));
  } catch (const std::bad_alloc&) {
    return say(kFailure, "not enough memory", subcommandOf(app));
  } catch (const std::exception& error) {
    return say(kFailure, error.what(), subcommandOf(app));
  }
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  // At most two edits, more in long words, and fewer edits than the word has letters.
  size_t bestDistance = std::min(std::max<size_t>(2, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : known) {
    std::vector<size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= word.size(); ++i) {
      size_t diagonal = std::exchange(row[0], i);
      for (size_t j = 1; j <= candidate.size(); ++j) {
        const size_t change = diagonal + (word[i - 1] != candidate[j - 1]);
        diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
      }
    }
    if (row.back() < bestDistance) {
      bestDistance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace clarity::tools

int main(int argc, char** argv) { return clarity::tools::runMain(argc, argv); }
