# SPDX-License-Identifier: Apache-2.0
"""Tests of check_style.py itself: every rule finds what it is for, and the baseline can only shrink."""
import pathlib
import tempfile
import unittest

import check_style

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


class CheckStyle(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.words = check_style.words_of(pathlib.Path(check_style.__file__).parent / "words.txt")

    def messages(self, files, baseline=()):
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        return check_style.check(self.root, set(baseline), self.words)

    def test_what_complies(self):
        self.assertEqual(self.messages({"a.cpp": LICENCE + "x" * 120 + "\n", "b.md": "y" * 120 + "\n"}), ([], [], []))

    def test_long_lines(self):
        messages, _, _ = self.messages({"a.cpp": LICENCE + "x" * 121, "b.md": "ok\n" + "y" * 121, "c.ll": "z" * 500})
        self.assertEqual([m.split(": ")[0] for m in messages], ["a.cpp:2", "b.md:2"])

    def test_rows_of_tables(self):
        row = "| " + "y" * 500
        messages, _, _ = self.messages({"a.md": row, "b.cpp": LICENCE + row})
        self.assertEqual([m.split(": ")[0] for m in messages], ["b.cpp:2"])

    def test_generated_documents(self):
        name = next(iter(check_style.GENERATED))
        self.assertEqual(self.messages({name: "| " + "y" * 500})[0], [])

    def test_licences(self):
        messages, _, _ = self.messages({"a.h": "int a;\n", "CMakeLists.txt": "project(x)\n", "text.txt": "free\n"})
        self.assertEqual(len(messages), 2)

    def test_tabs(self):
        self.assertEqual(self.messages({"a.py": "# " + LICENCE + "\tx\n"})[0], ["a.py:2: a tab"])

    def test_words(self):
        lines = ["own tallies", "Tally", "ownTallies", "is sent away", "who comes here", "Nobody"]
        messages, _, _ = self.messages({"a.cpp": LICENCE + "\n".join("// " + line for line in lines)})
        self.assertEqual(len(messages), len(lines), messages)
        self.assertEqual(self.messages({"a.cpp": LICENCE + "// totally, metallic, announcer\n"})[0], [])

    def rules(self, name, text):
        path = check_style.pathlib.PurePosixPath(name)
        return [(rule, line) for rule, line, _ in check_style.offences_of(path, LICENCE + text, self.words)]

    def test_subjects_of_comments(self):
        wrong = ["// What it does.", "/// Of a launch.", "int a;  ///< What it is", "// Of both.", "// It. What next",
                 "int a;  ///< what it is", "int a;  ///< of a block"]
        for line in wrong:
            self.assertEqual(self.rules("src/a.cpp", line + "\n"), [("subject", 2)], line)
        right = ["// Of course.", "// the memory of What", 'f("// What");', "// Whatever, Often", "/// Whether it is.",
                 "int a;  ///< bytes of it"]
        for line in right:
            self.assertEqual(self.rules("src/a.cpp", line + "\n"), [], line)
        self.assertEqual(self.rules("a.py", "# Of a pipe.\n"), [("subject", 2)])
        self.assertEqual(self.rules("a.md", "# What it is\n"), [])

    def test_sizes_of_files(self):
        lines = "int a;\n"
        self.assertEqual(self.rules("src/a.cpp", 400 * lines), [("size", 1)])
        self.assertEqual(self.rules("src/a.cpp", 399 * lines), [])
        self.assertEqual(self.rules("src/a.h", 200 * lines), [("size", 1)])
        self.assertEqual(self.rules("src/a.cl", 400 * lines), [("size", 1)])
        self.assertEqual(self.rules("tests/a.cpp", 900 * lines), [])

    def test_sizes_of_functions(self):
        body = 60 * "  g();\n" + "}\n"
        for head in ["void f() {\n", "namespace a {\nclass A {\n A() : a_(1), b_{2} {\n",
                     "template <class T>\nstd::vector<T> A::f(int a = 1) const {\n", "bool operator==(A a, A b) {\n"]:
            rules = self.rules("src/a.cpp", head + body)
            self.assertEqual([rule for rule, _ in rules], ["function"], head)
        for head in ["const Row rows[] = {\n", "struct A {\n", "namespace {\n", "enum class A : int {\n",
                     "class [[nodiscard]] A : public B<int()> {\n"]:
            self.assertEqual(self.rules("src/a.cpp", head + 60 * "  a,\n" + "};\n"), [], head)
        two = "void f() {\n" + 40 * "  g();\n" + "}\n"
        self.assertEqual(self.rules("src/a.cpp", two + two), [])
        self.assertEqual(self.rules("src/a.cpp", 'void f() { g("{"); }  // {\n' + 70 * "int a;\n"), [])

    def test_names_of_constants(self):
        for line in ["constexpr int kMost = 1;", "static constexpr const char* Most = 0;", "constexpr int kA[] = {1};",
                     "inline constexpr std::array<int, 2> kTwo{1, 2};"]:
            self.assertEqual(self.rules("src/a.cpp", line + "\n"), [("constant", 2)], line)
        for line in ["constexpr int most = 1;", "constexpr Kind kind = Kind::Most;", "constexpr bool f(Kind kKind) {}"]:
            self.assertEqual(self.rules("src/a.cpp", line + "\n"), [], line)

    def test_thresholds(self):
        for line in ["constexpr unsigned mostSteps = 8;", "static constexpr std::size_t deepest = 1'000;"]:
            self.assertEqual(self.rules("src/compiler/passes/a.cpp", line + "\n"), [("threshold", 2)], line)
            self.assertEqual(self.rules("src/core/a.cpp", line + "\n"), [], line)
        for line in ["constexpr unsigned mostBits = 64;", "constexpr unsigned mostSteps = cost::mostSteps;"]:
            self.assertEqual(self.rules("src/compiler/passes/a.cpp", line + "\n"), [], line)

    def test_regular_expressions(self):
        self.assertEqual(self.rules("src/a.cpp", "#include <regex>\n"), [("regex", 2)])
        self.assertEqual(self.rules("tools/a.h", "#include <regex>\n"), [("regex", 2)])
        self.assertEqual(self.rules("tools/cmd_bench.cpp", "#include <regex>\n"), [])

    def test_every_word_has_a_replacement(self):
        self.assertGreater(len(self.words), 10)
        self.assertTrue(all(instead.strip() for _, instead in self.words))

    def test_output_of_programs(self):
        long = "x" * 121 + "\n"
        messages, _, _ = self.messages({"a.md": "```console\n" + long + "```\n" + long})
        self.assertEqual(messages, ["a.md:4: 121 columns, 120 are allowed"])

    def test_baseline(self):
        files = {"a.md": "x" * 121, "b.md": "x" * 121, "c.md": "ok"}
        entries = {("length", "a.md"), ("length", "c.md"), ("length", "gone.md")}
        messages, stale, stays = self.messages(files, entries)
        self.assertEqual(messages, ["b.md:1: 121 columns, 120 are allowed"])
        self.assertEqual(stale, [("length", "c.md"), ("length", "gone.md")])
        self.assertEqual(stays, [("length", "a.md")])


if __name__ == "__main__":
    unittest.main()
