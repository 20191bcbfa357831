// SPDX-License-Identifier: Apache-2.0
// This file is the hidden command `clarity generate`: it writes completion scripts for bash, zsh and fish, and manual
// pages, from the descriptions of the commands and options that the help texts are made of.
#include "command.h"
#include "files.h"
#include "option_text.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

using Names = std::vector<std::string>;

// An option as scripts and pages need it.
struct Described {
  Names names;        // "-g", "--global"
  std::string value;  // "X[,Y[,Z]]"; empty: it takes none
  bool valueIsOptional = false;
  Names choices;     // the words that the value may be, if they are few
  std::string text;  // in one line
  bool isPositional = false;

  bool takesFile() const {
    for (const char* word : {"FILE", "PATH", "DIR", "ICD"})
      if (value.contains(word)) return true;
    return false;
  }
};

std::string oneLine(std::string text) {
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at))
    text.replace(at, text.find_first_not_of(' ', at + 1) - at, text.find(':', at - 1) == at - 1 ? " " : ", ");
  for (size_t at = text.find("  "); at != text.npos; at = text.find("  ", at))
    text.replace(at, text.find_first_not_of(' ', at) - at, ": ");
  return text;
}

// "FORM:{asm,binary}" is the type of a value with choices.
Described described(const CLI::Option& option) {
  Described result;
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  result.text = oneLine(option.get_description());
  result.isPositional = option.nonpositional() == false && result.names.empty();
  if (result.isPositional) result.names.push_back(option.get_name(true));
  std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  if (const size_t list = type.find(":{"); list != type.npos) {
    std::string_view words = std::string_view(type).substr(list + 2);
    for (words = words.substr(0, words.find('}')); !words.empty();) {
      const size_t comma = std::min(words.find(','), words.size());
      result.choices.emplace_back(words.substr(0, comma));
      words.remove_prefix(std::min(comma + 1, words.size()));
    }
  }
  result.value = valueName(option);
  result.valueIsOptional = option.get_items_expected_min() == 0;
  if (const std::string value = flagValueName(option); !value.empty()) {
    result.value = value;
    result.valueIsOptional = true;
  }
  return result;
}

std::vector<Described> optionsOf(const CLI::App& app) {
  std::vector<Described> result;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) result.push_back(described(*option));
  return result;
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// Text in single quotes of a shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// Commands with their words for options, in every script.
std::string bashScript(CLI::App& app) {
  Names commands;
  std::string cases, values;
  for (const CLI::App* command : visibleCommands(app)) {
    commands.push_back(command->get_name());
    Names words;
    for (const Described& option : optionsOf(*command)) {
      if (option.isPositional) continue;
      words.insert(words.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      const std::string reply = !option.choices.empty()
                                    ? fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\"))",
                                                  quoted(fmt::format("{}", fmt::join(option.choices, " "))))
                                : option.takesFile() ? "COMPREPLY=($(compgen -f -- \"$word\"))"
                                                     : "COMPREPLY=()";
      if (option.valueIsOptional) continue;
      Names patterns;
      for (const std::string& name : option.names) patterns.push_back(command->get_name() + "\\ " + name);
      values += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
    }
    cases +=
        fmt::format("    {}) options={} ;;\n", command->get_name(), quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  return fmt::format(R"(# Completion of the command `clarity` for bash. Generated from its options.
_clarity() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options
  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W '{} help --help --version' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}} $previous" in
{}  esac
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ ${{COMP_WORDS[1]}} == run ]]; then
    COMPREPLY=($(compgen -c -f -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _clarity clarity
)",
                     fmt::join(commands, " "), values, cases);
}

// Text inside [...] of _arguments.
std::string zshText(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zshOption(const Described& option) {
  std::string action;
  if (!option.choices.empty())
    action = fmt::format(":{}:({})", zshText(option.value), fmt::join(option.choices, " "));
  else if (!option.value.empty())
    action = fmt::format(":{}:{}", zshText(option.value), option.takesFile() ? "_files" : " ");
  if (option.valueIsOptional && !action.empty()) action = ":" + action;
  std::string result;
  for (const std::string& name : option.names)
    result += fmt::format("        {} \\\n", quoted(fmt::format("*{}[{}]{}", name, zshText(option.text), action)));
  return result;
}

std::string zshScript(CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : visibleCommands(app)) {
    commands += fmt::format("    {}\n", quoted(command->get_name() + ":" + firstLine(command->get_description())));
    cases += fmt::format("    {})\n      _arguments \\\n", command->get_name());
    for (const Described& option : optionsOf(*command))
      if (!option.isPositional) cases += zshOption(option);
    cases += "        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef clarity
# Completion of the command `clarity` for zsh. Generated from its options.
_clarity() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_clarity "$@"
)",
                     commands, cases);
}

