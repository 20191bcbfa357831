// SPDX-License-Identifier: Apache-2.0
// This file has the rules about accesses of memory: where work-items side by side are not side by side there.
#include "kernel_code.h"
#include "pattern.h"
#include "profile_access_remark.h"
#include "profile_kernel_advice.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double leastWeight = 0.15;
/// Vectors that are loaded row by row and transposed cost a few instructions each: only a line that is most of a kernel
/// is at fault.
constexpr double leastOfTransposed = 0.6;
constexpr unsigned leastOfSparse = 4;  ///< elements

class AccessRule {
public:
  AccessRule(const KernelFacts& facts, std::vector<Advice>& found) : facts_(facts), found_(found) {}

  void look(const KernelRemark& remark) {
    const std::optional<AccessRemark> access = accessOf(remark);
    if (!access || access->place.empty() || weightOf(remark, *access) < leastWeight) return;
    if (isFastElsewhere(remark, *access) || isForOneItem(*access, remark.line)) return;
    const std::optional<unsigned> apart = elementsApart(access->reason);
    const bool isTransposed = access->says("vectors transposed") && facts_.weight(remark.line) >= leastOfTransposed;
    if (access->says("as it is volatile")) return isVolatile(remark, *access);
    if (const SourceArray* const array = facts_.array(access->object()); array) {
      if (array->isLocal && apart && isTransposed && !facts_.isAtLimit()) isFarApart(remark, *access, apart);
      return;
    }
    if (access->place.find("image") != std::string::npos || access->reason.find("atomic function") != std::string::npos)
      return;
    if (access->reason.find("bools") != std::string::npos || access->reason.find("cannot mask") != std::string::npos)
      return;
    const bool isMember =
        access->place.find("].") != std::string::npos || access->place.find("->") != std::string::npos;
    if (isMember && apart && *apart > 1) return isStructure(remark, *access, *apart);
    if (!isMember && access->operation == "load" && access->says("stride of ")) return isSparse(remark, *access);
    if (facts_.isAtLimit()) return;
    if (apart && isTransposed) return isFarApart(remark, *access, apart);
    if (!remark.isMissed) return;
    if (access->place.ends_with(".texels'")) return isImage(remark, *access);
    if (access->reason.find("loaded from") != std::string::npos) return isTable(remark, *access);
    isFarApart(remark, *access, apart);
  }

private:
  /// "b[i]"; "'b'" where the remark says "from 'b'" or "to 'b'", since the index is not known.
  static std::string placeText(const AccessRemark& access) {
    const std::size_t quote = access.place.find('\'');
    return clipped(quote != access.place.npos && quote <= 5 ? access.place.substr(quote) : access.place);
  }

  /// The weight of an access. Instructions that use a gathered value wait for it, and have the samples.
  double weightOf(const KernelRemark& remark, const AccessRemark& access) const {
    constexpr unsigned linesBehind = 3;
    static const Pattern made(R"(([A-Za-z_]\w*)\s*=[^=])");
    static const Pattern works(R"([/%]|\b(?!get_|min|max|if|convert_|as_)[a-z]\w*\s*\()");
    double weight = facts_.weight(remark.line);
    const std::string& code = facts_.source.code(remark.line);
    if (!access.says("gather") || access.operation != "load") return weight;
    const auto match = made.search(code);
    if (!match) return weight;
    for (unsigned line = remark.line + 1; line <= remark.line + linesBehind; ++line) {
      const std::string& user = facts_.source.code(line);
      if (hasWord(user, (*match)[1]) && !works.isIn(user)) weight = std::max(weight, facts_.weight(line));
    }
    return weight;
  }

  /// Whether a branch has it done by one work-item of many, such as the first of a row: it has no neighbour.
  bool isForOneItem(const AccessRemark& access, unsigned line) const {
    const SourceBlock* const branch = facts_.source.branchOf(line);
    if (!branch || !access.says("masked") || branch->head.find("==") == branch->head.npos) return false;
    const std::vector<std::string> words = wordsOf(branch->head);
    for (const char* const id : {"get_local_id", "get_global_id"}) {
      std::vector<std::string> names = facts_.source.variablesOf(id);
      names.emplace_back(id);
      for (const std::string& name : names)
        if (std::ranges::find(words, name) != words.end()) return true;
    }
    return false;
  }

  /// Whether another version of the code has the access in a fast form: that one is made for usual sizes.
  bool isFastElsewhere(const KernelRemark& remark, const AccessRemark& access) const {
    return std::ranges::any_of(facts_.code.remarks, [&](const KernelRemark& other) {
      if (other.line != remark.line || other.region == remark.region || other.isMissed) return false;
      const std::optional<AccessRemark> its = accessOf(other);
      return its && its->operation == access.operation && std::ranges::count(its->places, access.place) > 0;
    });
  }

