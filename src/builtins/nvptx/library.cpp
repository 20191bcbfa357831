// SPDX-License-Identifier: Apache-2.0
// This file finds the bitcode that the build embeds.
#include "builtins/nvptx/library.h"

#include <algorithm>
#include <iterator>

extern "C" const char clarity_nvptx_library_begin[], clarity_nvptx_library_end[];

namespace clarity::builtins {
namespace {

struct Form {
  std::string_view name, function, relaxed;
};
struct DoubleForm {
  std::string_view name, function;
};

#define FORM(name) "__clarity_fast_" name "_f32"
#define RUNTIME(name) "__clarity_" name "_f32"
/// In the order of names, as all of these. Without a relaxed form, what the builtin library has for unsafe math serves.
constexpr Form floatForms[] = {
    {"acos", RUNTIME("acos"), ""},
    {"acosh", FORM("acosh"), FORM("acosh")},
    {"asin", RUNTIME("asin"), ""},
    {"asinh", FORM("asinh"), FORM("asinh")},
    {"atan", RUNTIME("atan"), ""},
    {"atan2", RUNTIME("atan2"), ""},
    {"atanh", RUNTIME("atanh"), RUNTIME("atanh")},
    {"cbrt", FORM("cbrt"), FORM("cbrt")},
    {"cos", RUNTIME("cos"), FORM("native_cos")},
    {"cosh", FORM("cosh"), FORM("cosh")},
    {"erf", RUNTIME("erf"), RUNTIME("erf")},
    {"erfc", FORM("erfc"), FORM("erfc")},
    {"exp", FORM("exp"), FORM("native_exp")},
    {"exp10", FORM("exp10"), FORM("native_exp10")},
    {"exp2", FORM("exp2"), FORM("native_exp2")},
    {"expm1", FORM("expm1"), FORM("expm1")},
    {"half_cos", RUNTIME("cos"), RUNTIME("cos")},
    {"half_exp", FORM("exp"), FORM("exp")},
    {"half_exp10", FORM("exp10"), FORM("exp10")},
    {"half_exp2", FORM("exp2"), FORM("exp2")},
    {"half_log", FORM("log"), FORM("log")},
    {"half_log10", FORM("log10"), FORM("log10")},
    {"half_log2", FORM("log2"), FORM("log2")},
    {"half_powr", FORM("powr"), FORM("powr")},
    {"half_sin", RUNTIME("sin"), RUNTIME("sin")},
    {"half_tan", RUNTIME("tan"), RUNTIME("tan")},
    {"lgamma", RUNTIME("lgamma"), RUNTIME("lgamma")},
    {"log", FORM("log"), FORM("log")},
    {"log10", FORM("log10"), FORM("native_log10")},
    {"log1p", RUNTIME("log1p"), RUNTIME("log1p")},
    {"log2", FORM("log2"), FORM("native_log2")},
    {"native_cos", FORM("native_cos"), FORM("native_cos")},
    {"native_divide", FORM("native_divide"), FORM("native_divide")},
    {"native_exp", FORM("native_exp"), FORM("native_exp")},
    {"native_exp10", FORM("native_exp10"), FORM("native_exp10")},
    {"native_exp2", FORM("native_exp2"), FORM("native_exp2")},
    {"native_log", FORM("native_log"), FORM("native_log")},
    {"native_log10", FORM("native_log10"), FORM("native_log10")},
    {"native_log2", FORM("native_log2"), FORM("native_log2")},
    {"native_powr", FORM("native_powr"), FORM("native_powr")},
    {"native_recip", FORM("native_recip"), FORM("native_recip")},
    {"native_rsqrt", FORM("native_rsqrt"), FORM("native_rsqrt")},
    {"native_sin", FORM("native_sin"), FORM("native_sin")},
    {"native_sqrt", FORM("native_sqrt"), FORM("native_sqrt")},
    {"native_tan", FORM("native_tan"), FORM("native_tan")},
    {"pow", FORM("pow"), ""},
    {"pown", FORM("pown"), ""},
    {"powr", FORM("powr"), FORM("native_powr")},
    {"rootn", FORM("rootn"), FORM("rootn")},
    {"sin", RUNTIME("sin"), FORM("native_sin")},
    {"sinh", FORM("sinh"), FORM("sinh")},
    {"tan", RUNTIME("tan"), ""},
    {"tanh", RUNTIME("tanh"), ""},
    {"tgamma", RUNTIME("tgamma"), RUNTIME("tgamma")},
};
#undef FORM
#undef RUNTIME
#define FORM(name) {name, "__clarity_fast_" name "_f64"}
/// With relaxed math too.
constexpr DoubleForm doubleForms[] = {
    FORM("acos"),  FORM("acosh"),  FORM("acospi"), FORM("asin"),  FORM("asinh"), FORM("asinpi"), FORM("atan"),
    FORM("atanh"), FORM("atanpi"), FORM("cbrt"),   FORM("exp"),   FORM("exp10"), FORM("exp2"),   FORM("log"),
    FORM("log10"), FORM("log1p"),  FORM("log2"),   FORM("rsqrt"), FORM("tanh"),
};
#undef FORM
static_assert(std::ranges::is_sorted(floatForms, {}, &Form::name));
static_assert(std::ranges::is_sorted(doubleForms, {}, &DoubleForm::name));

template <class Forms>
auto formOf(const Forms& forms, std::string_view name) {
  const auto* const form = std::ranges::lower_bound(forms, name, {}, [](const auto& each) { return each.name; });
  return form != std::end(forms) && form->name == name ? form : nullptr;
}

}  // namespace

std::string_view nvptxLibrary() {
  return {clarity_nvptx_library_begin,
          static_cast<std::size_t>(clarity_nvptx_library_end - clarity_nvptx_library_begin)};
}

std::string_view nvptxFloatForm(std::string_view name, bool relaxed) {
  const Form* const form = formOf(floatForms, name);
  if (!form) return {};
  return relaxed ? form->relaxed : form->function;
}

std::string_view nvptxDoubleForm(std::string_view name) {
  const DoubleForm* const form = formOf(doubleForms, name);
  return form ? form->function : std::string_view();
}

}  // namespace clarity::builtins