std::string fishScript(CLI::App& app) {
  std::string text =
      "# Completion of the command `clarity` for fish. Generated from its options.\n"
      "complete -c clarity -n __fish_use_subcommand -l help -d 'Print the help text'\n"
      "complete -c clarity -n __fish_use_subcommand -l version -d 'Print the version'\n";
  for (const CLI::App* command : visibleCommands(app)) {
    text += fmt::format("complete -c clarity -f -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                        quoted(firstLine(command->get_description())));
    for (const Described& option : optionsOf(*command)) {
      if (option.isPositional) continue;
      text += fmt::format("complete -c clarity -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty())
        text += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
      else if (!option.value.empty() && !option.valueIsOptional)
        text += option.takesFile() ? " -r -F" : " -x";
      text += fmt::format(" -d {}\n", quoted(option.text));
    }
  }
  return text;
}

// Text for roff: backslashes and hyphens escaped, and no line that begins like a request.
std::string roff(const std::string& text) {
  std::string result = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  result = replaced(result, "\n.", "\n\\&.");
  result = replaced(result, "\n'", "\n\\&'");
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string manHead(const std::string& name, const std::string& what) {
  std::string title;
  for (char c : name) title += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return fmt::format(".TH {} 1 \"\" \"Clarity {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(title),
                     CLARITY_VERSION, roff(name), roff(what));
}

// The option's text as it was written, with its lines.
std::string manOptions(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    const Described it = described(*option);
    Names names;
    for (const std::string& name : it.names) names.push_back("\\fB" + roff(name) + "\\fR");
    const std::string value = it.value.empty() ? ""
                              : it.valueIsOptional
                                  ? fmt::format("[={}]", replaced(replaced(it.value, "[", ""), "]", ""))
                                  : " " + it.value;
    const std::string shown = value.empty() ? "" : "\\fI" + roff(value) + "\\fR";
    text += fmt::format(".TP\n{}{}\n", fmt::join(names, ", "), shown);
    const std::string description = describe(*option);
    const size_t list = description.find("\n  ");
    text += roff(replaced(description.substr(0, list), "\n", " ")) + "\n";
    if (list != description.npos) text += ".RS\n.nf\n" + roff(description.substr(list + 1)) + "\n.fi\n.RE\n";
  }
  return text;
}

std::string exitStatus(bool isRun) {
  if (isRun) return ".SH EXIT STATUS\nThat of the program; 127 if it was not found, 126 if it could not be started.\n";
  return ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nFailure, or a wrong result.\n.TP\n2\nInvalid command line.\n";
}

std::string environment() {
  std::string text = ".SH ENVIRONMENT\n";
#define CONFIG_OPTION(type, member, name, initial, documentation) \
  text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", name, roff(documentation));
#include "core/config.def"
#undef CONFIG_OPTION
  return text + ".TP\n\\fBNO_COLOR\\fR\nSet to anything: no colours on terminals.\n";
}

std::string commandPage(const CLI::App& command) {
  const std::string name = "clarity-" + command.get_name();
  std::string text = manHead(name, firstLine(command.get_description()));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR\n.SH OPTIONS\n{}", roff(usageOf(command)), manOptions(command));
  if (!command.get_footer().empty())
    text += fmt::format(".SH NOTES\n.in 0\n.nf\n{}\n.fi\n.in\n", roff(command.get_footer()));
  return text + exitStatus(command.get_name() == "run") + ".SH SEE ALSO\n\\fBclarity\\fR(1)\n";
}

std::string mainPage(CLI::App& app) {
  std::string text = manHead("clarity", "implementation of OpenCL 3.1: devices, programs, kernels, compiler");
  text += ".SH SYNOPSIS\n\\fBclarity\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" +
          roff(replaced(app.get_description(), "\n", " ")) +
          "\nLong options may be abbreviated as far as no other option begins like them.\n.SH COMMANDS\n";
  Names pages;
  for (const CLI::App* command : visibleCommands(app)) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", command->get_name(), roff(firstLine(command->get_description())));
    pages.push_back(fmt::format("\\fBclarity\\-{}\\fR(1)", command->get_name()));
  }
  text += ".SH OPTIONS\n" + manOptions(app) + exitStatus(false) + environment();
  return text + fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, ",\n"));
}

// Everything below `folder`, where an installation has it below its share/.
void generate(CLI::App& app, const std::filesystem::path& folder) {
  const auto file = [&](const char* place, const std::string& name, const std::string& text) {
    std::filesystem::create_directories(folder / place);
    writeText(folder / place / name, text);
  };
  file("bash-completion/completions", "clarity", bashScript(app));
  file("zsh/site-functions", "_clarity", zshScript(app));
  file("fish/vendor_completions.d", "clarity.fish", fishScript(app));
  file("man/man1", "clarity.1", mainPage(app));
  for (const CLI::App* command : visibleCommands(app))
    file("man/man1", fmt::format("clarity-{}.1", command->get_name()), commandPage(*command));
}

}  // namespace

void addGenerateCommand(CLI::App& app, Invocation& invocation) {
  auto folder = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("generate", "Write completion scripts and manual pages")->group("");
  sub->add_option("DIR", *folder, "Folder to write to")->type_name("")->required();
  sub->callback([folder, &app, &invocation] {
    generate(app, *folder);
    invocation.status = successCode;
  });
}

}  // namespace clarity::tools