  std::string shareText(unsigned line) const {
    return fmt::format("{} of the kernel's samples are in this line", percent(facts_.share(line, line)));
  }
  std::string shareText(const KernelRemark& remark, const AccessRemark& access) const {
    const double own = facts_.share(remark.line, remark.line), weight = weightOf(remark, access);
    return weight <= std::max(own, facts_.weight(remark.line))
               ? shareText(remark.line)
               : fmt::format("{} of the kernel's samples are in a line that waits for this one", percent(weight));
  }

  void isVolatile(const KernelRemark& remark, const AccessRemark& access) {
    found_.push_back(facts_.advice(
        fmt::format("'{}' is volatile: one work-item after the other accesses it", access.object()), remark.line,
        shareText(remark.line),
        "Leave volatile out: it orders nothing between work-items. Where they share data, use atomic functions or "
        "barriers.",
        facts_.weight(remark.line), 0.6));
  }

  void isStructure(const KernelRemark& remark, const AccessRemark& access, unsigned apart) {
    // Where all of a structure is used, its cache lines are, too.
    const unsigned bytes = bytesOf(access.type), usedBytes = std::min(bytesUsed(access), apart * bytes);
    const double used = static_cast<double>(usedBytes) / (apart * bytes);
    if (used > 0.5 || isMostlyRead(remark.line) || (facts_.use && facts_.use->isAtArithmetic())) return;
    found_.push_back(facts_.advice(
        fmt::format("Of an array of structures few members are used: {}", clipped(access.place)), remark.line,
        fmt::format("work-items side by side are {} bytes apart, and use {} of them; {}", apart * bytes, usedBytes,
                    shareText(remark.line)),
        fmt::format("Keep each member of '{}' in an array of its own: neighbours then share cache lines.",
                    access.object()),
        facts_.weight(remark.line), 0.9 * (1 - used)));
  }

  /// The bytes of a structure that the kernel accesses. Pointers that are no arguments may be to the same array.
  unsigned bytesUsed(const AccessRemark& access) const {
    std::map<std::string, unsigned> members;
    const bool isArgument = hasWord(facts_.source.parameters(), access.object());
    for (const KernelRemark& other : facts_.code.remarks) {
      const auto its = accessOf(other);
      if (!its || its->places.empty()) continue;
      unsigned elements = 0;  // "4 consecutive elements per work-item"
      std::from_chars(its->form.data(), its->form.data() + its->form.size(), elements);
      const auto places = static_cast<unsigned>(its->places.size());
      const unsigned bytes = bytesOf(its->type) * (std::max(elements, places) + places - 1) / places;
      for (const std::string& place : its->places) {
        const std::string object = objectOf(place);
        const bool mayBeSame = !isArgument || !hasWord(facts_.source.parameters(), object);
        if (object != access.object() && !mayBeSame) continue;
        unsigned& most = members[memberOf(place)];
        most = std::max(most, bytes);
      }
    }
    unsigned all = 0;
    for (const auto& [member, bytes] : members) all += bytes;
    return all;
  }

  /// "pos.x" of "bodies[i].pos.x" and of "body->pos.x"; empty: all of it.
  static std::string memberOf(const std::string& place) {
    const std::size_t bracket = place.find("]."), arrow = place.find("->");
    const std::size_t at = std::min(bracket, arrow);
    return at == place.npos ? std::string() : place.substr(at + 2);
  }

  /// Whether the bytes that the kernel was counted to access are most of those of its buffers: then few are skipped.
  bool isMostlyRead(unsigned line) const {
    constexpr double most = 0.6;
    const std::optional<ProfiledCount>& work = facts_.launch.work;
    return work && !work->isOnGpu() && !facts_.loopOf(line) && work->bytes() >= most * work->bufferBytes;
  }

  /// One element of every few, such as a channel of pixels: memory transfers all of them.
  void isSparse(const KernelRemark& remark, const AccessRemark& access) {
    unsigned apart = 0;
    const char* const begin = access.form.data() + access.form.find("stride of ") + 10;
    std::from_chars(begin, access.form.data() + access.form.size(), apart);
    if (apart < leastOfSparse || !isOfScalars(access.object()) || isWalked(remark.line, access.place)) return;
    std::set<std::string> places;
    for (const KernelRemark& other : facts_.code.remarks)
      if (const auto its = accessOf(other); its && its->object() == access.object())
        places.insert(its->places.begin(), its->places.end());
    if (2 * places.size() > apart || (facts_.use && facts_.use->isAtArithmetic())) return;
    const unsigned bytes = bytesOf(access.type);
    found_.push_back(
        facts_.advice(fmt::format("Of every {} elements few are used: {}", apart, clipped(access.place)), remark.line,
                      fmt::format("work-items side by side are {} bytes apart, and use {} of them; {}", apart * bytes,
                                  places.size() * bytes, shareText(remark.line)),
                      fmt::format("Keep what is used together in an array of its own: memory transfers all of '{}'.",
                                  access.object()),
                      facts_.weight(remark.line), 0.9 * (1 - static_cast<double>(places.size()) / apart)));
  }

