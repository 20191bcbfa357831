#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debugs kernels with gdb in batch mode: run.py CLARITY HOST CASE.

Each case runs gdb's commands and compares what they print with patterns, in their order.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE / "kernels.cl"
CXX = ["-b", "-cl-std=CL3.0"]
SAXPY = ["saxpy", "-a", "zeros:64", "-a", "iota:64", "-a", "2", "-g", "64", "-l", "8", *CXX]
TURN = ["turn", "-a", "zeros:16", "-a", "iota:16", "-a", "local:32", "-g", "16", "-l", "8", *CXX]


def line(comment):
    """The number of the line of kernels.cl that ends with this comment."""
    for number, text in enumerate(KERNELS.read_text(encoding="utf-8").splitlines(), 1):
        if text.endswith("// " + comment):
            return number
    raise KeyError(comment)


class Debugger:
    def __init__(self, clarity, host, folder):
        self.clarity, self.host, self.folder = clarity, host, folder
        shutil.copy(KERNELS, folder / "kernels.cl")

    def text(self, commands, program, *options):
        words = [self.clarity, "debug", *options, "-batch"]
        for command in commands:
            words += ["-ex", command]
        result = subprocess.run(words + program, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, check=False)
        return result.stdout

    def exec(self, commands, arguments, *options):
        return self.text(commands, [self.clarity, "exec", "kernels.cl", *arguments], *options)


