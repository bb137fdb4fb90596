"""Uses a shell in `overline run` in real terminals, while the network goes down and up and the terminal gets other sizes.

hour.py OVERLINE [--terminals NAME,…] [--minutes NUMBER] [--seed NUMBER] [--keep FOLDER]

The script types commands, and edits in vim, scrolls in less, works in Python, chooses in fzf, looks at a Textual program, installs a
package with apt, and stops and continues programs. grep, gcc and git print in colours. Every few minutes it reads
the terminal's scrollback and screen: each numbered line must be there once, and no banner after an outage. It prints what it did and what
was wrong. Needs root, or a user namespace, as `matrix.py` does.
"""

import argparse
import collections
import contextlib
import datetime
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from network import HIDDEN, Network, configure, isolated
from terminals import FOLDER, TERMINALS, wait

BANNER = re.compile("No connection|Back online")
# Seconds between two outages, the length of an outage, and seconds between two changes of size.
ONLINE, OFFLINE, SIZES = (10, 60), (3, 40), (5, 30)
# Lines between two looks: each terminal keeps more.
LOOK = 700
# These terminals lose lines of their scrollback themselves when their size changes on the alternate screen.
LOSE_LINES_THEMSELVES = ("xterm", "urxvt", "kitty")
# Their text is in rows of the screen.
UNWRAPPED = ("xterm", "urxvt")
# These join no row to the next one that a line wraps to at the bottom of margins, as apt sets them.
UNWRAPPED_IN_MARGINS = ("vte",)
# Prints the lines FIRST to LAST with PAUSE seconds behind each, up to WIDTH columns.
PROGRAM = """\
import sys, time
first, last, pause, width = sys.argv[1:]
for number in range(int(first), int(last) + 1):
    print(f"line {number} {'x' * (number * 7 % int(width))}.", flush=True)
    time.sleep(float(pause))
"""

# What gcc and git print before the text of a line.
PREFIX = re.compile(r"^(\+|lines\.c:\d+:\d+: error: #error )(?=line \d)", re.M)
# A program of a hundred rows that ends at q.
TEXTUAL = """\
from textual.app import App
from textual.widgets import Footer, RichLog

class Rows(App):
    BINDINGS = [("q", "quit", "Quit")]

    def compose(self):
        yield RichLog()
        yield Footer()

    def on_mount(self):
        self.count = 0
        self.set_interval(0.05, self.add)

    def add(self):
        self.count += 1
        self.query_one(RichLog).write(f"row {self.count} " + "y" * (self.count % 90))

Rows().run()
"""
# apt in a root of its own, where it is allowed to do everything and changes nothing of the machine.
APT = """\
Dir "{0}/debian"; Dir::State "{0}/state"; Dir::State::status "{0}/debian/var/lib/dpkg/status"; Dir::Cache "{0}/cache"; Dir::Log "{0}/aptlog";
DPkg::Options {{ "--root={0}/debian"; "--force-script-chrootless"; "--force-not-root"; "--force-bad-path"; "--log=/dev/null"; }};
Dpkg::Progress-Fancy "1"; APT::Sandbox::User "root"; Debug::NoLocking "1";
"""
PACKAGE = """\
Package: lines
Version: {}
Architecture: all
Maintainer: Nobody <nobody@example.org>
Description: prints lines when it is installed
"""


