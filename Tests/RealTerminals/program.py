"""The program that runs in the terminals: PART FOLDER. The files `go-N` in FOLDER, made by the matrix, let it go on."""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
import tty

part, folder = sys.argv[1:]
columns = shutil.get_terminal_size().columns


def reach(name):
    """Tells the matrix that the program is here."""
    open(f"{folder}/at-{name}", "w").close()


def wait(name):
    reach(name)
    while not os.path.exists(f"{folder}/go-{name}"):
        time.sleep(0.02)


def lines(numbers, pause=0.0, width=50):
    for number in numbers:
        print(f"line {number} {'x' * (number * 7 % width)}", flush=True)
        time.sleep(pause)


# Sequences after a character in the last column, where a wrap is pending: terminals differ in what they do there.
MARGIN = {
    "text": "", "SGR": "\x1b[m", "SGR EL 0": "\x1b[m\x1b[K", "EL 1": "\x1b[1K", "EL 2": "\x1b[2K", "ED 0": "\x1b[J", "ECH": "\x1b[X",
    "DCH": "\x1b[P", "ICH": "\x1b[@", "DECSC DECRC": "\x1b7\x1b8", "DECSC CR DECRC": "\x1b7\r\x1b8", "TAB": "\t", "BS": "\b",
    "CUB": "\x1b[D", "CUF": "\x1b[C", "CUU CUD": "\x1b[A\x1b[B", "HPA": "\x1b[80`", "IND": "\x1bD", "REP": "\x1b[3b", "mark": "\u0301",
    "autowrap off and on": "\x1b[?7l\x1b[?7h", "text without autowrap": "\x1b[?7lx\x1b[?7h",
    "two letters without autowrap": "\r\x1b[79C\x1b[?7lUV\x1b[?7h",
}
# Those that are printed after an outage has begun, or ended, at the pending wrap.
PENDING = ["text", "SGR EL 0", "ED 0", "TAB", "BS", "text without autowrap"]
CLUSTERS = {
    "family": "\U0001F468\u200d\U0001F469\u200d\U0001F467", "rainbow": "\U0001F3F3\ufe0f\u200d\U0001F308",
    "runner": "\U0001F3C3\u200d\u2640\ufe0f", "flag": "\U0001F1E9\U0001F1EA", "three letters of flags": "\U0001F1E9\U0001F1EA\U0001F1EB",
    "skin tone": "\U0001F44D\U0001F3FD", "text with skin tone": "\u270c\U0001F3FD", "heart VS16": "\u2764\ufe0f",
    "heart VS15": "\u2764\ufe0e", "face VS15": "\U0001F600\ufe0e", "keycap": "1\ufe0f\u20e3",
}


def put(text, pause=0.0):
    """One write."""
    print(text, end="", flush=True)
    time.sleep(pause)


def full(name):
    """A line that ends in the last column."""
    return f"{name} {'.' * (os.get_terminal_size().columns - len(name) - 2)}W"


def margin(moment, pause):
    for name, sequence in MARGIN.items():
        # xterm 379 keeps the wrap at EL 1 if it has scrolled in the same turn, and otherwise ends it.
        put(f"[{moment}, {name}]\n{full(name)}", max(pause, 0.1) if name == "EL 1" else pause)
        # The carriage return shows in which row the text ends.
        put(f"{sequence}XYZ\r>\n", pause)
    # The first line ends with the match, in the last column.
    for name, rest in [("grep", ""), ("grep in a longer line", "ABC")]:
        put(f"[{moment}, {name}]\n")
        subprocess.run(["grep", "--color=always", "\\.*W"], input=f"{full(name)}{rest}\n", text=True)


def clusters(moment, pause):
    for name, cluster in CLUSTERS.items():
        put(f"[{moment}, {name}]\n{name} {cluster}", pause)
        put(f"|{cluster}{cluster}|", pause)
        put("XYZ\n", pause)


def end():
    """The cursor's row and the size as the terminal reports them, on a line of their own."""
    print("the end", end="", flush=True)
    state = termios.tcgetattr(0)
    tty.setraw(0)
    termios.tcflush(0, termios.TCIFLUSH)
    os.write(1, b"\x1b[6n")
    answer = b""
    while not (match := re.search(rb"\x1b\[(\d+);(\d+)R", answer)) and select.select([0], [], [], 3)[0]:
        answer += os.read(0, 100)
    termios.tcsetattr(0, termios.TCSANOW, state)
    size = os.get_terminal_size()
    with open(f"{folder}/cursor", "w") as file:
        file.write(f"{match[1].decode() if match else 0} {size.lines} {size.columns}")
    wait("end")


def screen():
    """A full-screen program: it draws all rows at each change of its size, and nothing at other times."""

    def draw(*_):
        size = os.get_terminal_size()
        rows = [f"row {row} of {size.lines}, {size.columns} columns" for row in range(1, size.lines + 1)]
        os.write(1, ("\x1b[H\x1b[2J" + "\r\n".join(rows)).encode())

    os.write(1, b"\x1b[?1049h")
    signal.signal(signal.SIGWINCH, draw)
    draw()
    wait("screen")
    os.write(1, b"\x1b[?1049l")


if part == "scroll":
    lines(range(1, 101))
    wait("offline")
    lines(range(101, 161), 0.02)
    lines(range(161, 201))
    wait("online")
    lines(range(201, 251), 0.05)
    wait("hidden")
    lines(range(251, 301))
elif part == "wraps":
    lines(range(1, 31), width=300)
    wait("offline")
    lines(range(31, 71), 0.04, width=300)
    wait("hidden")
    lines(range(71, 81), width=300)
elif part == "text":
    for number in range(1, 91):
        if number in (31, 61):
            wait("offline" if number == 31 else "hidden")
        print(f"line {number}\t\x1b[1;3{number % 8}m日本\x1b[0m e\u0301 \x1b]8;;https://example.com/{number}\x1b\\link\x1b]8;;\x1b\\"
              f"\t{'語' * (number % 60)}", flush=True)
        time.sleep(0.02)
elif part in ("before", "left", "prompt"):
    lines(range(1, 101), width=70)
    if part == "left":
        screen()
    reach("prompt")
    subprocess.run(["bash", "--norc", "--noprofile"])
elif part == "print":
    reach("print")
    lines(range(1, 501), 0.012, width=40)
    wait("printed")
elif part == "columns":
    # DECCOLM: xterm changes its width by itself, and other terminals ignore it.
    wait("offline")
    for width, final in [(132, "h"), (80, "l"), (132, "h")]:
        print(f"\x1b[?40h\x1b[?3{final}\x1b[H", end="", flush=True)
        for row in range(1, 19):
            print(f"row {row} {'-' * (width - 10)}|", end="\r\n", flush=True)
        time.sleep(1.5)
    wait("columns")
elif part in ("margin", "clusters"):
    show = margin if part == "margin" else clusters
    show("before", 0)
    wait("offline")
    # Each pause is long enough for the banner to return while a wrap is pending.
    show("slow", 0.12)
    show("fast", 0)
    wait("hidden")
    show("after", 0)
elif part == "pending":
    for name in PENDING + list(CLUSTERS)[:3]:
        begin, rest = (full(name), MARGIN[name]) if name in MARGIN else (f"{name} {CLUSTERS[name]}", "|")
        for moment in ["offline", "hidden"]:
            put(f"[{moment}, {name}]\n{begin}")
            wait(f"{moment} {name}")
            put(f"{rest}XYZ\r>\n")
elif part == "screen":
    lines(range(1, 101), width=70)
    screen()
end()
