"""How much slower a real terminal takes a program's output below a banner.

speed.py OVERLINE [--baseline OVERLINE] [--terminals NAME,…] [--rounds NUMBER]

A program prints streams of text, colours, a full-screen program's frames, wide characters and short lines, and waits after each until the
terminal has handled all of it. It runs alone and in `overline run` while the network is down, in turns. A cell is the time below the banner
divided by the time alone, the median of the rounds; in parentheses that of the baseline, an earlier build. Needs root, or a user namespace,
as `matrix.py` does.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from network import Network, configure, isolated
from terminals import TERMINALS, wait

PROGRAM = """\
import os, sys, termios, time, tty
folder = sys.argv[1]
modes = termios.tcgetattr(0)
tty.setraw(0)
for name in sys.argv[2:]:
    with open(f"{folder}/{name}", "rb") as file:
        stream = file.read()
    time.sleep(0.5)
    start = time.monotonic()
    rest = memoryview(stream + b"\\x1b[0m\\x1b[6n")
    while rest:
        rest = rest[os.write(1, rest):]
    answer = b""
    while not answer.endswith(b"R"):
        answer += os.read(0, 1)
    with open(f"{folder}/{name}.time.new", "w") as file:
        file.write(str(time.monotonic() - start))
    os.rename(f"{folder}/{name}.time.new", f"{folder}/{name}.time")
    os.write(1, b"\\x1b[2J\\x1b[H")
termios.tcsetattr(0, termios.TCSANOW, modes)
"""


def lines(count, line):
    return "".join(line(number) + "\r\n" for number in range(count)).encode()


STREAMS = {
    "text": lines(20000, lambda number: f"line {number} {'lorem ipsum ' * 4}"),
    "colour": lines(10000, lambda number: "".join(f"\x1b[3{(number + word) % 8}mword{word} " for word in range(8)) + "\x1b[0m"),
    "tui": b"".join(f"\x1b[{row % 20 + 1};1H\x1b[3{row % 8}mrow {row} \x1b[0m{'=' * (row % 50)}\x1b[K".encode() for row in range(20000)),
    "wide": lines(4000, lambda number: f"{number} " + "漢字かな交じり文" * 4),
    "short": lines(60000, lambda number: str(number)),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("overline")
    parser.add_argument("--baseline")
    parser.add_argument("--terminals", default=",".join(TERMINALS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(options)
    names = options.terminals.split(",")
    missing = [name for name in names if name not in TERMINALS]
    if missing:
        sys.exit(f"no terminal is named {missing[0]}; there are {', '.join(TERMINALS)}")
    arguments = [os.path.abspath(options.overline), "--rounds", str(options.rounds)]
    if options.baseline:
        arguments += ["--baseline", os.path.abspath(options.baseline)]
    results = {}
    # One after the other: they would take each other's processor time.
    for name in names:
        command = isolated(sys.executable, "-B", __file__, *arguments, "--terminals", name, "--worker")
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
        results[name] = dict(line.split("\t") for line in output.splitlines() if "\t" in line)
    print("| | " + " | ".join(names) + " |")
    print("| --- " * (len(names) + 1) + "|")
    for stream in STREAMS:
        print(f"| {stream} | " + " | ".join(results[name].get(stream, "no result") for name in names) + " |")
    sys.exit(any(stream not in result for result in results.values() for stream in STREAMS))


def work(options):
    network = Network()
    folder = tempfile.mkdtemp(prefix="terminals")
    os.chmod(folder, 0o700)
    configure(folder)
    for name, stream in STREAMS.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(stream)
    with open(f"{folder}/program.py", "w") as file:
        file.write(PROGRAM)
    hosts = {"bare": [], "overline": [options.overline, "run", "--"]}
    if options.baseline:
        hosts["baseline"] = [options.baseline, "run", "--"]
    terminal = TERMINALS[options.terminals](folder)
    times = {host: {stream: [] for stream in STREAMS} for host in hosts}
    try:
        terminal.open()
        network.set("down")
        for _ in range(options.rounds):
            for host, command in hosts.items():
                for stream, seconds in measure(terminal, folder, command).items():
                    times[host][stream].append(seconds)
        for stream in STREAMS:
            def ratio(host):
                return statistics.median(ours / bare for ours, bare in zip(times[host][stream], times["bare"][stream]))
            cell = f"{ratio('overline'):.2f}" + (f" ({ratio('baseline'):.2f})" if options.baseline else "")
            print(f"{stream}\t{cell}", flush=True)
    finally:
        terminal.close()
        shutil.rmtree(folder, ignore_errors=True)


def measure(terminal, folder, host):
    """The seconds of each stream in one start of the terminal."""
    for stream in STREAMS:
        if os.path.exists(f"{folder}/{stream}.time"):
            os.unlink(f"{folder}/{stream}.time")
    terminal.start([*host, "/usr/bin/python3", f"{folder}/program.py", folder, *STREAMS])
    times = {}
    try:
        for stream in STREAMS:
            wait(lambda: os.path.exists(f"{folder}/{stream}.time"), f"the end of {stream}", 120)
            with open(f"{folder}/{stream}.time") as file:
                times[stream] = float(file.read())
    finally:
        terminal.end()
    return times


main()
