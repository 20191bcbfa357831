# SPDX-License-Identifier: Apache-2.0
# This file tests the scripts that make the builtin library: the conversions' generator and the cutting into modules.
"""Run as: test_scripts.py SOURCE-FOLDER-OF-BUILTINS."""

import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(SOURCE), str(SOURCE / "conversion")]
import generate  # noqa: E402  pylint: disable=wrong-import-position,import-error
import make_modules  # noqa: E402  pylint: disable=wrong-import-position,import-error


def names(lines):
    """The function and source type of every generated builtin."""
    return [line.split(" ")[2] + " " + line.split(" ")[3] for line in lines if line.startswith("BUILTIN ")]


class Conversions(unittest.TestCase):
    def test_integers_have_every_mode_and_saturation(self):
        plain, rounded = names(generate.generate("int", "plain")), names(generate.generate("int", "rounded"))
        self.assertEqual(len(plain), 11 * 6 * 2)
        self.assertEqual(len(rounded), 11 * 6 * 2 * 4)
        self.assertEqual(len(set(plain + rounded)), 11 * 6 * 10)
        self.assertIn("convert_int4_sat_rtp(half4 x)", rounded)

    def test_floats_do_not_saturate(self):
        lines = names(generate.generate("double", "plain")) + names(generate.generate("double", "rounded"))
        self.assertEqual(len(set(lines)), 11 * 6 * 5)
        self.assertFalse([line for line in lines if "sat" in line])

    def test_saturation_clamps_only_where_the_source_is_wider(self):
        self.assertEqual(generate.expression("int", "short", "", True, ""), "CONVERT_(x, int)")
        self.assertNotIn("max", generate.expression("uchar", "uint", "4", True, ""))
        self.assertIn("min(x, (uint4)(uint)255u)", generate.expression("uchar", "uint", "4", True, ""))
        self.assertIn("max(x, (int)(int)0)", generate.expression("uint", "int", "", True, ""))
        self.assertNotIn("min", generate.expression("uint", "int", "", True, ""))

    def test_lowest_long_is_written_without_overflow(self):
        self.assertEqual(generate.literal(-(1 << 63), "long"), "(long)(-9223372036854775807L - 1)")

    def test_exact_conversions_do_not_round(self):
        for to, source in (("double", "uint"), ("float", "ushort"), ("half", "uchar"), ("double", "half")):
            self.assertTrue(generate.expression(to, source, "8", False, "_rtp").startswith("CONVERT_8"), (to, source))
        for to, source in (("float", "int"), ("double", "long"), ("half", "short"), ("half", "double")):
            self.assertFalse(generate.expression(to, source, "8", False, "_rtp").startswith("CONVERT_8"), (to, source))

    def test_wrong_arguments_are_explained(self):
        for arguments in ([], ["bool", "plain"], ["int"], ["int", "odd"]):
            result = subprocess.run([sys.executable, SOURCE / "conversion/generate.py", *arguments],
                                    capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn("usage:", result.stderr)


class Modules(unittest.TestCase):
    def test_kinds(self):
        for symbol, key in (
                ("_Z3maxii", ("max", 0)), ("_Z3maxff", ("max", 1)), ("_Z3maxDv4_iS_", ("max", 2)),
                ("_Z3maxDv16_DhS_", ("max", 3)), ("_Z3nanm", ("nan", 0)), ("_Z6vload4mPU3AS1Kf", ("vload4", 0)),
                ("_Z11atomic_xchgPU3AS1Vff", ("atomic_xchg", 1)), ("_Z4fracPf", ("frac", 1)),
                 ("_Z5queryv", ("query", 0)),
                ("_Z11atomic_loadPU3AS4VU7_Atomicd", ("atomic_load", 1)), ("_Z8prefetchPU3AS1KDv2_hm", ("prefetch", 2)),
                ("__to_local", ("__to_local", 0)), ("helper", None),
                ("__clarity_image_load_f", ("__clarity_image_load_f", 0))):
            self.assertEqual(make_modules.key_of(symbol), key, symbol)

    def test_functions_of_a_kind_share_a_module(self):
        modules, index, errors = make_modules.plan([("a.bc", ["_Z3maxii", "_Z3maxhh", "_Z3maxDv4_iS_"]),
                                                ("b.bc", ["_Z3maxff", "__to_global"])])
        self.assertEqual(errors, [])
        self.assertEqual([source for source, _ in modules], ["a.bc", "b.bc"])
        self.assertEqual(index, {("max", 0): 0, ("max", 2): 0, ("max", 1): 1, ("__to_global", 0): 1})

    def test_a_full_module_is_closed(self):
        symbols = [f"_Z{len(name)}{name}i" for name in (f"f{i}" for i in range(200))]
        modules, index, errors = make_modules.plan([("a.bc", symbols)])
        self.assertEqual(errors, [])
        self.assertEqual(len(modules), 4)
        self.assertEqual(sum(len(module) for _, module in modules), 200)
        self.assertEqual(len(index), 200)

    def test_a_function_defined_twice_is_an_error(self):
        _, _, errors = make_modules.plan([("a.bc", ["_Z3maxii"]), ("b.bc", ["_Z3maxii"])])
        self.assertIn("_Z3maxii is defined in a.bc and in b.bc", errors)

    def test_one_kind_in_two_sources_is_an_error(self):
        _, _, errors = make_modules.plan([("a.bc", ["_Z3maxii"]), ("b.bc", ["_Z3maxjj"])])
        self.assertEqual(len(errors), 1)
        self.assertIn("two modules", errors[0])

    def test_a_helper_that_escapes_is_an_error(self):
        _, _, errors = make_modules.plan([("a.bc", ["helper"])])
        self.assertEqual(errors, ["a.bc defines helper, which is not a builtin"])

    def test_a_module_that_calls_another_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "tool"
            tool.write_text('#!/bin/sh\ncase "$*" in *--undefined-only*) for a; do :; done; echo "$a: _Z3minii";; '
                            '*-o*) for a; do [ "$last" = -o ] && echo BC > "$a"; last=$a; done;; esac\n')
            tool.chmod(0o755)
            tools = types.SimpleNamespace(nm=str(tool), extract=str(tool))
            contents, errors = make_modules.contents_of(tools, [("a.bc", ["_Z3maxii"])])
            self.assertEqual(contents, [b"BC\n"])
            self.assertEqual(errors, ["a module of a.bc calls _Z3minii, which would not be linked with it"])

    def test_index_gives_places_and_kinds(self):
        text = make_modules.index_text([("x/a.bc", []), ("x/b.bc", [])], [20, 7], {("max", 0): 0, ("max", 3): 1})
        self.assertIn('CLARITY_MODULE("a", 0, 20)', text)
        self.assertIn('CLARITY_MODULE("b", 32, 7)', text)
        self.assertIn('CLARITY_BUILTIN("max", 0, 65535, 65535, 1)', text)


if __name__ == "__main__":
    unittest.main()
