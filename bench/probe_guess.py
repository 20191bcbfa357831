# SPDX-License-Identifier: Apache-2.0
"""Guesses for probe.py: what the arguments of a kernel may be, by their types and names, and by its source."""
import itertools
import math
import re

BASES = {"float": 4, "double": 8, "half": 2, "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4,
         "long": 8, "ulong": 8, "bool": 1, "size_t": 8}
WHOLE = set(BASES) - {"float", "double", "half"}
GRID = 1 << 14  # macros that are the number of work-items
MOST_BYTES = 64 << 20  # of a buffer
MOST_LOCAL_BYTES = 32 << 10

WIDTH = re.compile(r"(?i)width|^w\d?$|cols?$|columns|^nx|dim_?x|size_?x|pitch|stride|^ld|row_?(len|size)|^[xm]$|_w$")
HEIGHT = re.compile(r"(?i)height|^h\d?$|rows?$|^ny|dim_?y|size_?y|^y$|_h$")
DEPTH = re.compile(r"(?i)^depth|^nz|dim_?z|size_?z|slices?$|^z$")
FIRST = re.compile(r"(?i)off|start|begin|base|first|seed|(^|_)id$|index|shift|^t$|pos|^i$|^j$|^cur|min|lower|pivot"
                   r"|rank")
FEW = re.compile(r"(?i)radius|^r$|window|half|channels?|comp|iter|steps?|rounds|levels?|kernel|filter|mask|^k$|taps"
                 r"|degree|features|clusters|classes|order|bits?$|neigh|batch|planes|filters")
INDICES = re.compile(r"(?i)ind(ex|ices)?|idx|cols?|edges?|neigh|src|dst|map|perm|lookup|parent|label|list|nodes?$|adj")
STARTS = re.compile(r"(?i)row|off|ptr|start|begin|delim|bounds?$|prefix|scan")


def macro_value(name):
    if re.search(r"(?i)radius|half|channels", name):
        return 2
    if re.search(r"(?i)grid|points|_gp$|elements|items|total", name):
        return GRID
    return 16


class Parameter:
    """One parameter of a kernel, as `clarity exec` prints it."""

    def __init__(self, text, types):
        words = text.replace("*", " * ").split()
        self.text, self.name = text, words[-1]
        self.pointer = "*" in words
        self.local = "__local" in words
        self.constant = "const" in words or "__constant" in words
        kinds = [word for word in words[:-1] if not word.startswith("__") and word not in
                 ("const", "*", "volatile", "restrict", "read_only", "write_only", "read_write")]
        self.written = " ".join(kinds)
        self.type = types.get(self.written, self.written)
        match = re.fullmatch(r"([a-z_]+?)(2|3|4|8|16)?", self.type)
        self.known = bool(match) and match.group(1) in BASES
        self.base = match.group(1) if self.known else "float"  # the source's own type: what a guess takes it for
        self.lanes = int(match.group(2) or 1) if self.known else 1
        self.special = bool(re.search(r"image|sampler|pipe|queue|event", text))
        # How many numbers an element occupies.
        self.stored = 4 if self.lanes == 3 else self.lanes

    def whole(self):
        return self.base in WHOLE

    def bytes(self):
        return BASES[self.base] * self.stored


class Kernel:
    """A kernel: its parameters, and what its source says about ranges."""

    def __init__(self, declaration, text, options):
        self.options = options
        self.name, inner = re.fullmatch(r"(\w+)\((.*)\)", declaration).groups()
        types = {new: old for old, new in re.findall(r"\btypedef\s+(?:unsigned\s+)?(\w+)\s+(\w+)\s*;", text)}
        self.parameters = [Parameter(part.strip(), types) for part in inner.split(",")] if inner.strip() else []
        body = re.search(rf"\b{self.name}\s*\(.*?(?=\b(?:__)?kernel\b|\Z)", text, re.DOTALL)
        self.body = body.group(0) if body else text
        ids = re.findall(r"get_(?:global|local|group)_id\s*\(\s*(\d)\s*\)", self.body)
        ids = ids or re.findall(r"get_(?:global|local|group)_id\s*\(\s*(\d)\s*\)", text)
        self.dimensions = min(max((int(number) for number in ids), default=0), 2) + 1
        self.groups = bool(re.search(r"get_(local|group)_|__local|\blocal\b|barrier", self.body))
        before = text[:body.start()] if body else ""
        required = re.search(r"reqd_work_group_size\s*\(([^)]*)\)[^{};]*$", before[-400:]) or \
            re.search(r"reqd_work_group_size\s*\(([^)]*)\)", self.body[:200])
        self.required = self.numbers(required.group(1), text, options) if required else None
        self.blocks = sorted({int(value) for value in
                              re.findall(r"(?i)#define\s+\w*(?:block|tile|wg|group|local|thread)\w*\s+\(?(\d+)", text) +
                              re.findall(r"(?i)-D ?\w*(?:block|tile|wg|group|local|thread)\w*=(\d+)", options)})

    @staticmethod
    def numbers(text, source, options):
        sizes = []
        for word in text.split(","):
            word = word.strip()
            value = re.search(rf"-D ?{word}=(\d+)", options) or \
                re.search(rf"#define\s+{re.escape(word)}\s+\(?(\d+)", source) or re.fullmatch(r"(\d+)", word)
            if not value:
                return None
            sizes.append(int(value.group(1)))
        return sizes

    def unfit(self):
        """Why it cannot be measured, or nothing."""
        for parameter in self.parameters:
            if parameter.special:
                return f"it has a parameter '{parameter.text}'"
            if not parameter.pointer and not parameter.known:
                return f"it has a structure, '{parameter.text}'"
        return "it has no parameters" if not self.parameters else ""


