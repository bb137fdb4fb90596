"""kitty's shell integration in a shell whose startup file starts a window: integration.py OVERLINE

kitty marks the output of each command, which only a shell with its integration tells it.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from network import configure, isolated
from terminals import FOLDER, Kitty, wait

LINES = {
    "bash": (".bashrc", "[[ ! -e {0} ]] || source {0}"),
    "zsh": (".zshrc", "[[ ! -e {0} ]] || source {0}"),
    "fish": ("config/fish/config.fish", "test ! -e {0}; or source {0}"),
}


class IntegratedKitty(Kitty):
    def command(self):
        return [word.replace("shell_integration=disabled", "shell_integration=enabled") for word in super().command()]

    def last(self):
        return self.output("kitty", "@", "--to", f"unix:{self.folder}/kitty", "get-text", "--extent", "last_cmd_output")


def main():
    for shell, (file, line) in LINES.items():
        folder = tempfile.mkdtemp(prefix="integration")
        os.chmod(folder, 0o700)
        configure(folder)
        share = f"{folder}/.local/share/overline"
        shutil.copytree(f"{FOLDER}/../../config/startup", f"{share}/startup")
        os.makedirs(f"{folder}/.local/bin")
        os.symlink(os.path.abspath(sys.argv[1]), f"{folder}/.local/bin/overline")
        os.makedirs(os.path.dirname(f"{folder}/{file}"), exist_ok=True)
        with open(f"{folder}/{file}", "w") as text:
            text.write(line.format(f"{share}/startup/window.{shell}") + "\n")
        terminal = IntegratedKitty(folder)
        terminal.environment["SHELL"] = shutil.which(shell)
        try:
            terminal.open()
            terminal.start([shell])
            window = f"{folder}/window"

            def isInside():
                terminal.type(f"echo $OVERLINE_WINDOW >{window}")
                return os.path.exists(window) and open(window).read().strip()

            wait(isInside, f"{shell}: the window")
            terminal.type("seq 3")
            wait(lambda: terminal.last().split() == ["1", "2", "3"], f"{shell}: the output of the last command")
            print(f"kitty's integration is in {shell}")
        finally:
            terminal.close()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main()
    else:
        sys.exit(subprocess.run(isolated(sys.executable, "-B", __file__, sys.argv[1], "--isolated")).returncode)
