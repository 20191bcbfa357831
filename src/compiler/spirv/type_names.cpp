// SPDX-License-Identifier: Apache-2.0
// This file writes the names of types.
#include "compiler/spirv/type_names.h"

namespace clarity::compiler::spirv {
namespace {

std::string imageName(const Type& type) {
  const char* const dimension = type.dim == Dim::Dim1D ? "1d" : type.dim == Dim::Dim3D ? "3d" : "2d";
  if (type.dim == Dim::Buffer) return "image1d_buffer_t";
  return fmt::format("image{}{}{}{}_t", dimension, type.isArrayed ? "_array" : "", type.isMultisampled ? "_msaa" : "",
                     type.isDepth ? "_depth" : "");
}

}  // namespace

std::string typeName(const ModuleReader& module, const Type& type, const Instruction& user) {
  const unsigned bits = type.llvm->getScalarSizeInBits();
  switch (type.op) {
    case Op::TypeVoid: return "void";
    case Op::TypeBool: return "bool";
    case Op::TypeInt: return bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
    case Op::TypeFloat:
      if (type.isBFloat) return "bfloat16";
      return bits == 16 ? "half" : bits == 32 ? "float" : "double";
    case Op::TypeVector:
      return typeName(module, module.types().at(type.element, user), user) + std::to_string(type.count);
    case Op::TypePointer: {
      const Type* const pointee = module.types().find(type.element);
      // A chain of pointers may be a circle.
      return pointee && !pointee->isPointer() ? typeName(module, *pointee, user) + "*" : "void*";
    }
    case Op::TypeImage: return imageName(type);
    case Op::TypeSampler: return "sampler_t";
    case Op::TypeEvent: return "event_t";
    case Op::TypeQueue: return "queue_t";
    case Op::TypePipe: return "pipe";
    default: {
      const std::string_view name = module.annotations().nameOf(type.id);
      return name.empty() ? "struct" : std::string(name.starts_with("struct.") ? name.substr(7) : name);
    }
  }
}

}  // namespace clarity::compiler::spirv
