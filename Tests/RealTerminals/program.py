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
elif part == "screen":
    lines(range(1, 101), width=70)
    screen()
end()
