# SPDX-License-Identifier: Apache-2.0
# This file tests the scripts that make the builtin library: the conversions' generator and the index of chapters.
"""Run as: test_scripts.py SOURCE-FOLDER-OF-BUILTINS."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(SOURCE), str(SOURCE / "conversion")]
import generate  # noqa: E402  pylint: disable=wrong-import-position,import-error
import index_chapters  # noqa: E402  pylint: disable=wrong-import-position,import-error


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


class Index(unittest.TestCase):
    def index(self, *contents):
        """Indexes chapters that define the given symbols, with a script in the place of llvm-nm."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, symbols in enumerate(contents):
                paths.append(pathlib.Path(folder) / f"chapter{number}.bc")
                paths[-1].write_text("\n".join(symbols))
            nm = pathlib.Path(folder) / "nm"
            nm.write_text('#!/bin/sh\nfor last; do :; done\ncat "$last"\n')
            nm.chmod(0o755)
            return index_chapters.index(str(nm), [str(path) for path in paths])

    def test_overloads_in_two_chapters_share_a_mask(self):
        masks, errors = self.index(["_Z3maxii", "_Z3minii"], ["_Z3maxff"], ["__to_global"])
        self.assertEqual(masks, {"max": 0b11, "min": 0b1, "__to_global": 0b100})
        self.assertEqual(errors, [])

    def test_a_function_defined_twice_is_an_error(self):
        _, errors = self.index(["_Z3maxii"], ["_Z3maxii"])
        self.assertEqual(len(errors), 1)
        self.assertIn("_Z3maxii is defined in", errors[0])

    def test_a_helper_that_escapes_is_an_error(self):
        _, errors = self.index(["helper"])
        self.assertIn("defines helper", errors[0])

    def test_too_many_chapters_are_an_error(self):
        _, errors = self.index(*[[f"_Z1{chr(97 + i % 26)}{i}"] for i in range(65)])
        self.assertIn("65 chapters", errors[-1])


if __name__ == "__main__":
    unittest.main()