  /// Whether a pointer is to scalars: an element of it is all that a place names.
  bool isOfScalars(const std::string& pointer) const {
    const Pattern declared(fmt::format(R"(\b(?:char|uchar|short|ushort|int|uint|long|ulong|float|double|half)\s*\*)"
                                       R"(\s*(?:(?:const|restrict|__restrict)\s+)*{}\b)",
                                       Pattern::literally(pointer)));
    return declared.isIn(facts_.source.body());
  }

  /// Whether the loop around a line changes the index of a place, so that a work-item uses what lies between. In
  /// functions, whoever calls them may do so.
  bool isWalked(unsigned line, const std::string& place) const {
    if (line < facts_.source.first() || line > facts_.source.last()) return true;
    const SourceBlock* const loop = facts_.loopOf(line);
    if (!loop) return false;
    const std::set<std::string> changed = changedIn(*loop);
    return std::ranges::any_of(wordsOf(place), [&](const std::string& word) { return changed.contains(word); });
  }

  void isTable(const KernelRemark& remark, const AccessRemark& access) {
    constexpr std::string_view words = "loaded from ";
    std::string from = access.reason.substr(access.reason.find(words) + words.size());
    from = from.substr(0, std::min(from.find(" (line"), from.find(", masked")));
    if (from.starts_with("a value")) return;  // which one is not known
    if (const std::size_t end = from.find('\'', 1); from[0] == '\'' && end != from.npos) {
      // A variable that is kept across a barrier, whatever it was made of.
      from = from.substr(1, end - 1);
      const std::string definition = facts_.source.definitionOf(from);
      static const Pattern loaded(R"(=[^,;(]*\[)");
      if (const std::size_t at = definition.find(from + " =");
          at == definition.npos || !loaded.isIn(std::string_view(definition).substr(at, definition.find(',', at) - at)))
        return;
    }
    if (const SourceArray* const array = facts_.array(from.substr(0, from.find('['))); array) return;
    if (isSmallTable(access.object(), from.substr(0, from.find('[')))) return;
    found_.push_back(facts_.advice(
        fmt::format("Work-items side by side access wherever {} says: {}", clipped(from), placeText(access)),
        remark.line, fmt::format("{}, which gathers element by element", shareText(remark, access)),
        "Sort the work by the index once, so that neighbours access neighbouring elements, or bring the data into the "
        "order of the work-items before it is used more than once.",
        weightOf(remark, access), 0.5));
  }

  /// Whether a cache holds all of a table: constant memory, or one that a byte has the index of.
  bool isSmallTable(const std::string& table, const std::string& index) const {
    const auto isParameter = [&](const std::string& types, const std::string& name) {
      const Pattern declared(
          fmt::format(R"((?:^|,)[^,]*\b(?:{})\b[^,]*\b{}\s*(?:,|$))", types, Pattern::literally(name)));
      return !name.empty() && declared.isIn(facts_.source.parameters());
    };
    return isParameter("constant|__constant", table) || isParameter("char|uchar|bool", index);
  }

  void isFarApart(const KernelRemark& remark, const AccessRemark& access, std::optional<unsigned> apart) {
    std::string distance = "far", why = access.reason;
    if (apart) {
      distance = fmt::format("{} bytes", *apart * bytesOf(access.type));
    } else if (const auto name = why.find("work-items are '"); name != why.npos) {
      const std::size_t begin = why.find('\'', name), end = why.find('\'', begin + 1);
      distance = fmt::format("{} elements", why.substr(begin, end + 1 - begin));
    }
    if (why.starts_with("the index is not affine: ")) why = "the index is " + why.substr(25);
    found_.push_back(facts_.advice(
        fmt::format("Work-items side by side are {} apart in {}", distance, placeText(access)), remark.line,
        fmt::format("{}{}{}", shareText(remark, access), why.empty() || apart ? "" : ": ", apart ? "" : why), cureFor(),
        weightOf(remark, access), apart ? 0.61 : 0.6));
  }

  /// A place "from 'NAME.texels'".
  void isImage(const KernelRemark& remark, const AccessRemark& access) {
    const std::size_t quote = access.place.find('\'') + 1;
    const std::string image = access.place.substr(quote, access.place.rfind('.') - quote);
    found_.push_back(facts_.advice(fmt::format("Texels of image '{}' are gathered one by one", image), remark.line,
                                   shareText(remark.line),
                                   "Read them by integer coordinates (int2) of neighbours, with a sampler of nearest "
                                   "texels, or keep what needs no "
                                   "filter in a buffer: neighbours are then loaded together.",
                                   facts_.weight(remark.line), 0.6));
  }

