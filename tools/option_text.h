// SPDX-License-Identifier: Apache-2.0
// This file declares how the values of options are checked and described, and what is said when one is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class Option;
class ParseError;
class Validator;
}  // namespace CLI

namespace clarity::tools {

/// The value is one of these words. Completion scripts list them.
CLI::Validator oneOf(std::vector<std::string> words);

/// The value is a whole number in decimal digits, from `least` to `most`.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);

/// The value is a number above 0.
CLI::Validator positiveNumber();

/// The name of an option's value: "FILE"; empty if it takes none.
std::string valueName(const CLI::Option& option);

/// The name of the value that a flag may have behind =, which CLI11 shows as "--json{-}" or "--check{all}": "FILE"
/// where the flag alone stands for standard output, else "LIST"; empty if it takes none.
std::string flagValueName(const CLI::Option& option);

/// An option's description with its default and the environment variable that may give it.
std::string describe(const CLI::Option& option);

/// The mistake in the command line, for people.
std::string plainText(const CLI::ParseError& error);

}  // namespace clarity::tools
