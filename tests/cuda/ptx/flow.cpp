// SPDX-License-Identifier: Apache-2.0
#include "flow.h"

#include "syntax.h"

#include <algorithm>

namespace clarity::ptx {
namespace {

using Successors = std::vector<std::vector<unsigned>>;

class Ordering {
public:
  explicit Ordering(const Successors& successors)
      : successors_(successors), region_(successors.size(), 0), isHeader_(successors.size(), false) {}

  Order run() {
    std::vector<unsigned> all;
    for (unsigned i = 0; i < successors_.size(); ++i) all.push_back(i);
    order(all, 0);
    return std::move(order_);
  }

private:
  /// Orders blocks of a region that are reached from `first`: components first, which are loops or single blocks.
  void order(const std::vector<unsigned>& blocks, unsigned first);
  void loop(const std::vector<unsigned>& blocks, unsigned header);
  bool isInRegion(unsigned block) const { return region_[block] == current_ && !isHeader_[block]; }
  unsigned headerOf(const std::vector<unsigned>& blocks, unsigned first) const;

  /// Strongly connected components of the region by Tarjan's algorithm, the last one first.
  struct Components {
    std::vector<unsigned> number, lowest, stack;
    std::vector<bool> isOnStack;
    std::vector<std::vector<unsigned>> found;
    unsigned count = 0;
  };
  void visit(Components& components, unsigned block) const;

  const Successors& successors_;
  std::vector<unsigned> region_;  ///< the innermost loop that a block is in
  std::vector<bool> isHeader_;    ///< headers of loops that are being ordered: edges to them lead back
  unsigned current_ = 0, regions_ = 0;
  Order order_;
};

void Ordering::visit(Components& components, unsigned block) const {
  components.number[block] = components.lowest[block] = ++components.count;
  components.stack.push_back(block);
  components.isOnStack[block] = true;
  for (const unsigned next : successors_[block]) {
    if (!isInRegion(next)) continue;
    if (components.number[next] == 0) {
      visit(components, next);
      components.lowest[block] = std::min(components.lowest[block], components.lowest[next]);
    } else if (components.isOnStack[next]) {
      components.lowest[block] = std::min(components.lowest[block], components.number[next]);
    }
  }
  if (components.lowest[block] != components.number[block]) return;
  std::vector<unsigned> component;
  for (unsigned last = ~block; last != block;) {
    last = components.stack.back();
    components.stack.pop_back();
    components.isOnStack[last] = false;
    component.push_back(last);
  }
  components.found.push_back(std::move(component));
}

/// The block of a loop that is reached from outside: the first in the text, if there are several.
unsigned Ordering::headerOf(const std::vector<unsigned>& blocks, unsigned first) const {
  if (holds(blocks, first)) return first;
  unsigned header = ~0u;
  for (unsigned block = 0; block < successors_.size(); ++block)
    if (!holds(blocks, block))
      for (const unsigned next : successors_[block])
        if (next < header && holds(blocks, next)) header = next;
  return header == ~0u ? *std::ranges::min_element(blocks) : header;
}

void Ordering::loop(const std::vector<unsigned>& blocks, unsigned header) {
  const unsigned outer = current_;
  current_ = ++regions_;
  for (const unsigned block : blocks) region_[block] = current_;
  isHeader_[header] = true;
  order_.items.push_back({header, false});
  std::vector<unsigned> rest, backwards;
  for (const unsigned block : blocks) {
    if (block != header) rest.push_back(block);
    if (holds(successors_[block], header)) backwards.push_back(block);
  }
  if (!rest.empty()) order(rest, header);
  if (backwards.size() > 1) {
    for (const unsigned block : backwards) order_.latches[{block, header}] = static_cast<unsigned>(order_.items.size());
    order_.items.push_back({header, true});
  }
  isHeader_[header] = false;
  current_ = outer;
  for (const unsigned block : blocks) region_[block] = outer;
}

void Ordering::order(const std::vector<unsigned>& blocks, unsigned first) {
  Components components;
  components.number.resize(successors_.size());
  components.lowest.resize(successors_.size());
  components.isOnStack.resize(successors_.size());
  if (isInRegion(first)) {
    visit(components, first);
  } else {
    // Inside a loop: from what its header leads to.
    for (const unsigned next : successors_[first])
      if (isInRegion(next) && components.number[next] == 0) visit(components, next);
    for (const unsigned block : blocks)
      if (components.number[block] == 0) visit(components, block);
  }
  std::ranges::reverse(components.found);
  for (const auto& component : components.found) {
    const unsigned block = component[0];
    if (component.size() > 1 || holds(successors_[block], block))
      loop(component, component.size() > 1 ? headerOf(component, first) : block);
    else
      order_.items.push_back({block, false});
  }
}

}  // namespace

Order orderOf(const std::vector<std::vector<unsigned>>& successors) { return Ordering(successors).run(); }

}  // namespace clarity::ptx
