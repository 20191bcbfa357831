// SPDX-License-Identifier: Apache-2.0
// This file is the entry of the `clarity` command: it registers the subcommands, parses the command line and turns
// errors into a message on standard error and an exit code.
#include "check_pages.h"
#include "cl_api.h"
#include "command.h"
#include "files.h"
#include "option_text.h"
#include "screen.h"
#include "support/diagnostic_colours.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {

std::string usageOf(const CLI::App& app) {
  const std::string command = app.get_parent() ? app.get_name() : "";
  if (command == "info") return "clarity info [OPTIONS]";
  if (command == "run") return "clarity run [OPTIONS] PROGRAM [ARGS...]";
  if (command == "check") return "clarity check [OPTIONS] PROGRAM [ARGS...]";
  if (command == "profile") return "clarity profile [OPTIONS] PROGRAM [ARGS...]";
  if (command == "debug") return "clarity debug [OPTIONS] PROGRAM [ARGS...]";
  if (command == "explain") return "clarity explain [KIND]";
  if (command == "compile") return "clarity compile [OPTIONS] FILE [-- BUILD OPTIONS...]";
  if (command == "opt") return "clarity opt (--passes=PASS,... | --pipeline=NAME) [OPTIONS] FILE.ll";
  if (command == "exec") return "clarity exec [OPTIONS] FILE.cl KERNEL [--arg SPEC]...";
  if (command == "bench") return "clarity bench [OPTIONS]";
  if (command == "measure") return "clarity measure [OPTIONS] WHAT";
  if (command == "generate") return "clarity generate DIR";
  return "clarity COMMAND [OPTIONS]";
}

std::vector<CLI::App*> visibleCommands(CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

namespace {

constexpr const char* descriptionText =
    "Clarity, an implementation of OpenCL 3.1: show its devices, run programs and\n"
    "single kernels on it, print how its compiler translates them, and measure it.";

constexpr const char* footerText =
    "Exit codes: 0 success; 1 failure, or a wrong result; 2 invalid command line.\n"
    "`clarity COMMAND --help` shows a command's options and examples. Long options\n"
    "may be abbreviated.";

// CLI11's help text at 80 columns, or fewer where the terminal has fewer, with usage lines that show what follows the
// options.
class HelpFormatter : public CLI::Formatter {
public:
  HelpFormatter() {
    column_width(textColumn);
    label("Positionals", "Positional arguments");
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, name, mode);
    for (size_t at = text.find("\n\n\n"); at != text.npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
    return wrapped(text, std::min<size_t>(screenWidth(), 80));
  }
  std::string make_usage(const CLI::App* app, std::string) const override {
    return fmt::format("\nUsage: {}\n", usageOf(*app));
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(describe(*option), textWidth);
  }
  std::string make_option_name(const CLI::Option* option, bool isPositional) const override {
    std::string name = CLI::Formatter::make_option_name(option, isPositional);
    if (const std::string value = flagValueName(*option); !value.empty())
      name.replace(name.find('{'), name.find('}') + 1 - name.find('{'), "[=" + value + "]");
    if (const size_t comma = name.find(",--"); comma != std::string::npos) name.insert(comma + 1, " ");
    return name;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = valueName(*option);
    return value.empty() ? "" : " " + value;
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description(), textWidth), textColumn);
    return out.str();
  }

private:
  static constexpr size_t textColumn = 34;
  const size_t textWidth = std::max<size_t>(std::min<size_t>(screenWidth(), 80) - textColumn, 20);
};

// Options of `run`, `check`, `profile` and `debug` that have a value; everything after the program's name is passed to
// the program.
bool takesValue(const std::string& option) {
  static const std::vector<std::string> known = {
      "--icd",   "--devices",      "--what",        "--json",  "--sarif",  "--junit",         "--suppress",
      "--allow", "--seconds",      "--html",        "--trace", "--record", "--read",          "-x",
      "--ex",    "--eval-command", "--interpreter", "--gdb",   "--script", "--fail-if-slower"};
  return std::ranges::find(known, option) != known.end();
}

// Options of gdb that are often written with one dash: -ex, -batch.
std::string spelledWithTwo(const std::string& option) {
  static const std::vector<std::string> known = {"-ex", "-batch", "-eval-command", "-interpreter", "-quiet"};
  const std::string name = option.substr(0, option.find('='));
  return std::ranges::find(known, name) == known.end() ? option : "-" + option;
}

// Removes the words that are not parsed here.
std::vector<std::string> splitRest(std::vector<std::string> args, Invocation& invocation) {
  size_t end = 0;
  static const std::vector<std::string> ofPrograms = {"run", "check", "profile", "debug"};
  if (!args.empty() && std::ranges::find(ofPrograms, args[0]) != ofPrograms.end()) {
    end = 1;
    while (end < args.size() && args[end].starts_with("-") && args[end] != "--") {
      if (args[0] == "debug") args[end] = spelledWithTwo(args[end]);
      end += args[end] == "--compare" ? 3 : takesValue(args[end]) ? 2 : 1;
    }
    end = std::min(end, args.size());
  } else {
    end = static_cast<size_t>(std::ranges::find(args, "--") - args.begin());
  }
  const size_t rest = end < args.size() && args[end] == "--" ? end + 1 : end;
  invocation.rest.assign(args.begin() + static_cast<std::ptrdiff_t>(rest), args.end());
  args.resize(end);
  return args;
}

