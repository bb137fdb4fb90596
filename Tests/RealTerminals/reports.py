"""A terminal with resize reports (mode 2048) in front of one without: reports.py PROGRAM [ARGUMENT …]"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import tty

# A request for the mode's state (DECRQM), or the mode set or reset.
MODE = re.compile(rb"\x1b\[\?2048(\$p|[hl])")


def size():
    return struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8)))


def main():
    program, terminal = pty.fork()
    if program == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    isOn = False

    def report():
        rows, columns, _, _ = size()
        os.write(terminal, b"\x1b[48;%d;%d;%d;%dt" % (rows, columns, rows * 20, columns * 10))

    def resize(*_):
        if isOn:
            report()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size()))

    signal.signal(signal.SIGWINCH, resize)
    resize()
    modes = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        while True:
            ready = select.select([0, terminal], [], [])[0]
            if 0 in ready:
                os.write(terminal, os.read(0, 65536))
            if terminal in ready:
                try:
                    output = os.read(terminal, 65536)
                except OSError:
                    return
                for command in MODE.findall(output):
                    if command == b"$p":
                        os.write(terminal, b"\x1b[?2048;%d$y" % (1 if isOn else 2))
                    else:
                        isOn = command == b"h"
                        if isOn:
                            report()
                os.write(1, MODE.sub(b"", output))
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, modes)


main()