class Trial:
    """All values of one launch. Sizes of buffers are counts of elements."""

    def __init__(self, kernel, global_size, local_size):
        self.kernel, self.global_size, self.local_size = kernel, global_size, local_size
        self.values, self.counts, self.contents, self.roles = {}, {}, {}, {}

    def enlarge(self, index, element):
        """Whether the buffer may have that element, which it has afterwards."""
        if index not in self.counts:
            return False
        parameter = self.kernel.parameters[index]
        count = max(4 * self.counts[index], math.ceil(element * 1.3) + 64 if element > 0 else 0)
        if count * parameter.bytes() > (MOST_LOCAL_BYTES if parameter.local else MOST_BYTES):
            return False
        self.counts[index] = count
        return True

    def results(self):
        return [index for index, role in self.roles.items() if role != "in"]

    def first_part(self):
        """A global size of few work-items, of the same work-groups."""
        group = self.local_size or [1] * len(self.global_size)
        most = [4096, 64, 4] if len(group) == 1 else [64, 64, 4]
        return [min(size, max(2, most[i] // group[i]) * group[i]) for i, size in enumerate(self.global_size)]

    def words(self, kernel, types=True, part=None):
        """The arguments and options of `clarity exec`; `part`: a global size of its own."""
        words = ["-g", ",".join(map(str, part or self.global_size))]
        if self.local_size:
            words += ["-l", ",".join(map(str, self.local_size))]
        for index, parameter in enumerate(kernel.parameters):
            words.append(f"--arg={self.spec(index, parameter)}")
            if types and parameter.type != parameter.written or parameter.pointer and not parameter.known:
                words += ["--type", f"{index}={parameter.type if parameter.known else parameter.base}"]
        return words

    def spec(self, index, parameter):
        if not parameter.pointer:
            return ",".join([str(self.values[index])] * parameter.lanes)
        if parameter.local:
            return f"local:{self.counts[index]}"
        how = self.contents[index]
        kind = "zeros" if how is None else "iota" if how == "step" else "random"
        bounds = f":{how[0]}:{how[1]}" if kind == "random" else ""
        return f"{kind}:{self.counts[index]}{bounds}"

    def declarations(self, kernel):
        """Parameters of a kernel that does nothing with the same arguments."""
        texts = []
        for index, parameter in enumerate(kernel.parameters):
            kind = (parameter.type if parameter.known else parameter.base) + ("*" if parameter.pointer else "")
            space = ("local " if parameter.local else "global " if parameter.pointer else "")
            texts.append(f"{space}{kind} a{index}")
        return ", ".join(texts)

    def description(self, name):
        """The launch, as `kernel_bench --programs` reads it."""
        texts = []
        for index, parameter in enumerate(self.kernel.parameters):
            base = {"bool": "uchar", "size_t": "ulong"}.get(parameter.base, parameter.base)
            if not parameter.pointer:
                lanes = parameter.lanes if parameter.lanes > 1 else ""
                texts.append(f"{base}{lanes} " + " ".join([str(self.values[index])] * parameter.lanes))
            elif parameter.local:
                texts.append(f"local {self.counts[index] * parameter.bytes()}")
            else:
                how = self.contents[index]
                # Random whole numbers of kernel_bench lie below the second bound.
                bound = how[1] + parameter.whole() if isinstance(how, tuple) else 0
                content = "" if how is None else " step 1" if how == "step" else f" {how[0]} {bound}"
                texts.append(f"{self.roles[index]} {base} {self.counts[index] * parameter.stored}{content}")
        described = {"kernel": name, "global": self.global_size, "arguments": texts}
        return described | ({"local": self.local_size} if self.local_size else {})


class Guess:
    """How sizes and contents are chosen; `trial` makes a launch of them for a size of the problem."""

    def __init__(self, side, local, count, content):
        self.side, self.local, self.count, self.content = side, local, count, content

    def sizes(self, kernel, scale):
        """The global size: of the shape of the guess, a multiple of the work-group."""
        group = self.local or [1] * kernel.dimensions
        if kernel.dimensions == 1:
            sizes = [int(self.side * scale)]
        elif kernel.dimensions == 2:
            sizes = [int(self.side * math.sqrt(scale))] * 2
        else:
            sizes = [int(self.side * math.sqrt(scale))] * 2 + [16]
        return [max(1, size // group[i]) * group[i] for i, size in enumerate(sizes)]

    def trial(self, kernel, accesses, scale):
        for parameter in kernel.parameters:
            if not parameter.known:
                parameter.base = "int" if self.content == "small" else "float"
        global_size = self.sizes(kernel, scale)
        trial = Trial(kernel, global_size, self.local)
        total = math.prod(global_size)
        width = global_size[0] if kernel.dimensions > 1 else max(1, math.isqrt(total))
        height = global_size[1] if kernel.dimensions > 1 else max(1, total // width)
        number = {"total": total, "rows": total, "side": width, "few": 32}[self.count]
        if self.count == "rows":
            width = height = total
        for index, parameter in enumerate(kernel.parameters):
            if not parameter.pointer:
                trial.values[index] = self.scalar(parameter, global_size, width, height, number)
            elif parameter.local:
                trial.counts[index] = max(1, math.prod(self.local or [1]))
            else:
                trial.counts[index] = total
                self.fill(trial, index, parameter, accesses, total)
        return trial

    @staticmethod
    def scalar(parameter, global_size, width, height, number):
        name = parameter.name
        if not parameter.whole():
            return 0.5
        if FIRST.search(name):
            value = 1 if name in ("i", "j", "k", "t") else 0
        elif HEIGHT.search(name):
            value = height
        elif DEPTH.search(name):
            value = global_size[2] if len(global_size) > 2 else 4
        elif FEW.search(name):
            value = 4
        elif WIDTH.search(name):
            value = width
        else:
            value = number
        return min(value, 100) if parameter.bytes() == 1 else min(value, 30000) if parameter.bytes() == 2 else value

    def fill(self, trial, index, parameter, accesses, total):
        used = accesses.get(parameter.name, {"reads"}) if accesses is not None else {"reads", "writes"}
        reads = bool(used - {"writes"})
        writes = not parameter.constant and used != {"reads"}
        trial.roles[index] = "update" if writes else "in"
        if not reads:
            trial.contents[index] = None
        elif not parameter.whole():
            trial.contents[index] = (0, 1)
        elif self.content == "small":
            trial.contents[index] = (0, 3)
        elif STARTS.search(parameter.name) and parameter.lanes == 1 and parameter.bytes() >= 4:
            trial.contents[index] = "step"
        elif INDICES.search(parameter.name) and parameter.bytes() >= 4:
            trial.contents[index] = (0, total - 1)
        else:
            trial.contents[index] = (0, 99)


def groups_of(kernel):
    """Work-group sizes to try."""
    if kernel.required:
        return [kernel.required[:kernel.dimensions]]
    if kernel.dimensions == 1:
        squares = [block * block for block in kernel.blocks if 4 < block <= 16]
        double = [2 * block for block in kernel.blocks if block >= 8]
        blocks = [block for block in kernel.blocks if block >= 16]
        sizes = [*blocks, *squares, 256, 64, *double] if kernel.groups else [256]
        return [[size] for size in dict.fromkeys(size for size in sizes if size <= 1024)]
    rest = [1] * (kernel.dimensions - 2)
    if not kernel.groups:
        return [[16, 16, *rest]]
    sides = [block for block in kernel.blocks if 2 <= block <= 32]
    return [[side, side, *rest] for side in dict.fromkeys([*sides, 16, 8])] + [[256, 1, *rest]]


def guesses(kernel):
    """Guesses, the likely ones first."""
    groups = groups_of(kernel)[:5]
    side = {1: GRID if f"={GRID}" in kernel.options else 1 << 16, 2: 256, 3: 64}[kernel.dimensions]
    counts = ["total", "rows", "side", "few"] if kernel.dimensions == 1 else ["side", "few", "total"]
    for content, count, local in itertools.product(["names", "small"], counts, groups):
        yield Guess(1 << 11 if count == "rows" else side, local, count, content)
