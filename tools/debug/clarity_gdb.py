# SPDX-License-Identifier: Apache-2.0
"""Commands and functions of gdb for OpenCL kernels that run on Clarity's CPU device.

`clarity debug` loads this file; in an editor, gdb's command `source` does. It asks the program that gdb starts for
debugged code (CLARITY_DEBUG=1). What it knows of work-items it reads from the driver's `clarity_debug_state`
(src/support/debug_state.h), which has no description in release builds: the layout is written down here again.
"""

import atexit
import os
import shutil
import struct
import tempfile

import gdb

VERSION = 1
NOT_BEGUN, RUNS, READY, AT_BARRIER, IN_SUB_GROUP, ENDED = range(6)
STATES = {
    NOT_BEGUN: "not begun",
    RUNS: "runs",
    READY: "goes on in its turn",
    AT_BARRIER: "at a barrier",
    IN_SUB_GROUP: "in a sub-group function",
    ENDED: "ended",
}
# DebugState, DebuggedItem with WorkItemPlace, DebuggedMemory.
STATE_HEAD = struct.Struct("=IIII Q 15Q QQ QQ")
ITEM = struct.Struct("=3Q 3Q 3Q 3Q Q Q Q Q Q I i Q")
MEMORY = struct.Struct("=QQQ")


class NoKernel(gdb.GdbError):
    def __init__(self):
        super().__init__("No kernel is running.")


def read(address, count):
    return bytes(gdb.selected_inferior().read_memory(address, count))


def text_at(address):
    text = b""
    while b"\0" not in text and len(text) < 4096:
        text += read(address + len(text), 16)
    return text.split(b"\0")[0].decode(errors="replace")


class Item:
    def __init__(self, values):
        self.global_id = values[0:3]
        self.local_id = values[3:6]
        self.linear = values[12]
        self.state, self.thread, self.waits_at = values[17:20]

    @property
    def waits(self):
        return self.state in (READY, AT_BARRIER, IN_SUB_GROUP)


class State:
    """The work-group that runs, as it is now."""

    def __init__(self):
        try:
            address = int(gdb.parse_and_eval("(unsigned long)&clarity_debug_state"))
            head = STATE_HEAD.unpack(read(address, STATE_HEAD.size))
        except gdb.error:
            raise NoKernel() from None
        self.version, self.item_bytes, self.memory_bytes, self.dims = head[0:4]
        if self.version != VERSION or self.item_bytes < ITEM.size:
            raise gdb.GdbError("This script is for another version of Clarity's driver.")
        if head[4] == 0:
            raise NoKernel()
        self.kernel_address = head[4]
        self.global_offset, self.global_size = head[5:8], head[8:11]
        self.local_size, self.groups, self.group = head[11:14], head[14:17], head[17:20]
        self.count, self.items_address, self.memory_count, self.memory_address = head[20:24]
        self.bytes = read(self.items_address, self.count * self.item_bytes) if self.count else b""

    @property
    def kernel(self):
        return text_at(self.kernel_address)

    def item(self, linear):
        return Item(ITEM.unpack_from(self.bytes, linear * self.item_bytes))

    def current(self):
        """The work-item of the selected thread; that which runs, where a thread of the host is selected."""
        thread = gdb.selected_thread()
        lwp = thread.ptid[1] if thread else 0
        place = ITEM.size - 16  # of state and thread
        running = None
        for linear in range(self.count):
            state, own = struct.unpack_from("=Ii", self.bytes, linear * self.item_bytes + place)
            if state in (NOT_BEGUN, ENDED):
                continue
            if own == lwp:
                return self.item(linear)
            if state == RUNS:
                running = linear
        if running is None:
            raise NoKernel()
        return self.item(running)

    def memory(self):
        for i in range(self.memory_count):
            yield MEMORY.unpack(read(self.memory_address + i * self.memory_bytes, MEMORY.size))

    def ids(self, values):
        return ",".join(str(value) for value in values[: self.dims])


# --- functions of expressions ----------------------------------------------------------------------------------------


class Query(gdb.Function):
    """A work-item function of OpenCL: $NAME(DIMENSION), where the dimension is 0 if it is left out."""

    def __init__(self, name, answer):
        self.__doc__ = f"${name}(DIMENSION): see {answer.__doc__}."
        super().__init__(name)
        self.answer = answer

    def invoke(self, dimension=0):
        dimension = int(dimension)
        if not 0 <= dimension <= 2:
            raise gdb.GdbError("Dimensions are 0, 1 and 2.")
        return gdb.Value(int(self.answer(State())[dimension])).cast(gdb.lookup_type("long"))


