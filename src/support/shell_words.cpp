// SPDX-License-Identifier: Apache-2.0
// This file splits a line into words (POSIX.1 Shell Command Language, section 2.2, quoting).
#include "support/shell_words.h"

#include <fmt/format.h>

namespace clarity::support {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/// Whether a backslash escapes a character between double quotes; before any other character it is literal.
bool isEscapableInQuotes(char c) { return c == '"' || c == '\\' || c == '$' || c == '`' || c == '\n'; }

/// Reads the text once; `word_` collects the characters of the current word.
class Splitter {
public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::expected<std::vector<std::string>, std::string> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (isBlank(c)) {
        ++at_;
        endWord();
      } else if (c == '\'' || c == '"') {
        if (!quoted(c)) return std::unexpected(unclosed_);
      } else if (c == '\\') {
        if (at_ + 1 == text_.size()) return std::unexpected("the options end in a backslash that escapes nothing");
        if (text_[at_ + 1] != '\n') take(text_[at_ + 1]);
        at_ += 2;
      } else {
        take(c);
        ++at_;
      }
    }
    endWord();
    return std::move(words_);
  }

private:
  void take(char c) {
    word_ += c;
    inWord_ = true;
  }

  void endWord() {
    if (inWord_) words_.push_back(std::move(word_));
    word_.clear();
    inWord_ = false;
  }

  bool quoted(char quote) {
    const std::size_t begin = at_++;
    inWord_ = true;  // "" is a word
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        ++at_;
        return true;
      }
      if (quote == '"' && c == '\\' && at_ + 1 < text_.size() && isEscapableInQuotes(text_[at_ + 1])) {
        c = text_[++at_];
        if (c == '\n') continue;
      }
      word_ += c;
    }
    unclosed_ = fmt::format("the quote {} at column {} of the options is not closed: {}", quote, begin + 1,
                            text_.substr(begin, 60));
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool inWord_ = false;
  std::string unclosed_;
  std::vector<std::string> words_;
};

}  // namespace

std::expected<std::vector<std::string>, std::string> shellWords(std::string_view text) { return Splitter(text).run(); }

}  // namespace clarity::support