/// `clarity exec --profile ...` is `clarity profile clarity exec ...`, and so is --debug.
void wrapExec(std::vector<std::string>& words) {
  for (const std::string command : {"profile", "debug"}) {
    const auto end = std::ranges::find(words, "--");
    const auto flag = std::find(words.begin(), end, "--" + command);
    if (words.empty() || words[0] != "exec" || flag == end) continue;
    words.erase(flag);
    words.insert(words.begin(), {command, ownExecutable().string()});
    return;
  }
}

int say(int code, const std::string& text, const std::string& command) {
  const std::string name = fmt::format("clarity{}{}:", command.empty() ? "" : " ", command);
  printError(standardErrorHasColour() ? fmt::format("\x1b[1;31m{}\x1b[0m {}\n", name, support::coloured(text))
                                      : fmt::format("{} {}\n", name, text));
  return code;
}

std::string subcommandOf(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? std::string() : parsed.front()->get_name();
}

std::vector<std::string> subcommandNames(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : visibleCommands(app)) names.push_back(sub->get_name());
  return names;
}

// The long options of a command: "--global", "--local", ...
std::vector<std::string> longOptions(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// The command that the words begin with, or the program itself.
const CLI::App& scopeOf(CLI::App& app, const std::vector<std::string>& args) {
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!args.empty() && sub->get_name() == args.front()) return *sub;
  return app;
}

// Replaces beginnings of long options by the whole name: --glob=5 by --global=5.
void expandAbbreviations(const CLI::App& scope, std::vector<std::string>& args) {
  const std::vector<std::string> known = longOptions(scope);
  for (std::string& arg : args) {
    const std::string name = arg.substr(0, arg.find('='));
    if (!name.starts_with("--") || name.size() < 3 || std::ranges::find(known, name) != known.end()) continue;
    std::vector<std::string> meant;
    std::ranges::copy_if(known, std::back_inserter(meant),
                         [&](const std::string& option) { return option.starts_with(name); });
    if (meant.size() > 1)
      throw UsageError(fmt::format("option '{}' is ambiguous: it may be {}", name, fmt::join(meant, " or ")));
    if (meant.size() == 1) arg = meant.front() + arg.substr(name.size());
  }
}

// A hint on options of clBuildProgram, which some commands take behind --.
std::string buildOptionHint(const std::string& command, const std::string& word) {
  const auto begins = [&](const char* prefix) { return word.starts_with(prefix); };
  if (!begins("-D") && !begins("-U") && !begins("-I") && !begins("-W") && !begins("-cl-") && !begins("-O")) return {};
  if (command == "compile" || command == "opt")
    return fmt::format("; build options follow --: clarity {} FILE -- {}", command, word);
  if (command == "exec") return fmt::format("; build options are one word: --build '{}'", word);
  return {};
}

// The first word is a command or an option of the program itself.
void requireKnownFirst(CLI::App& app, const std::vector<std::string>& args) {
  if (args.empty()) return;
  const std::string& word = args.front();
  if (!word.starts_with("-") && &scopeOf(app, args) == &app)
    throw UsageError(fmt::format("there is no command '{}'{}", word, didYouMean(word, subcommandNames(app))));
  if (!word.starts_with("-") || word == "-h" || word == "-V") return;
  const std::vector<std::string> known = longOptions(app);
  if (std::ranges::find(known, word) != known.end()) return;
  const std::string meant = didYouMean(word, known);
  throw UsageError(fmt::format("unknown option '{}'{}", word, !meant.empty() ? meant : "; options follow a command"));
}

// Whether a word without a value is an option of the command: `-o`, `--output`, and `-oFILE`.
bool isOption(const CLI::App& scope, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (name.starts_with("--")) return scope.get_option_no_throw(name) || name == "--";
  return scope.get_option_no_throw(name.substr(0, 2)) || name == "-";
}

// The first unknown option; an argument that is missing as well is of less interest. Empty if there is none.
std::string unknownOption(const CLI::App& scope, const std::vector<std::string>& args) {
  for (std::size_t at = 1; at < args.size(); ++at) {
    const std::string& word = args[at];
    if (!word.starts_with("-")) continue;
    if (!isOption(scope, word)) return word;
    const CLI::Option* const option = scope.get_option_no_throw(word);
    if (option && option->get_type_size() != 0) ++at;  // its value
  }
  return {};
}

// "unknown option '--globl' (did you mean '--global'?)"
std::string unknownText(const CLI::App& scope, const std::string& word) {
  if (const std::string hint = buildOptionHint(scope.get_name(), word); !hint.empty())
    return fmt::format("unknown option '{}'{}", word, hint);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("unknown option '{}'{}", name, didYouMean(name, longOptions(scope)));
}

