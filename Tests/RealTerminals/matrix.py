"""Runs programs in real terminals, with `overline run` and without, and compares what is in their scrollback and on their screens.

matrix.py OVERLINE [--terminals NAME,…] [--cases "NAME;…"] [--runs COUNT] [--load COUNT] [--keep FOLDER]

Needs root, or a user namespace: each terminal has a network namespace of its own, whose link goes down and up. The table on the standard
output has a cell for each case: `ok`, or what differs from the run without Overline. Cases in which output meets the change of a size depend
on chance: they run several times, and the cell says how many of these runs were ok.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from network import HIDDEN, Network, configure, isolated
from terminals import COLUMNS, FOLDER, ROWS, TERMINALS, wait

BANNER = re.compile("No connection|Back online")


# What is done to the terminal's window, in pixels.
def step(*sizes):
    """The window manager sets a size, as it does to maximise a window."""

    def resize(terminal):
        width, height = terminal.size()
        for across, down in sizes:
            terminal.resize(width * across, height * down)
            time.sleep(0.8)

    return resize


def drag(*ways):
    return lambda terminal: terminal.drag(*ways)


RESIZES = {
    "taller": drag((0, 160)),
    "lower": drag((0, -150)),
    "a little narrower": drag((-60, 0)),
    "narrower": drag((-160, 0)),
    "wider": drag((200, 0)),
    "there and back": drag((0, -150), (0, 150)),
    "corner": drag((-150, -140), (250, 250)),
    "maximise": step((1.6, 1.7), (1, 1)),
}
CASES = {"scroll": None, "wraps": None, "text": None, "margin": None, "clusters": None, "pending": None, "columns": None}
for part in ["before", "prompt", "screen", "print"]:
    for name, resize in RESIZES.items():
        CASES[f"{part}, {name}"] = resize
# A full-screen program during which the terminal gets another size ends before the outage.
for name in ["taller", "narrower"]:
    CASES[f"left, {name}"] = RESIZES[name]


# What scrolls or changes its size while the program prints.
def depends_on_chance(case):
    return case == "scroll" or case.startswith("print")


# The numbered lines of each part of `program.py`.
LINES = {
    "scroll": 300, "wraps": 80, "text": 90, "margin": 0, "clusters": 0, "pending": 0, "columns": 0, "before": 100, "left": 100, "prompt": 100,
    "screen": 100, "print": 500,
}


class Run:
    def __init__(self, terminal, network, case, overline):
        self.folder = terminal.folder
        self.terminal = terminal
        self.network = network
        self.isWrapped = overline is not None
        for name in os.listdir(self.folder):
            if name.startswith(("at-", "go-", "cursor")):
                os.unlink(f"{self.folder}/{name}")
        part, _, _ = case.partition(",")
        command = ["/usr/bin/python3", f"{FOLDER}/program.py", part, self.folder]
        network.set("up")
        terminal.start(([overline, "run", "--"] if overline else []) + command)
        try:
            getattr(self, part)(CASES[case])
            self.reached("end")
            with open(f"{self.folder}/cursor") as file:
                self.cursor, self.rows, self.columns = (int(word) for word in file.read().split())
            time.sleep(0.4)
            self.dump = terminal.text()
        finally:
            terminal.end()

    def reached(self, name):
        wait(lambda: os.path.exists(f"{self.folder}/at-{name}"), f"the program at {name}", 60)

    def go(self, name):
        open(f"{self.folder}/go-{name}", "w").close()

    def outage(self):
        self.network.set("down")
        time.sleep(0.8)

    def recovery(self):
        self.network.set("up")
        time.sleep(HIDDEN)

    def scroll(self, _):
        self.reached("offline")
        self.outage()
        self.go("offline")
        self.reached("online")
        self.network.set("up")
        self.go("online")
        self.reached("hidden")
        time.sleep(HIDDEN)
        self.go("hidden")

    def wraps(self, _):
        self.reached("offline")
        self.outage()
        self.go("offline")
        self.reached("hidden")
        self.recovery()
        self.go("hidden")

    text = margin = clusters = wraps

    def pending(self, _):
        """One outage after the other, as often as the program waits for one."""
        while True:
            place = wait(self.place, "the program at its next outage", 60)
            if place == "end":
                return
            self.outage() if place.startswith("offline") else self.recovery()
            self.go(place)

    def place(self):
        """Where the program waits."""
        here = {name[3:] for name in os.listdir(self.folder) if name.startswith("at-")}
        return next((name for name in here if not os.path.exists(f"{self.folder}/go-{name}")), None)

    def columns(self, _):
        self.reached("offline")
        self.outage()
        self.go("offline")
        self.reached("columns")
        self.drawn = self.terminal.visible()
        self.recovery()
        self.go("columns")

    def before(self, resize):
        self.reached("prompt")
        time.sleep(0.5)
        if resize:
            resize(self.terminal)
            time.sleep(0.6)
        self.outage()
        self.terminal.type("echo DURING")
        time.sleep(0.3)
        self.finish()

    def left(self, resize):
        self.reached("screen")
        resize(self.terminal)
        time.sleep(0.6)
        self.go("screen")
        self.before(None)

    def prompt(self, resize):
        self.reached("prompt")
        time.sleep(0.5)
        self.outage()
        resize(self.terminal)
        time.sleep(0.6)
        self.finish()

    def finish(self):
        self.recovery()
        self.terminal.type("echo AFTER")
        time.sleep(0.3)
        self.terminal.type("exit")

    def screen(self, resize):
        self.reached("screen")
        self.outage()
        resize(self.terminal)
        time.sleep(0.6)
        self.recovery()
        self.drawn = self.terminal.visible()
        self.go("screen")

    def print(self, resize):
        self.reached("print")
        self.network.set("down")
        time.sleep(0.8)
        resize(self.terminal)
        resize(self.terminal)
        self.reached("printed")
        time.sleep(0.6)
        self.recovery()
        self.go("printed")


def sections(lines):
    """The lines below each heading in brackets. A lost or doubled heading gives another list."""
    found = []
    for line in lines:
        if heading := re.match(r"\[(.+?)\]", line):
            found.append((heading[1], []))
        if found and not BANNER.search(line):
            # An erased cell in front of text may be exported as a blank, as NUL or not at all.
            found[-1][1].append(line.strip())
    return found


def differences(run, bare, case):
    """What a user would miss."""
    found = []
    text = {}
    for what in [run, bare]:
        lines = [line.rstrip().replace("\0", "") for line in what.dump.splitlines()]
        text[what] = [line for line in lines if line]
    numbers = {what: collections.Counter(re.findall(r"^ *line (\d+)\b", "\n".join(text[what]), re.M)) for what in text}
    expected = collections.Counter(str(number) for number in range(1, LINES[case.partition(",")[0]] + 1))
    wrong = {what: (len(expected - numbers[what]), len(numbers[what] - expected)) for what in text}
    # xterm loses old lines itself when it becomes lower on the alternate screen.
    isOwn = wrong[bare] != (0, 0)
    notes = [f"without Overline {wrong[bare][0]} lost, {wrong[bare][1]} doubled"] if isOwn else []
    lost, doubled = wrong[run]
    if lost:
        (notes if isOwn else found).append(f"{lost} lost")
    if doubled:
        (notes if isOwn else found).append(f"{doubled} doubled")
    if not found and not isOwn:
        order = [re.findall(r"^ *line (\d+)\b", "\n".join(text[what]), re.M) for what in text]
        if order[0] != order[1]:
            found.append("another order")
    if not found and not isOwn:
        changed = [line for line in text[bare] if line.lstrip().startswith("line ") and line not in set(text[run])]
        # xterm cuts off the ends of some lines itself.
        cut = [line for line in changed if any(other.startswith(line + "x") for other in text[run])]
        if len(changed) > len(cut):
            found.append(f"{len(changed) - len(cut)} changed")
        if cut:
            notes.append(f"without Overline {len(cut)} cut")
    parts = {what: sections(text[what]) for what in text}
    headings = {what: [name for name, _ in parts[what]] for what in parts}
    if headings[run] != headings[bare]:
        counts = {what: collections.Counter(headings[what]) for what in parts}
        wrong = [*(counts[run] - counts[bare] + (counts[bare] - counts[run]))]
        found.append(f"lost or twice: {'; '.join(wrong)}" if wrong else "another order")
    if other := [name for name, lines in parts[bare] if name in headings[run] and (name, lines) not in parts[run]]:
        found.append(f"another text: {'; '.join(other)}")
    # A physical row of the screen: the program's last line is where the cursor is.
    above = 0
    isOnScreen = 0
    for line in reversed(run.dump.rstrip().splitlines()):
        if above < run.cursor and BANNER.search(line):
            isOnScreen += 1
        above += max(1, -(-len(line.rstrip()) // run.columns))
    banners = len(BANNER.findall("\n".join(text[run])))
    if isOnScreen:
        found.append(f"{isOnScreen} banners on the screen")
    # Each drag, and each change of width by DECCOLM, may push the banner to the scrollback before the window learns of it.
    drags = 1 if case == "columns" else 0 if CASES[case] is None else 2 if case.startswith("print") else 1
    if banners - isOnScreen > drags:
        found.append(f"{banners - isOnScreen} banners in the scrollback")
    if case.endswith(("taller", "lower", "narrower", "wider")) and (bare.rows, bare.columns) == (ROWS, COLUMNS):
        found.append("the size did not change")
    if (run.rows, run.columns) != (bare.rows, bare.columns):
        found.append(f"{run.columns} × {run.rows}, not {bare.columns} × {bare.rows}")
    # A cursor in a wrong row overwrites text, or leaves rows blank before the program's last row.
    tails = [[line.rstrip() for line in what.dump.rstrip().splitlines()[-4:-1]] for what in [run, bare]]
    if tails[0] != tails[1]:
        found.append("another end")
    below = bare.cursor - run.cursor
    # A banner on a full screen needs a row. The rows below it stay where they are.
    if case.startswith(("before", "left")) and below not in (0, 1):
        found.append("the screen moved")
    # A terminal that ignores DECCOLM wraps the rows: how many of them are visible depends on its height.
    if hasattr(run, "drawn") and (case != "columns" or bare.columns == 132):
        # Some terminals save rows of the alternate screen when they become lower: only the last ones are on the screen.
        drawn = [[line.rstrip() for line in what.drawn.splitlines() if line.startswith("row ")][-what.rows:] for what in [run, bare]]
        # foot does not signal a size that is the old one again, so that the program alone does not draw the rows that foot had cut off.
        if not drawn[1] or drawn[0][:len(drawn[1])] != drawn[1]:
            found.append("another screen")
    notes += [f"{banners} in scrollback"] * (banners > 0) + [f"{below} rows lower" if below < 0 else f"{below} rows higher"] * (below != 0)
    return (", ".join(found) or "ok") + (f" ({', '.join(notes)})" if notes else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("overline")
    parser.add_argument("--terminals", default=",".join(TERMINALS))
    parser.add_argument("--cases", default="")
    parser.add_argument("--runs", type=int, default=1, help="how often a case that depends on chance runs")
    parser.add_argument("--load", type=int, default=0, help="the number of busy processes beside the terminals")
    parser.add_argument("--keep", help="a folder for the texts that were compared")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    cases = [case for case in CASES if not options.cases or any(case.startswith(word) for word in options.cases.split(";"))]
    if options.worker:
        return work(options, cases)
    names = options.terminals.split(",")
    missing = [name for name in names if name not in TERMINALS]
    if missing:
        sys.exit(f"no terminal is named {missing[0]}; there are {', '.join(TERMINALS)}")
    arguments = [os.path.abspath(options.overline), "--cases", options.cases, "--runs", str(options.runs)]
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        arguments += ["--keep", os.path.abspath(options.keep)]
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.load)]
    try:
        results = run_workers(names, arguments)
    finally:
        for process in load:
            process.kill()
            process.wait()
    versions = [
        subprocess.run(["dpkg-query", "-W", "-f", "${Version}", TERMINALS[name].package], capture_output=True, text=True).stdout
        for name in names]
    print("| | " + " | ".join(f"{name} {version.split('-')[0].split('+')[0]}" for name, version in zip(names, versions)) + " |")
    print("| --- " * (len(names) + 1) + "|")
    for case in cases:
        print(f"| {case} | " + " | ".join(results[name].get(case, "no result") for name in names) + " |")
    sys.exit(any(not result.get(case, "").startswith("ok") for result in results.values() for case in cases))


def run_workers(names, arguments):
    """The cells of each terminal by their case. Three terminals run at once."""
    results, waiting, workers = {}, list(names), {}
    while waiting or workers:
        while waiting and len(workers) < 3:
            name = waiting.pop(0)
            command = isolated(sys.executable, "-B", __file__, *arguments, "--terminals", name, "--worker")
            workers[name] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        name = next((name for name in workers if workers[name].poll() is not None), None)
        if name is None:
            time.sleep(0.2)
            continue
        results[name] = dict(line.split("\t") for line in workers.pop(name).communicate()[0].splitlines() if "\t" in line)
    return results


def rate(results):
    """One cell for several runs."""
    right = sum(result.startswith("ok") for result in results)
    if len(results) == 1:
        return results[0]
    if right == len(results):
        return f"ok {right} of {right}"
    return f"{right} of {len(results)} ok, else {'; '.join(result for result in results if not result.startswith('ok'))}"


def work(options, cases):
    network = Network()
    folder = tempfile.mkdtemp(prefix="terminals")
    os.chmod(folder, 0o700)
    configure(folder)
    terminal = TERMINALS[options.terminals](folder)
    try:
        terminal.open()
        for case in cases:
            try:
                bare = Run(terminal, network, case, None)
                results = []
                for _ in range(options.runs if depends_on_chance(case) else 1):
                    run = Run(terminal, network, case, options.overline)
                    results.append(differences(run, bare, case))
                result = rate(results)
                # xterm, urxvt and kitty lose old lines themselves on the alternate screen, in some runs only.
                for _ in range(4 if case.startswith("screen") else 0):
                    if " lost" in result and not result.startswith("ok"):
                        bare = Run(terminal, network, case, None)
                        result = differences(run, bare, case)
                if options.keep:
                    for name, what in [("bare", bare), ("run", run)]:
                        with open(f"{options.keep}/{options.terminals}, {case}, {name}", "w") as file:
                            file.write(what.dump + getattr(what, "drawn", ""))
            except (TimeoutError, LookupError, OSError, ValueError) as error:
                result = f"failed: {type(error).__name__} {error}"
            print(f"{case}\t{result}", flush=True)
            print(f"{options.terminals}: {case}: {result}", file=sys.stderr, flush=True)
    except TimeoutError as error:
        with open(f"{folder}/log") as file:
            sys.exit(f"{options.terminals}: {error} did not start: {file.read()}")
    finally:
        terminal.close()
        shutil.rmtree(folder, ignore_errors=True)


main()
