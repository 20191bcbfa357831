// SPDX-License-Identifier: Apache-2.0
// This file is how code that a back end generated becomes bytes for the disk cache.
#pragma once

#include "compiler/ir/device_code.h"
#include "support/field_bytes.h"

#include <string>
#include <string_view>

namespace clarity::compiler {

/// DeviceCode with a back end's own content, a struct with a list of fields (support/fields.h).
template <support::HasFields Content>
class StoredCode : public DeviceCode, public Content {
public:
  std::string bytes() const final {
    support::ByteWriter to;
    support::write(to, remarks);
    support::write(to, sites);
    support::write(to, static_cast<const Content&>(*this));
    return to.take();
  }
  /// bytes() back; false if they are cut short or something follows them.
  bool take(std::string_view bytes) {
    support::ByteReader from(bytes);
    support::read(from, remarks);
    support::read(from, sites);
    support::read(from, static_cast<Content&>(*this));
    return from.ok() && from.atEnd();
  }
};

}  // namespace clarity::compiler
