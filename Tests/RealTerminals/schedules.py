"""Plays the schedules of the simulated windows in real terminals, without Overline, and compares with the simulated terminal.

schedules.py FILE [--terminals NAME,…]

The tests write FILE, see `ScheduleExport.swift`: a schedule in each line, with the text and the cursor that the simulated terminal ends with. A
difference shows that its model of the real terminal is wrong. foot cannot be given a size of so many rows and columns: it is left out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from network import configure, isolated
from terminals import COLUMNS, FOLDER, ROWS, TERMINALS, wait

# The terminal's program: prints the files that it finds, and writes its size, and at the end the cursor's place.
PROGRAM = r'''
import os, re, select, sys, termios, time, tty
folder = sys.argv[1]
tty.setraw(0)
number = 0
size = None
while True:
    time.sleep(0.01)
    if os.get_terminal_size() != size:
        size = os.get_terminal_size()
        with open(folder + "/size.new", "w") as file:
            file.write(f"{size.lines} {size.columns}")
        os.rename(folder + "/size.new", folder + "/size")
    if not os.path.exists(f"{folder}/print{number}"):
        continue
    with open(f"{folder}/print{number}", "rb") as file:
        os.write(1, file.read())
    os.write(1, b"\x1b[6n")
    answer = b""
    while not (match := re.search(rb"\x1b\[(\d+);(\d+)R", answer)) and select.select([0], [], [], 3)[0]:
        answer += os.read(0, 100)
    with open(f"{folder}/cursor.new", "w") as file:
        file.write(f"{number} {match[1].decode()} {match[2].decode()}")
    os.rename(folder + "/cursor.new", folder + "/cursor")
    number += 1
'''


def words(path):
    try:
        with open(path) as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


class Player:
    """One terminal, and the pixels of each size that was needed in it."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.pixels = {}
        self.number = 0

    def begin(self):
        for name in os.listdir(self.terminal.folder):
            if name.startswith(("print", "size", "cursor")):
                os.unlink(f"{self.terminal.folder}/{name}")
        self.number = 0
        self.terminal.start(["/usr/bin/python3", f"{self.terminal.folder}/program.py", self.terminal.folder])
        wait(lambda: words(f"{self.terminal.folder}/size") == [ROWS, COLUMNS], "the first size")
        width, height = self.terminal.size()
        self.cell = self.pixels.get("cell", (width / COLUMNS, height / ROWS))

    def grid(self):
        return words(f"{self.terminal.folder}/size")

    def learn(self, rows, columns):
        """Finds the pixels of a size, in a terminal whose content does not matter."""
        width, height = self.pixels.get((rows, columns), (self.cell[0] * columns, self.cell[1] * rows))
        for _ in range(12):
            self.terminal.resize(width, height)
            try:
                wait(lambda: self.grid() == [rows, columns], "a size", 0.5)
                self.pixels[rows, columns] = width, height
                return
            except TimeoutError:
                got = self.grid()
                height += (rows - got[0]) * self.cell[1] * 0.99
                width += (columns - got[1]) * self.cell[0] * 0.99
        raise TimeoutError(f"{rows} rows of {columns} columns")

    def put(self, text):
        """Prints a text. Returns the cursor's place."""
        with open(f"{self.terminal.folder}/new", "w", newline="") as file:
            file.write(text)
        os.rename(f"{self.terminal.folder}/new", f"{self.terminal.folder}/print{self.number}")
        path = f"{self.terminal.folder}/cursor"
        place = wait(lambda: words(path) if words(path)[:1] == [self.number] else None, "the cursor")
        self.number += 1
        return place[1:]

    def play(self, schedule):
        self.begin()
        try:
            sizes = [(step["rows"], step["columns"]) for step in schedule["steps"] if "rows" in step]
            first = schedule["rows"], schedule["columns"]
            for size in dict.fromkeys([*sizes, first]):
                self.learn(*size)
            self.terminal.resize(*self.pixels[first])
            wait(lambda: self.grid() == [*first], "the first size of the schedule", 3)
            self.put("\x1b[H\x1b[2J\x1b[3J")
            for step in schedule["steps"]:
                if "print" in step:
                    self.put(step["print"])
                    continue
                size = step["rows"], step["columns"]
                self.terminal.resize(*self.pixels[size])
                wait(lambda: self.grid() == [*size], f"{size[0]} rows of {size[1]} columns", 3)
                time.sleep(0.2)
            cursor = self.put("")
            text = [line.rstrip().replace("\0", "") for line in self.terminal.text().splitlines()]
        finally:
            self.terminal.end()
        while text and not text[-1]:
            text.pop()
        return cursor, text


def difference(schedule, cursor, text):
    wanted = [line.rstrip() for line in schedule["text"]]
    while wanted and not wanted[-1]:
        wanted.pop()
    # Blank lines above the text depend on how the terminal was cleared.
    texts = []
    for lines in [wanted, text]:
        lines = list(lines)
        while lines and not lines[0]:
            lines.pop(0)
        texts.append(lines)
    if texts[0] != texts[1]:
        row = next((row for row, pair in enumerate(zip(*texts)) if pair[0] != pair[1]), min(map(len, texts)))
        return f"line {row + 1}: {texts[1][row:row + 1]}, simulated {texts[0][row:row + 1]}"
    if cursor != schedule["cursor"]:
        return f"the cursor is at {cursor}, simulated {schedule['cursor']}"
    return None


def work(name, schedules):
    folder = tempfile.mkdtemp(prefix="terminals")
    os.chmod(folder, 0o700)
    configure(folder)
    with open(f"{folder}/program.py", "w") as file:
        file.write(PROGRAM)
    terminal = TERMINALS[name](folder)
    wrong = 0
    try:
        terminal.open()
        player = Player(terminal)
        for number, schedule in enumerate(schedules):
            try:
                found = difference(schedule, *player.play(schedule))
            except (TimeoutError, LookupError, OSError, ValueError) as error:
                found = f"COULD NOT RUN: {type(error).__name__} {error}"
            if found:
                wrong += 1
                print(f"{name}: schedule {number + 1}: {found}\n  {json.dumps(schedule['steps'])[:400]}", flush=True)
        print(f"{name}: {len(schedules)} schedules, {wrong} differ", flush=True)
    finally:
        terminal.close()
        shutil.rmtree(folder, ignore_errors=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--terminals", default=",".join(TERMINALS))
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    with open(options.file) as file:
        schedules = [json.loads(line) for line in dict.fromkeys(file)]
    names = [name for name in options.terminals.split(",") if name != "foot"]
    if options.worker:
        return work(names[0], [schedule for schedule in schedules if schedule["family"] == names[0]])
    if not schedules:
        sys.exit(f"{options.file} has no schedules")
    return sum(
        subprocess.run(isolated(sys.executable, "-B", __file__, options.file, "--terminals", name, "--worker")).returncode for name in names)


sys.exit(1 if main() else 0)