// Says why CLI11 did not recognise a word.
std::string unexpected(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  const CLI::App& scope = parsed.empty() ? app : *parsed.front();
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return "the command line is invalid";
  if (!words.front().starts_with("-"))
    return fmt::format("unexpected argument '{}'{}", words.front(),
                       scope.get_name() == "exec" ? "; arguments of the kernel follow --arg" : "");
  return unknownText(scope, words.front());
}

int usageError(CLI::App& app, const std::string& text, const std::string& first) {
  std::string command = subcommandOf(app);
  const std::vector<std::string> commands = subcommandNames(app);
  if (command.empty() && std::ranges::find(commands, first) != commands.end()) command = first;
  return say(usageCode, fmt::format("{}\nTry 'clarity {}{}--help'.", text, command, command.empty() ? "" : " "),
             command);
}

int cannotWrite(int error, const std::string& command) {
  return say(failureCode, fmt::format("cannot write to standard output: {}", std::strerror(error)), command);
}

// The exit code, if everything that was printed has arrived: a full disk or a closed file is a failure.
int finished(int status, const std::string& command) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  return cannotWrite(errno ? errno : EIO, command);
}

// A help text or the version.
int printAnswer(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
  return finished(successCode, "");
}

// Runs the command that the words name. Every error becomes a sentence and an exit code.
int parseAndRun(CLI::App& app, const Invocation& invocation, std::vector<std::string> args) {
  const std::string first = args.empty() ? std::string() : args.front();
  std::vector<std::string> words;
  try {
    expandAbbreviations(scopeOf(app, args), args);
    requireKnownFirst(app, args);
    words = args;
    if (std::ranges::find(args, "--version") != args.end()) args = {"--version"};  // of every command
    std::ranges::reverse(args);  // CLI11 expects the words in reverse order
    app.parse(args);
    return finished(invocation.status, subcommandOf(app));
  } catch (const CLI::CallForHelp&) {
    const auto parsed = app.get_subcommands();
    return printAnswer(parsed.empty() ? app.help() : parsed.front()->help());
  } catch (const CLI::CallForVersion& version) {
    return printAnswer(fmt::format("{}\n", version.what()));
  } catch (const CLI::ExtrasError&) {
    return usageError(app, unexpected(app), first);
  } catch (const CLI::RequiredError& error) {
    const std::string unknown = unknownOption(scopeOf(app, words), words);
    return usageError(app, unknown.empty() ? plainText(error) : unknownText(scopeOf(app, words), unknown), first);
  } catch (const CLI::ParseError& error) {
    return usageError(app, plainText(error), first);
  } catch (const UsageError& error) {
    return usageError(app, error.what(), first);
  } catch (const Failure& error) {
    return say(failureCode, error.what(), subcommandOf(app));
  } catch (const cl::Error& error) {
    return say(failureCode, fmt::format("{} failed: {} ({})", error.what(), errorName(error.err()), error.err()),
               subcommandOf(app));
  } catch (const std::bad_alloc&) {
    return say(failureCode, "not enough memory", subcommandOf(app));
  } catch (const std::system_error& error) {
    // fmt::print() throws it where standard output takes nothing.
    if (std::ferror(stdout)) return cannotWrite(error.code().value(), subcommandOf(app));
    return say(failureCode, error.what(), subcommandOf(app));
  } catch (const std::exception& error) {
    return say(failureCode, error.what(), subcommandOf(app));
  }
}

int runMain(int argc, char** argv) {
  CLI::App app(descriptionText, "clarity");
  app.footer(footerText);
  app.set_version_flag("-V,--version", std::string("clarity ") + CLARITY_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this text and exit");
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());  // before the subcommands, which inherit it

  Invocation invocation;
  addInfoCommand(app, invocation);
  addRunCommand(app, invocation);
  addCheckCommand(app, invocation);
  addProfileCommand(app, invocation);
  addDebugCommand(app, invocation);
  addExplainCommand(app);
  addCompileCommand(app, invocation);
  addOptCommand(app, invocation);
  addExecCommand(app, invocation);
  addBenchCommand(app, invocation);
  addMeasureCommand(app, invocation);
  addGenerateCommand(app, invocation);

  for (CLI::App* sub : visibleCommands(app)) sub->group("Commands");

  std::vector<std::string> words(argv + 1, argv + argc);
  wrapExec(words);
  std::vector<std::string> args = splitRest(std::move(words), invocation);
  if (args.empty() && invocation.rest.empty()) {
    printError(app.help());
    return usageCode;
  }
  if (!args.empty() && args[0] == "help") {  // `clarity help exec` is `clarity exec --help`
    args.erase(args.begin());
    if (!args.empty() && args[0] == "help") args.clear();
    args.resize(std::min<size_t>(args.size(), 1));
    args.emplace_back("--help");
  }
  return parseAndRun(app, invocation, std::move(args));
}

}  // namespace
}  // namespace clarity::tools

int main(int argc, char** argv) {
  clarity::tools::standInForClosed();
  return clarity::tools::runMain(argc, argv);
}