class Hour:
    def __init__(self, name, terminal, network, options):
        self.name, self.terminal, self.network, self.options = name, terminal, network, options
        self.folder = terminal.folder
        self.random = random.Random(f"{options.seed} {name}")
        # Held while the script types, drags or takes the network down: a key during a drag would have the drag's modifier.
        self.hands = threading.RLock()
        self.steady = threading.Lock()
        self.isOver = threading.Event()
        self.number = 0
        self.checked = 0
        # Lines that apt prints.
        self.inMargins = set()
        self.counts = collections.Counter()
        self.faults = []
        for name, text in [("lines.py", PROGRAM), ("rows.py", TEXTUAL), ("apt.conf", APT.format(self.folder))]:
            with open(f"{self.folder}/{name}", "w") as file:
                file.write(text)
        for name in ["debian/var/lib/dpkg/info", "debian/var/lib/dpkg/updates", "state/lists/partial", "cache/archives/partial", "aptlog"]:
            os.makedirs(f"{self.folder}/{name}")
        for name in ["status", "available"]:
            open(f"{self.folder}/debian/var/lib/dpkg/{name}", "w").close()

    def run(self):
        self.terminal.start([self.options.overline, "run", "--", "bash", "--norc", "--noprofile"])
        self.start = self.terminal.size()
        self.done(f"cd {self.folder}")
        threads = [threading.Thread(target=work) for work in [self.weather, self.sizes]]
        for thread in threads:
            thread.start()
        end = time.monotonic() + self.options.minutes * 60
        try:
            while time.monotonic() < end:
                self.random.choice([
                    self.output, self.output, self.slow, self.long, self.burst, self.grep, self.gcc, self.git, self.apt, self.edit,
                    self.vim, self.less, self.python, self.fzf, self.textual, self.stop])()
                time.sleep(self.random.uniform(0.2, 2))
                if self.number - self.checked > LOOK:
                    self.look()
        finally:
            self.isOver.set()
            for thread in threads:
                thread.join()
        self.look()

    # What happens meanwhile.

    def weather(self):
        dice = random.Random(f"{self.options.seed} weather {self.name}")
        while not self.isOver.wait(dice.uniform(*ONLINE)):
            with self.hands:
                self.network.set("down")
            self.note("offline")
            self.counts["outages"] += 1
            self.isOver.wait(dice.uniform(*OFFLINE))
            self.network.set("up")
            self.note("online")

    def sizes(self):
        dice = random.Random(f"{self.options.seed} sizes {self.name}")
        while not self.isOver.wait(dice.uniform(*SIZES)):
            width, height = self.terminal.size()
            across, down = (int(side * dice.uniform(0.6, 1.4)) - now for side, now in zip(self.start, (width, height)))
            way = dice.choice([(across, 0), (0, down), (across, down)])
            with self.steady, self.hands:
                self.note(f"size {width} {height} {way}")
                if dice.random() < 0.25:
                    self.terminal.resize(width + way[0], height + way[1])
                elif dice.random() < 0.3:
                    self.terminal.drag(way, (-way[0] // 2, -way[1] // 2))
                else:
                    self.terminal.drag(way)
            self.counts["sizes"] += 1

    # What the script types.

    def type(self, text):
        with self.hands:
            self.terminal.type(text)

    def done(self, command):
        """Types a command, and waits until the shell has the next one."""
        self.begin(command)
        self.end()

    def begin(self, command):
        self.counts["activities"] += 1
        self.note(command)
        self.mark = f"{self.folder}/done-{self.counts['activities']}"
        self.command = command
        self.type(f"{command}; touch {self.mark}")

    def end(self):
        wait(lambda: os.path.exists(self.mark), f"end of {self.command}", 90)
        os.unlink(self.mark)

    def numbers(self, count):
        first = self.number + 1
        self.number += count
        return f"{first} {self.number}"

    def lines(self, count, pause, width):
        return f"python3 lines.py {self.numbers(count)} {pause:.2f} {width}"

    def output(self):
        self.done(self.lines(self.random.randint(3, 60), self.random.choice([0, 0.01, 0.05]), 60))

    def slow(self):
        self.done(self.lines(self.random.randint(5, 20), self.random.uniform(0.1, 0.5), 70))

    def long(self):
        self.done(self.lines(self.random.randint(3, 25), self.random.choice([0, 0.03, 0.2]), 220))

    def burst(self):
        self.done(self.lines(self.random.randint(100, 250), 0, 100))

    def grep(self):
        self.source("")
        self.done("grep --color=always '[0-9x]*' lines.c")

    def gcc(self):
        self.source("#error ")
        self.done("gcc -c -fdiagnostics-color=always -fno-diagnostics-show-caret lines.c")

    def git(self):
        self.source("")
        self.done("git --no-pager diff --no-index --color=always /dev/null lines.c")

    def source(self, prefix):
        """Lines in a file, many of them about as wide as the terminal."""
        first, last = map(int, self.numbers(self.random.randint(3, 40)).split())
        with open(f"{self.folder}/lines.c", "w") as file:
            for number in range(first, last + 1):
                file.write(f"{prefix}line {number} {'x' * self.random.choice([5, self.random.randint(30, 120)])}.\n")

    def apt(self):
        """apt's progress is in a row that it keeps with margins. At a new size it would overwrite lines itself."""
        package, first = f"{self.folder}/package", self.number + 1
        os.makedirs(f"{package}/DEBIAN", exist_ok=True)
        with open(f"{package}/DEBIAN/control", "w") as file:
            file.write(PACKAGE.format(self.number))
        with open(f"{package}/DEBIAN/postinst", "w") as file:
            file.write(f"#!/bin/sh\ncd {self.folder} && {self.lines(self.random.randint(10, 60), 0.05, 70)}\n")
        os.chmod(f"{package}/DEBIAN/postinst", 0o755)
        subprocess.run(["dpkg-deb", "--build", package, f"{self.folder}/lines.deb"], check=True, stdout=subprocess.DEVNULL)
        self.inMargins.update(range(first, self.number + 1))
        with self.steady:
            self.done("APT_CONFIG=apt.conf apt-get install -y ./lines.deb")

    def fzf(self):
        path, number = f"{self.folder}/chosen", self.random.randint(100, 999)
        with self.steady:
            self.begin(f"seq 1000 | fzf --height 40% > {path}")
            time.sleep(1.5)
            self.perhaps_change_network()
            self.type(str(number))
            self.end()
        self.compare("fzf's choice", path, f"{number}\n")

    def textual(self):
        with self.full_screen():
            self.begin(f"PYTHONPATH={os.path.abspath('.build/textual')} python3 rows.py")
            time.sleep(self.random.uniform(3, 6))
            self.perhaps_change_network()
            with self.hands:
                self.terminal.keys("q")
            self.end()

    def edit(self):
        """A long command line, corrected in the middle."""
        text = "".join(self.random.choice("abcdefgh ") for _ in range(self.random.randint(20, 160)))
        path = f"{self.folder}/edited"
        with self.hands:
            self.terminal.write(f"echo '{text}' > {path}")
            self.terminal.keys("ctrl+a", *["ctrl+f"] * 6, "x", "ctrl+e")
            # At a new size bash prints a line of several rows again, in urxvt over the rows above it: the cursor is in its first row there.
            self.begin("")
        self.end()
        self.compare("edited line", path, f"x{text}\n")

    def vim(self):
        path, started = f"{self.folder}/text", f"{self.folder}/started"
        words = [f"word {number}" for number in range(self.random.randint(1, 30))]
        with self.full_screen():
            self.begin(f"vim -u NONE -c 'call writefile([], \"{started}\")' {path}")
            wait(lambda: os.path.exists(started), "vim", 60)
            # vim drops what is typed before it has the terminal's answers.
            time.sleep(1)
            self.type("i" + words[0])
            for word in words[1:]:
                self.type(word)
                time.sleep(self.random.uniform(0, 0.3))
            with self.hands:
                self.terminal.keys("Escape")
            self.perhaps_suspend()
            self.type(":wq")
            self.end()
        self.compare("vim's text", path, "".join(f"{word}\n" for word in [*words, ""]))
        for name in [path, started]:
            os.unlink(name)

    def less(self):
        path = f"{self.folder}/page"
        with open(path, "w") as file:
            file.writelines(f"page {number}\n" for number in range(300))
        with self.full_screen():
            self.begin(f"less {path}")
            time.sleep(1)
            with self.hands:
                self.terminal.keys("space", "space", "b", "j", "j", "shift+g")
            time.sleep(self.random.uniform(0, 4))
            self.perhaps_suspend()
            with self.hands:
                self.terminal.keys("q")
            self.end()

    def perhaps_suspend(self):
        """Ctrl-Z and `fg` in a full-screen program, with changes of the network before, between and after them. No banner may stay."""
        for _ in range(self.random.choice([0, 1, 1, 2])):
            self.perhaps_change_network()
            with self.hands:
                self.terminal.keys("ctrl+z")
            self.end()
            if self.random.random() < 0.5:
                self.output()
            self.perhaps_change_network()
            self.begin("fg")
            time.sleep(1)
            self.perhaps_change_network()
            self.counts["suspended"] += 1
            with self.hands:
                self.network.set("up")
                time.sleep(HIDDEN + 0.5)
                rows = self.terminal.visible().splitlines()
            texts = [bool(re.fullmatch(r" *(word|page) \d+ *", row)) for row in rows]
            if not any(texts):
                self.fault(f"no text of the program in {rows}")
                continue
            # The alternate screen begins with these rows. Scrollback may be above them.
            first = len(rows) - 1 - texts[::-1].index(True)
            while first and texts[first - 1]:
                first -= 1
            if BANNER.search("\n".join(rows[max(first - 2, 0):])):
                self.fault("a banner is on the alternate screen")

    def perhaps_change_network(self):
        if state := self.random.choice(["up", "down", None]):
            with self.hands:
                self.network.set(state)
        time.sleep(self.random.uniform(0.3, 5))

    def python(self):
        path = f"{self.folder}/python"
        self.begin("python3 -q")
        time.sleep(1.5)
        number = self.random.randint(1, 999)
        self.type(f"open('{path}', 'w').write(str({number} * 7))")
        first, last = self.numbers(10).split()
        self.type(f"print('\\n'.join(f'line {{n}} python.' for n in range({first}, {last} + 1)))")
        # Not Ctrl-D: the kernel discards it if Python has not started yet, as on a busy machine.
        self.type("exit()")
        self.end()
        self.compare("Python's file", path, str(number * 7))

    def stop(self):
        """Ctrl-Z, and the job goes on."""
        self.begin(self.lines(40, 0.1, 50))
        time.sleep(self.random.uniform(1, 2.5))
        with self.hands:
            self.terminal.keys("ctrl+z")
        # The shell continues its list behind a stopped job.
        self.end()
        time.sleep(self.random.uniform(0.5, 3))
        self.done("fg")

    def full_screen(self):
        """Held during a full-screen program: no change of size where the terminal itself would lose lines."""
        return self.steady if self.name in LOSE_LINES_THEMSELVES else contextlib.nullcontext()

    # What must be true.

    def compare(self, what, path, expected):
        with open(path) as file:
            found = file.read()
        if found != expected:
            self.fault(f"{what} is {found!r}, not {expected!r}")

    def fault(self, text):
        self.faults.append(text)
        print(f"{self.name}: {time.strftime('%H:%M:%S')}: {text}", file=sys.stderr, flush=True)
        self.note(text)

    def note(self, text):
        """Keeps the time of an event, to be compared with a trace of the window."""
        if self.options.keep:
            with open(f"{self.options.keep}/{self.name}-events", "a") as file:
                file.write(f"{datetime.datetime.now():%H:%M:%S.%f} {text}\n")

    def look(self):
        with self.hands:
            self.network.set("up")
            # Everything goes to the scrollback, so that the last rows are the screen's.
            self.done("for row in {1..45}; do echo; done")
            time.sleep(HIDDEN + 0.5)
            # VTE shows a cell that was erased as NUL.
            text = self.terminal.text().replace("\0", " ")
        # A copy of the banner that a drag pushes to the scrollback may be between two rows of one line. A narrower terminal may have broken off
        # a blank row of it.
        banner = rf"\S ({BANNER.pattern})( · v0 has no carrier)? *\n?"
        whole = re.sub(rf"(?<=[^\n ]) *{banner}(?: *\n(?=x))?|(?<=x)\n *{banner}(?=x)", "", text)
        lines = [line.rstrip() for line in PREFIX.sub("", whole).splitlines()]
        if any(BANNER.search(line) for line in lines[-12:]):
            self.fault("a banner is on the screen")
        numbers = collections.Counter(int(number) for number in re.findall(r"^ *line (\d+)\b", "\n".join(lines), re.M))
        new = range(self.checked + 1, self.number + 1)
        for what, wrong in [
            ("lost", [number for number in new if numbers[number] == 0]), ("doubled", [number for number in new if numbers[number] > 1]),
        ]:
            if wrong:
                self.fault(f"{what}: {wrong}")
                self.counts[what] += len(wrong)
        for line in lines:
            match = re.search(r"^( *)line (\d+) |\S *\bline (\d+) [xp.]", line)
            if not match or int(match[2] or match[3]) not in new:
                continue
            if match[3]:
                self.fault(f"joined: {line}")
            # Ctrl-Z is shown where the cursor is.
            elif not (line.removesuffix("^Z").endswith(".") or self.name in UNWRAPPED
                      or self.name in UNWRAPPED_IN_MARGINS and int(match[2]) in self.inMargins):
                self.fault(f"cut off: {line}")
        self.counts["banners in the scrollback"] = len(BANNER.findall(text))
        self.checked = self.number
        self.counts["looks"] += 1
        if self.options.keep:
            with open(f"{self.options.keep}/{self.name}-{self.counts['looks']}", "w") as file:
                file.write(text)
        print(f"{self.name}: {time.strftime('%H:%M:%S')}: {dict(self.counts)}, {self.number} lines", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("overline")
    parser.add_argument("--terminals", default="urxvt,alacritty")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", default=time.strftime("%F %T"))
    parser.add_argument("--keep", help="a folder for the texts that were read")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.overline = os.path.abspath(options.overline)
    if options.worker:
        return work(options)
    names = options.terminals.split(",")
    missing = [name for name in names if name not in TERMINALS]
    if missing:
        sys.exit(f"no terminal is named {missing[0]}; there are {', '.join(TERMINALS)}")
    arguments = [options.overline, "--minutes", str(options.minutes), "--seed", options.seed]
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        arguments += ["--keep", os.path.abspath(options.keep)]
    print(f"seed: {options.seed}", file=sys.stderr, flush=True)
    workers = [subprocess.Popen(isolated(sys.executable, "-B", __file__, *arguments, "--terminals", name, "--worker")) for name in names]
    sys.exit(any([worker.wait() for worker in workers]))


def work(options):
    folder = tempfile.mkdtemp(prefix="hour")
    os.chmod(folder, 0o700)
    configure(folder)
    terminal = TERMINALS[options.terminals](folder)
    hour = Hour(options.terminals, terminal, Network(), options)
    try:
        terminal.open()
        hour.run()
    except (TimeoutError, LookupError, OSError, ValueError) as error:
        hour.fault(f"{type(error).__name__} {error}")
    finally:
        terminal.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{hour.name}: {dict(hour.counts)}, {hour.number} lines, {len(hour.faults)} faults", *hour.faults, sep="\n  ", flush=True)
    sys.exit(bool(hour.faults))


main()
