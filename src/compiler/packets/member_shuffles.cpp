// SPDX-License-Identifier: Apache-2.0
// This file shuffles vectors between the order of memory and that of the lanes.
#include "compiler/packets/member_shuffles.h"

#include <utility>

namespace clarity::compiler {
namespace {

/// Splits a stream that interleaves `parts.size()` members (a power of two): evens and odds, again and again.
llvm::SmallVector<llvm::Value*, 4> deinterleaveMembers(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts,
                                                       unsigned lanes) {
  if (parts.size() == 1) return {parts[0]};
  llvm::SmallVector<int, 16> evens, odds;
  for (unsigned i = 0; i < lanes; ++i) {
    evens.push_back(static_cast<int>(2 * i));
    odds.push_back(static_cast<int>(2 * i + 1));
  }
  llvm::SmallVector<llvm::Value*, 4> even, odd, members(parts.size());
  for (unsigned i = 0; i < parts.size(); i += 2) {
    even.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], evens));
    odd.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], odds));
  }
  even = deinterleaveMembers(builder, even, lanes);
  odd = deinterleaveMembers(builder, odd, lanes);
  for (unsigned i = 0; i < even.size(); ++i) {
    members[2 * i] = even[i];
    members[2 * i + 1] = odd[i];
  }
  return members;
}

/// The reverse.
llvm::SmallVector<llvm::Value*, 4> interleaveMembers(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> members,
                                                     unsigned lanes) {
  if (members.size() == 1) return {members[0]};
  llvm::SmallVector<llvm::Value*, 4> even, odd, parts;
  for (unsigned i = 0; i < members.size(); i += 2) {
    even.push_back(members[i]);
    odd.push_back(members[i + 1]);
  }
  even = interleaveMembers(builder, even, lanes);
  odd = interleaveMembers(builder, odd, lanes);
  llvm::SmallVector<int, 16> low, high;
  for (unsigned i = 0; i < lanes; ++i) {
    low.push_back(static_cast<int>(i / 2 + (i % 2) * lanes));
    high.push_back(static_cast<int>((lanes + i) / 2 + (i % 2) * lanes));
  }
  for (unsigned i = 0; i < even.size(); ++i) {
    parts.push_back(builder.CreateShuffleVector(even[i], odd[i], low));
    parts.push_back(builder.CreateShuffleVector(even[i], odd[i], high));
  }
  return parts;
}

/// Three sources, and for every lane which of them and which of its elements.
llvm::Value* select(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> sources,
                    llvm::ArrayRef<std::pair<unsigned, unsigned>> from, unsigned lanes) {
  llvm::SmallVector<int, 16> first, second;
  for (unsigned i = 0; i < lanes; ++i) {
    const auto [source, element] = from[i];
    first.push_back(source < 2 ? static_cast<int>(element + source * lanes) : -1);
    second.push_back(source < 2 ? static_cast<int>(i) : static_cast<int>(lanes + element));
  }
  return builder.CreateShuffleVector(builder.CreateShuffleVector(sources[0], sources[1], first), sources[2], second);
}

}  // namespace

llvm::SmallVector<llvm::Value*, 4> membersOfParts(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts,
                                                  unsigned lanes) {
  if (parts.size() != 3) return deinterleaveMembers(builder, parts, lanes);
  llvm::SmallVector<llvm::Value*, 4> members;
  for (unsigned member = 0; member < 3; ++member) {
    llvm::SmallVector<std::pair<unsigned, unsigned>, 16> from;
    for (unsigned i = 0; i < lanes; ++i) from.emplace_back((3 * i + member) / lanes, (3 * i + member) % lanes);
    members.push_back(select(builder, parts, from, lanes));
  }
  return members;
}

llvm::SmallVector<llvm::Value*, 4> partsOfMembers(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> members,
                                                  unsigned lanes) {
  if (members.size() != 3) return interleaveMembers(builder, members, lanes);
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned part = 0; part < 3; ++part) {
    llvm::SmallVector<std::pair<unsigned, unsigned>, 16> from;
    for (unsigned i = 0; i < lanes; ++i) from.emplace_back((part * lanes + i) % 3, (part * lanes + i) / 3);
    parts.push_back(select(builder, members, from, lanes));
  }
  return parts;
}

}  // namespace clarity::compiler
