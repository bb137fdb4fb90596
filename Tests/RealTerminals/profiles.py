"""Starts terminals with the settings of the guide's page on profiles: profiles.py OVERLINE

In each, the shell must run in a window, and `cd` must move the window's own directory, from which the terminal opens a new tab.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from network import Network, configure, isolated
from terminals import Alacritty, Foot, Kitty, XTerm, wait

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/OverlineCLI/OverlineCLI.docc/Guide/EveryTerminal.md")


def setting(terminal):
    """The code of the last column in the terminal's row of the page."""
    with open(PAGE) as file:
        row = next(line for line in file if line.startswith(f"| {terminal} "))
    return re.search(r"`([^`]+)`", row.split("|")[3]).group(1)


def write(folder, path, text):
    os.makedirs(os.path.dirname(f"{folder}/config/{path}"), exist_ok=True)
    with open(f"{folder}/config/{path}", "w") as file:
        file.write(text + "\n")


class ProfileKitty(Kitty):
    row = "kitty"

    def command(self):
        write(self.folder, "kitty/kitty.conf", setting(self.row))
        return ["kitty"]


class ProfileAlacritty(Alacritty):
    row = "Alacritty 0.12 or older"

    def command(self):
        write(self.folder, "alacritty/alacritty.yml", setting(self.row))
        return ["alacritty"]


class ProfileXTerm(XTerm):
    row = "xterm"

    def command(self):
        return shlex.split(setting(self.row))


class ProfileFoot(Foot):
    row = "foot"

    def start(self, command):
        write(self.folder, "foot/foot.ini", "[main]\n" + setting(self.row))
        self.process = self.spawn("foot")


def main():
    network = Network()
    binary = os.path.dirname(os.path.abspath(sys.argv[1]))
    for kind in [ProfileKitty, ProfileAlacritty, ProfileFoot, ProfileXTerm]:
        folder = tempfile.mkdtemp(prefix="profiles")
        os.chmod(folder, 0o700)
        os.mkdir(f"{folder}/work")
        configure(folder)
        terminal = kind(folder)
        terminal.environment["PATH"] = f"{binary}:{terminal.environment['PATH']}"
        # The shell answers through a file, since each terminal shows its screen in another way.
        # Alacritty changes HOME, and xterm changes a SHELL that /etc/shells does not have: so both lead to the file.
        with open(f"{folder}/.bashrc", "w") as file:
            file.write(f"cd {folder}/work; echo $PPID > {folder}/parent\n")
        with open(f"{folder}/shell", "w") as file:
            file.write(f"#!/bin/sh\nexec bash --rcfile {folder}/.bashrc\n")
        os.chmod(f"{folder}/shell", 0o755)
        shutil.copy(f"{folder}/.bashrc", f"{folder}/.bash_profile")
        terminal.environment["SHELL"] = f"{folder}/shell"

        def content(name):
            return open(f"{folder}/{name}").read().strip() if os.path.exists(f"{folder}/{name}") else ""

        try:
            terminal.open()
            terminal.start([])
            helper = wait(lambda: content("parent"), f"{kind.row}: the shell")
            program = os.readlink(f"/proc/{helper}/exe")
            assert program == os.path.realpath(sys.argv[1]), program
            # The window's helper is the shell's parent; the terminal started the window.
            with open(f"/proc/{helper}/status") as file:
                window = re.search(r"PPid:\s+(\d+)", file.read()).group(1)
            wait(lambda: os.readlink(f"/proc/{window}/cwd") == f"{folder}/work", f"{kind.row}: the window in the shell's directory")
            print(f"{kind.row}: {setting(kind.row)}")
        finally:
            terminal.close()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main()
    else:
        sys.exit(subprocess.run(isolated(sys.executable, "-B", __file__, sys.argv[1], "--isolated")).returncode)