def expect(text, *patterns):
    """Each pattern is found behind the one before it."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.MULTILINE).search(text, at)
        assert found, f"'{pattern}' does not follow in:\n{text}"
        at = found.end()


# --- cases -----------------------------------------------------------------------------------------------------------


def kernel(debugger):
    """A breakpoint at a kernel, before the program is built, in every work-item; backtraces end with the kernel."""
    text = debugger.exec(["break saxpy", "run", "bt", "continue", "p $gid(0)", "p $gsize(0)", "p $ngroups(0)"],
                          SAXPY)
    expect(text, r"Breakpoint 1 \(saxpy\) pending",
           rf'hit Breakpoint 1, saxpy \(.* at kernels\.cl:{line("first")}$',
           r"^\[work-item 0: local id 0 of work-group 0\]$", r"^#0 +saxpy \(.*a=2\) at kernels\.cl",
           r"^\[work-item 1: ", r"^\$1 = 1$", r"^\$2 = 64$", r"^\$3 = 8$")
    assert "clarity_entry" not in text and "__clang" not in text, text


def condition(debugger):
    """One work-item of a line."""
    text = debugger.exec([f"break kernels.cl:{line('values')} if $gid(0) == 37", "run", "p i", "p $lid(0)",
                          "p $group(0)", "p $lsize(0)", "continue"], SAXPY)
    expect(text, r"hit Breakpoint 1, saxpy", r"^\[work-item 37: local id 5 of work-group 4\]$", r"^\$1 = 37$",
           r"^\$2 = 5$", r"^\$3 = 4$", r"^\$4 = 8$", r"exited normally")


def step(debugger):
    """One work-item steps, line by line; a function is stepped over and into."""
    first = line("first")
    text = debugger.exec([f"break kernels.cl:{first} if $gid(0) == 9", "run", "next", "next", "next",
                          "tbreak helper", "continue", "bt", "info args", "finish", "next", "p t"], SAXPY)
    expect(text, rf"^{first}\t", rf"^{first + 1}\t", rf"^{first + 3}\t", rf"^{first + 4}\t",
           r"helper \(x=18, n=3\)", r"^#0 +helper", r"^#1 .*saxpy", r"^n = 3$", r"Value returned is \$1 = 21",
           r"^\$2 = 21$")


def values(debugger):
    """Arguments and private variables have their types: vectors, arrays, structures, bool."""
    text = debugger.exec([f"break kernels.cl:{line('call')} if $gid(0) == 4", "run", "info args", "info locals",
                          "p v.w", "p v.xy", "p s.weights[1]", "p s.colour.s2", "p x[i]", "ptype s",
                          "whatis v"], SAXPY)
    expect(text, r"^y = 0x", r"^a = 2$", r"^i = 4$", r"^v = \{1, 2, 3, 4\}$", r"^squares = \{0, 1, 4\}$",
           r"^s = \{count = 4, weights = \{0\.5, 1\.5, 2\.5\}, colour = \{1, 2, 3, 4\}\}$", r"^even = true$",
           r"^\$1 = 4$", r"^\$2 = \{1, 2\}$", r"^\$3 = 1\.5$", r"^\$4 = 3$", r"^\$5 = 4$",
           r"float weights\[3\]", r"float4")


def helper(debugger):
    """A line of a function: the frames of its callers have their variables."""
    text = debugger.exec([f"break kernels.cl:{line('helper')} if $gid(0) == 2 && i == 2", "run", "p sum", "up",
                          "p i", "p v"], SAXPY)
    expect(text, r"helper \(x=4, n=3\)", r"^\$1 = 5$", r"saxpy", r"^\$2 = 2$", r"^\$3 = \{1, 2, 3, 2\}$")


def locals_(debugger):
    """Local memory and buffers, no further than to their ends."""
    text = debugger.exec([f"break kernels.cl:{line('barrier')} if $lid(0) == 3", "run", "p tile", "buffer tile",
                          "buffer in 12 100", "buffer scratch 30", "p $elements(out)", "p *in@4",
                          "buffer in 16", "buffer own", "buffer nothing", "buffer in some"], TURN)
    expect(text, r"^\$1 = \{0, 10, 20, 30, ", r"^tile has 8 elements of type int",
           r"^\[0\.\.7\] = \{0, 10, 20, 30, ", r"^in has 16 elements of type int",
           r"^\[12\.\.15\] = \{12, 13, 14, 15\}", r"^\[30\.\.31\] = ", r"^\$2 = 16$", r"^\$3 = \{0, 1, 2, 3\}",
           r"There is no element 16", r"no pointer and no array", r'^No symbol "nothing" in current context\.$',
           r'^No symbol "some" in current context\.$')
    assert "Python Exception" not in text, text


def barrier(debugger):
    """Work-items wait at a barrier: each can be looked at, and stepped on from there."""
    text = debugger.exec([f"tbreak kernels.cl:{line('barrier')} if $lid(0) == 3", "run", "info work-items",
                          "work-item 1", "p own", "p tile", "work-item 6", "work-item 3", "next",
                          "info work-items", "p tile", "work-item 5", "p own", "bt", "next", "next", "p other",
                          "work-item", "work-item 0", "work-item 9"], TURN)
    waits, runs = line("barrier"), line("behind")
    expect(text, r"^kernel turn, work-group 0 of 2: 8 work-items$",
           rf"^  0 \.\. 2 .* at a barrier +kernels\.cl:{waits}$", rf"^\* 3 .* runs +kernels\.cl:{waits}$",
           r"^  4 \.\. 7 .* not begun$", r"^\[work-item 1: ", r"^\$1 = 10$", r"^\$2 = \{0, 10, 20, 30, ",
           r"Work-item 6 has not begun", r"^\[work-item 3: ", rf"^{runs}\t", r"^  0 \.\. 2 .* ended$",
           r"^\$3 = \{0, 10, 20, 30, 40, 50, 60, 70\}$", r"^\[work-item 5: ", r"^\$4 = 50$", r"^#\d+ .*turn \(",
           rf"^{runs}\t", rf"^{runs + 1}\t", r"^\$5 = 60$", r"^\[work-item 5: ", r"Work-item 0 has ended",
           r"has no work-item with local id 9")


def watch(debugger):
    """An element of a buffer, in whichever work-item."""
    text = debugger.exec(["tbreak turn", "run", "watch -l out[12]", "continue", "p $gid(0)"], TURN)
    expect(text, r"atchpoint 2: -location out\[12\]", r"New value = 130", r"^\$1 = 12$")


def groups(debugger):
    """Functions of work-groups and sub-groups."""
    arguments = ["together", "-a", "zeros:16", "-g", "16", "-l", "8", *CXX]
    text = debugger.exec([f"break kernels.cl:{line('sums')} if $gid(0) == 10", "run", "p sum", "p before",
                          "p lane"], arguments)
    expect(text, r"^\$1 = 28$", r"^\$2 = 1$", r"^\$3 = 1$")


def picture(debugger):
    """Images and samplers are among the arguments and variables; the source is found in its file."""
    text = debugger.text([f"break kernels.cl:{line('texel')} if $gid(0) == 3 && $gid(1) == 2", "run",
                          "info args", "p at", "p texel", "p $lid(1)", "info work-items", "work-item 0,0",
                          "continue"], [debugger.host, "kernels.cl"])
    expect(text, r"^\[work-item 3,2: local id 1,0 of work-group 1,1\]$", r"^from = ", r"^\$1 = \{3, 2\}$",
           r"^\$2 = \{110, 111, 112, 113\}$", r"^\$3 = 0$",
           r"^kernel picture, work-group 1,1 of 2,2: 2x2 work-items", r"Work-item 0,0 has ended", r"^153$")


def string(debugger):
    """A source in no file has a name, and is shown."""
    text = debugger.text(["break program.cl:4 if $gid(0) == 5", "run", "p value", "list 1,2", "continue"],
                          [debugger.host])
    expect(text, r"twice \(.*by=2\) at program\.cl:4$", r"^4\t  out\[i\] = value;$", r"^\$1 = 10$",
           r"^1\tkernel void twice", r"^0 2 4 6 8 10 12 14 ")


def structure(debugger):
    """A structure that is an argument is there in the kernel, in what it calls and behind a barrier."""
    text = debugger.text(["break program.cl:7 if $gid(0) == 5", "break program.cl:12 if $gid(0) == 5", "run", "p by",
                          "up", "p by.offsets", "continue", "p by", "p by.offsets[2]", "info args", "continue"],
                         [debugger.host, "structure"])
    expect(text, r"moved \(.*i=5\) at program\.cl:7$", r"^\$1 = \{scale = 1\.5, offsets = \{7, 8, 9\}\}$",
           r"^\$2 = \{7, 8, 9\}$", r"move \(.* at program\.cl:12$", r"^\$3 = \{scale = 1\.5, offsets = \{7, 8, 9\}\}$",
           r"^\$4 = 9$", r"^by = \{scale = 1\.5, offsets = \{7, 8, 9\}\}$", r"^17 18 20 21 23 24 26 27 ")


def check(debugger):
    """A finding of a check stops there."""
    arguments = ["wrong", "-a", "zeros:16", "-g", "16", "-l", "8"]
    text = debugger.exec(["run", "bt", "continue"], arguments + CXX, "--check")
    expect(text,
           rf"Stopped at a mistake: kernels\.cl:{line('wrong')}: kernel 'wrong' writes outside of argument 0 'out'",
           rf"^{line('wrong')}\t", r"^#\d+ .*wrong .*kernels\.cl", r"1 mistake", r"exited ")


def fault(debugger):
    """Without checks the access stops in the work-item that makes it; then the launch fails."""
    arguments = ["wrong", "-a", "zeros:16", "-g", "16", "-l", "8", *CXX]
    text = debugger.exec(["run", "p i", "p at", "continue"], arguments)
    expect(text, r"SIGSEGV", r"wrong \(.*kernels\.cl", r"^\$1 = 5$", r"^\$2 = 100000005$", r"kernel 'wrong'")


def exec_(debugger):
    """`clarity exec --debug` is gdb for one kernel."""
    words = [debugger.clarity, "exec", "--debug", "kernels.cl", *SAXPY]
    commands = f"tbreak kernels.cl:{line('values')}\nrun\np i\nkill\nquit\n"
    result = subprocess.run(words, cwd=debugger.folder, input=commands, capture_output=True, text=True, check=False)
    expect(result.stdout, r"saxpy \(", r"\$1 = 0$")


def editor(debugger):
    """gdb's machine interface, as editors use it, with the script alone."""
    script = debugger.folder / "clarity_gdb.py"
    subprocess.run([debugger.clarity, "debug", "--script", script], check=True)
    commands = (f"-interpreter-exec console \"source {script}\"\n-gdb-set breakpoint pending on\n"
                f"-break-insert -f kernels.cl:{line('values')}\n-exec-run\n")
    words = ["gdb", "-nx", "-q", "--interpreter=mi", "--args", debugger.clarity, "exec", "kernels.cl", *SAXPY]
    with subprocess.Popen(words, cwd=debugger.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as gdb:
        gdb.stdin.write(commands)
        gdb.stdin.flush()
        text = ""
        for answer in gdb.stdout:
            text += answer
            if answer.startswith("*stopped"):
                break
        gdb.stdin.write("-stack-list-variables --all-values\n-thread-info\n-interpreter-exec console kill\n-gdb-exit\n")
        gdb.stdin.flush()
        text += gdb.stdout.read()
    expect(text, r'reason="breakpoint-hit".*func="saxpy"', r'name="i",value="0"|name="v"', r'name="item 0"')


def missing(debugger):
    """Without gdb, and with one that has no Python, a sentence says what to do."""
    for program, pattern in (("/dev/null/gdb", "cannot be started; install gdb"), ("/bin/true", "has no Python")):
        words = [debugger.clarity, "debug", "--gdb", program, debugger.host]
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        assert result.returncode == 1 and pattern in result.stderr, result.stderr


def same(debugger):
    """Debugged code computes what the scalar build does."""
    for arguments in (SAXPY, TURN, ["together", "-a", "zeros:48", "-g", "48", "-l", "12", *CXX]):
        words = [debugger.clarity, "exec", "kernels.cl", *arguments, "--print", "0:64", "-q"]
        words[words.index("-cl-std=CL3.0")] = "-cl-std=CL3.0 -cl-clarity-packet-width=1"
        results = [subprocess.run(words, cwd=debugger.folder, env={**os.environ, "CLARITY_DEBUG": value},
                                  capture_output=True, text=True, check=True).stdout for value in ("0", "1")]
        assert results[0] and results[0] == results[1], "\n".join(results)


def main(clarity, host, case):
    cases = {"locals": locals_, "exec": exec_}
    with tempfile.TemporaryDirectory() as folder:
        (cases.get(case) or globals()[case])(Debugger(clarity, host, pathlib.Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