def global_id(state):
    """get_global_id()"""
    return state.current().global_id


def local_id(state):
    """get_local_id()"""
    return state.current().local_id


def group_id(state):
    """get_group_id()"""
    return state.group


def global_size(state):
    """get_global_size()"""
    return state.global_size


def local_size(state):
    """get_local_size()"""
    return state.local_size


def num_groups(state):
    """get_num_groups()"""
    return state.groups


for query_name, query_answer in (
    ("gid", global_id),
    ("lid", local_id),
    ("group", group_id),
    ("gsize", global_size),
    ("lsize", local_size),
    ("ngroups", num_groups),
):
    Query(query_name, query_answer)


def range_of(address):
    """Begin and end of the argument's memory that an address is in, or None."""
    for begin, count, _ in State().memory():
        if begin <= address <= begin + count:
            return begin, begin + count
    return None


def elements_from(value):
    """How many elements of a pointer's type there are from it to the end of its buffer, or of an array."""
    type_ = value.type.strip_typedefs()
    if type_.code == gdb.TYPE_CODE_ARRAY:
        return type_.range()[1] - type_.range()[0] + 1
    if type_.code != gdb.TYPE_CODE_PTR:
        raise gdb.GdbError("This is no pointer and no array.")
    size = type_.target().strip_typedefs().sizeof
    if size == 0 or type_.target().strip_typedefs().code == gdb.TYPE_CODE_VOID:
        raise gdb.GdbError("Elements of this pointer have no size; cast it to a pointer to their type.")
    found = range_of(int(value))
    if found is None:
        raise gdb.GdbError(f"{hex(int(value))} is in no buffer and no __local argument of the kernel.")
    return (found[1] - int(value)) // size


class Elements(gdb.Function):
    """$elements(POINTER): the elements from POINTER to the end of the kernel's buffer that it points into."""

    def __init__(self):
        super().__init__("elements")

    def invoke(self, pointer):
        return elements_from(pointer)


Elements()