  std::string cureFor() const {
    if (facts_.launch.dimensions > 1)
      return "Swap the ids: get_global_id(0) must be what is added to the index, not what is multiplied; or transpose "
             "the data.";
    return "Arrange the data, or the work, so that the index grows by one with get_global_id(0): a cache line then "
           "serves all work-items of a packet.";
  }

  const KernelFacts& facts_;
  std::vector<Advice>& found_;
};

}  // namespace

void adviseOnAccesses(const KernelFacts& facts, std::vector<Advice>& found) {
  AccessRule rule(facts, found);
  for (const KernelRemark& remark : facts.code.remarks) rule.look(remark);
}

void adviseOnArraysOfItems(const KernelFacts& facts, std::vector<Advice>& found) {
  for (const KernelRemark& remark : facts.code.remarks) {
    const std::optional<AccessRemark> access = accessOf(remark);
    const SourceArray* const array = access && remark.isMissed ? facts.array(access->object()) : nullptr;
    if (!array || array->isLocal || facts.weight(remark.line) < leastWeight) continue;
    found.push_back(facts.advice(
        fmt::format("The private array '{}' is not in registers: {}", array->name, clipped(access->place)), remark.line,
        fmt::format(
            "{} of the kernel's samples are in this line; the index {}", percent(facts.share(remark.line, remark.line)),
            access->reason.find("loaded") != std::string::npos ? "differs between work-items" : "is no constant"),
        "Compute what the array holds, keep it in local memory for the work-group, or use indices that are the same "
        "for all work-items.",
        facts.weight(remark.line), 0.5));
  }
}

void adviseOnSumsInMemory(const KernelFacts& facts, std::vector<Advice>& found) {
  static const Pattern update(R"(([A-Za-z_]\w*\s*\[([^\]]*)\])\s*[-+*/|&^]=[^=])");
  for (const auto& [line, share] : facts.shares) {
    const SourceBlock* const loop = facts.loopOf(line);
    if (!loop || facts.weight(line) < leastWeight) continue;
    const auto match = update.search(facts.source.code(line));
    if (!match) continue;
    const std::string place = (*match)[1], index = (*match)[2];
    const std::string object = wordsOf(place)[0];
    if (facts.array(object)) continue;
    // The place must be the same in every iteration.
    const std::set<std::string> changed = changedIn(*loop);
    const std::vector<std::string> words = wordsOf(index);
    if (std::ranges::any_of(words, [&](const std::string& word) { return changed.contains(word); })) continue;
    bool isLoaded = false, isStored = false;
    for (const KernelRemark& remark : facts.code.remarks) {
      if (remark.line != line) continue;
      const auto access = accessOf(remark);
      if (!access || access->object() != object) continue;
      (access->operation == "load" ? isLoaded : isStored) = true;
    }
    if (!isLoaded || !isStored) continue;
    found.push_back(facts.advice(fmt::format("'{}' is loaded and stored in every iteration", clipped(place)), line,
                                 fmt::format("{} of the kernel's samples are in this line", percent(share)),
                                 "Sum in a private variable, and store it once behind the loop.", facts.weight(line),
                                 0.65));
  }
}

void adviseOnSharedLines(const KernelFacts& facts, std::vector<Advice>& found) {
  static const Pattern store(R"(([A-Za-z_]\w*)\s*\)?\s*\[([^\]]*)\]\s*(?:[-+*/|&^]?=[^=]|\+\+|--))");
  std::set<std::string> groups{"get_group_id"};
  for (const std::string& name : facts.source.variablesOf("get_group_id")) groups.insert(name);
  if (facts.items() == 1)
    for (const std::string& name : facts.source.variablesOf("get_global_id")) groups.insert(name);
  if (facts.launch.workGroups() < 2) return;
  for (unsigned line = facts.source.first(); line <= facts.source.last(); ++line) {
    const double share = facts.weight(line);
    if (!facts.loopOf(line) || share < leastWeight) continue;
    const auto match = store.search(facts.source.code(line));
    if (!match || facts.array((*match)[1])) continue;
    const std::vector<std::string> words = wordsOf((*match)[2]);
    if (words.empty() || !std::ranges::all_of(words, [&](const std::string& word) { return groups.contains(word); }))
      continue;
    found.push_back(facts.advice(
        fmt::format("Work-groups write to one cache line: {}[{}]", (*match)[1], (*match)[2]), line,
        fmt::format("{} of the kernel's samples are in this line, in a loop; neighbouring work-groups write "
                    "neighbouring elements, and their processors take the line from each other",
                    percent(share)),
        "Keep the value in a private variable and store it once behind the loop, or give each work-group 64 bytes of "
        "its own.",
        facts.weight(line), 0.85));
  }
}

}  // namespace clarity::tools