class Buffer(gdb.Command):
    """Print elements of a buffer, of local memory or of an array.
Usage: buffer EXPRESSION [FROM [COUNT]]
COUNT is 32 unless given. Nothing behind the end of the buffer is printed."""

    def __init__(self):
        super().__init__("buffer", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    def invoke(self, text, from_tty):
        words = gdb.string_to_argv(text)
        if not 1 <= len(words) <= 3:
            raise gdb.GdbError("Usage: buffer EXPRESSION [FROM [COUNT]]")
        try:
            self.show(words)
        except gdb.error as error:  # "No symbol ..." without a trace of this script
            raise gdb.GdbError(str(error)) from None

    @staticmethod
    def show(words):
        value = gdb.parse_and_eval(words[0])
        all_ = elements_from(value)
        first = int(gdb.parse_and_eval(words[1])) if len(words) > 1 else 0
        count = int(gdb.parse_and_eval(words[2])) if len(words) > 2 else 32
        type_ = value.type.strip_typedefs().target()
        print(f"{words[0]} has {all_} elements of type {type_.unqualified()}")
        if not 0 <= first < all_:
            if all_:
                raise gdb.GdbError(f"There is no element {first}.")
            return
        count = min(count, all_ - first)
        if count <= 0:
            return
        start = (value[0].address if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY else value) + first
        row = start.cast(type_.array(count - 1).pointer()).dereference()
        # Each element is to be seen, and not that one is repeated.
        shown = row.format_string(max_elements=0, repeat_threshold=0, array_indexes=False)
        print(f"[{first}..{first + count - 1}] = {shown}")


Buffer()


# --- frames ----------------------------------------------------------------------------------------------------------


def is_kernel_frame(frame):
    """Whether a frame is of the program's source, and not of the driver or the host program."""
    if not frame.is_valid() or frame.type() not in (gdb.NORMAL_FRAME, gdb.INLINE_FRAME):
        return False
    table = frame.find_sal().symtab
    # The names that versions of gdb give to code from memory.
    return table is not None and (table.objfile.filename or "").startswith(("<in-memory", "<<"))


def kernel_frame():
    """The newest frame of kernel code of the selected thread, or None."""
    frame = gdb.newest_frame()
    for _ in range(64):
        if frame is None:
            return None
        if is_kernel_frame(frame):
            return frame
        frame = frame.older()
    return None


class OnlyKernel:
    """Leaves out of backtraces of kernels what the driver has on the stack before and behind their functions."""

    def __init__(self):
        self.name, self.priority, self.enabled = "clarity", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        everything = list(frames)
        own = [frame for frame in everything if is_kernel_frame(frame.inferior_frame())]
        return iter(own or everything)


OnlyKernel()


# --- work-items ------------------------------------------------------------------------------------------------------


def thread_of(item):
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == item.thread:
            return thread
    return None


def line_at(address):
    sal = gdb.find_pc_line(address - 1)
    return f"{os.path.basename(sal.symtab.filename)}:{sal.line}" if sal.symtab else ""


def where(item):
    """"reduce.cl:12": where a work-item is."""
    if item.waits:
        return line_at(item.waits_at) if item.waits_at else ""
    thread = thread_of(item) if item.state == RUNS else None
    if thread is None:
        return ""
    before = gdb.selected_thread()
    frame_before = gdb.selected_frame() if before else None
    try:
        thread.switch()
        frame = kernel_frame()
        sal = frame.find_sal() if frame else None
        return f"{os.path.basename(sal.symtab.filename)}:{sal.line}" if sal else ""
    finally:
        if before and before.is_valid():
            before.switch()
            if frame_before and frame_before.is_valid():
                frame_before.select()


class InfoWorkItems(gdb.Command):
    """Show the work-items of the work-group that runs: local ids, what they do, where they are.
Work-items in one state and place that follow each other share a row. * marks the selected one."""

    def __init__(self):
        super().__init__("info work-items", gdb.COMMAND_STATUS)

    def invoke(self, text, from_tty):
        state = State()
        size = "x".join(str(value) for value in state.local_size[: state.dims])
        print(
            f"kernel {state.kernel}, work-group {state.ids(state.group)} of {state.ids(state.groups)}: "
            f"{size} work-items"
        )
        try:
            selected = state.current().linear
        except NoKernel:
            selected = None
        rows = []
        last = None
        for linear in range(state.count):
            item = state.item(linear)
            key = (item.state, item.waits_at if item.waits else 0, linear == selected)
            if key == last and linear != selected:
                rows[-1][1] = item
                continue
            rows.append([item, item, linear == selected])
            last = key
        print(f"  {'local id':<17} {'global id':<21} {'state':<24} at")
        for first, end, is_selected in rows:
            mark = "*" if is_selected else " "
            local, wide = state.ids(first.local_id), state.ids(first.global_id)
            if end is not first:
                local += " .. " + state.ids(end.local_id)
                wide += " .. " + state.ids(end.global_id)
            print(f"{mark} {local:<17} {wide:<21} {STATES[first.state]:<24} {where(first)}".rstrip())


InfoWorkItems()


def numbers(words, dims):
    values = []
    for word in words.replace(",", " ").split():
        try:
            values.append(int(gdb.parse_and_eval(word)))
        except gdb.error as error:
            raise gdb.GdbError(f"'{word}' is no id: {error}") from None
    if not 1 <= len(values) <= 3:
        raise gdb.GdbError("Usage: work-item [-g] X[,Y[,Z]]")
    return tuple(values + [0] * (3 - len(values)))


class WorkItem(gdb.Command):
    """Select a work-item of the work-group that runs, to look at its variables and to step it.
Usage: work-item [-g] X[,Y[,Z]]
The ids are local ones, or with -g global ones. It must have begun: its variables are those at the barrier, or the
other function, at which it waits. Without an argument: say which work-item is selected."""

    def __init__(self):
        super().__init__("work-item", gdb.COMMAND_RUNNING)

    def invoke(self, text, from_tty):
        state = State()
        if not text.strip():
            print(described(state, state.current()))
            return
        is_global = text.split()[0] == "-g"
        wanted = numbers(text.replace("-g", "", 1) if is_global else text, state.dims)
        for linear in range(state.count):
            item = state.item(linear)
            if (item.global_id if is_global else item.local_id) == wanted:
                self.select(state, item)
                return
        kind = "global" if is_global else "local"
        raise gdb.GdbError(
            f"Work-group {state.ids(state.group)}, which runs, has no work-item with {kind} id {state.ids(wanted)}."
        )

    @staticmethod
    def select(state, item):
        ids = state.ids(item.local_id)
        if item.state == NOT_BEGUN:
            conditions = " && ".join(f"$lid({d}) == {item.local_id[d]}" for d in range(state.dims))
            raise gdb.GdbError(f"Work-item {ids} has not begun. To stop in it: tbreak LINE if {conditions}")
        thread = thread_of(item) if item.state != ENDED else None
        if thread is None:
            raise gdb.GdbError(f"Work-item {ids} has ended.")
        thread.switch()
        frame = kernel_frame()
        if frame:
            frame.select()
        print(described(state, item))
        gdb.execute("frame")


WorkItem()


def described(state, item):
    return (
        f"[work-item {state.ids(item.global_id)}: local id {state.ids(item.local_id)} of "
        f"work-group {state.ids(state.group)}]"
    )


class ComeBack:
    """A work-item that waits is in the driver's code, of which there are no lines: `next` and `step` first let the
others run until it is in its own code again."""

    @staticmethod
    def run():
        try:
            state = State()
        except gdb.GdbError:
            return
        thread = gdb.selected_thread()
        frame = kernel_frame()
        if not frame or frame == gdb.newest_frame() or not state.current().waits:
            return
        frame.newer().select()
        output = gdb.execute("finish", to_string=True)
        if gdb.selected_thread() is None or gdb.selected_thread().num != thread.num:
            print(output, end="")
            raise gdb.GdbError("Another work-item stopped before this one could go on.")


class HookNext(gdb.Command):
    def __init__(self, name):
        self.__doc__ = "Used by next, step and until."
        super().__init__(name, gdb.COMMAND_OBSCURE)

    def invoke(self, text, from_tty):
        ComeBack.run()


HookNext("clarity-come-back")
for command in ("next", "step", "until", "stepi", "nexti"):
    gdb.execute(f"define hook-{command}\nclarity-come-back\nend")


# --- stops -----------------------------------------------------------------------------------------------------------

shown = None


def stopped(event):
    """Says in which work-item the program has stopped, if it is not the last one. At a mistake, which the driver finds
    in a function of its own, selects the kernel."""
    global shown
    if isinstance(event, gdb.BreakpointEvent) and Finding.made in event.breakpoints:
        frame = kernel_frame()
        if frame:
            frame.select()
            gdb.execute("frame")
        return
    try:
        state = State()
        if not kernel_frame():
            return
        item = state.current()
    except gdb.error:
        return
    except gdb.GdbError:
        shown = None
        return
    text = described(state, item)
    if text != shown:
        print(text)
    shown = text


class Finding(gdb.Breakpoint):
    """The driver calls the function with each finding of `clarity debug --check`."""

    made = None

    def __init__(self):
        super().__init__("clarity_debug_finding", internal=True)
        self.silent = True

    def stop(self):
        first = "$x0" if "aarch64" in gdb.newest_frame().architecture().name() else "$rdi"
        print("Stopped at a mistake: " + text_at(int(gdb.parse_and_eval(f"(unsigned long){first}"))))
        return True

    @staticmethod
    def make(_):
        """When the driver is there: gdb would complain of a breakpoint that waits for it."""
        if Finding.made is None:
            try:
                gdb.parse_and_eval("&clarity_debug_finding")
            except gdb.error:
                return
            Finding.made = Finding()


def settings():
    for setting in (
        "set breakpoint pending on",
        "set print thread-events off",
        "set debuginfod enabled off",
    ):
        try:
            gdb.execute(setting, to_string=True)
        except gdb.error:
            pass  # of a newer gdb
    gdb.execute("set environment CLARITY_DEBUG 1")
    if "CLARITY_DEBUG_SOURCES" not in os.environ:
        folder = tempfile.mkdtemp(prefix="clarity-debug-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        gdb.execute(f"set environment CLARITY_DEBUG_SOURCES {folder}")
    if os.environ.get("CLARITY_CHECK"):
        # Checks find faults themselves, and watch memory of the host by faults.
        gdb.execute("handle SIGSEGV SIGBUS nostop noprint pass", to_string=True)
        gdb.events.new_objfile.connect(Finding.make)


gdb.events.stop.connect(stopped)
settings()
