"""Neovim below a banner, in a terminal with resize reports (mode 2048): neovim.py OVERLINE NVIM

Neovim asks for the reports, and must get one whenever the banner comes or goes. It is compared with what it reports itself.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from network import Network, configure, isolated
from terminals import COLUMNS, FOLDER, ROWS, Tmux, wait


def main():
    overline, neovim = (os.path.abspath(path) for path in sys.argv[1:3])
    folder = tempfile.mkdtemp(prefix="neovim")
    os.chmod(folder, 0o700)
    configure(folder)
    network = Network()
    terminal = Tmux(folder)
    terminal.open()
    terminal.environment["TERM"] = "xterm-256color"
    sizes = f"{folder}/sizes"
    with open(f"{folder}/lines", "w") as file:
        file.writelines(f"line {number}\n" for number in range(1, 201))

    def reports(lines, columns=COLUMNS):
        wait(lambda: os.path.exists(sizes) and open(sizes).read().splitlines()[-1:] == [f"{lines} {columns}"], f"{lines} lines")
        shown = terminal.text().splitlines()
        offline = lines < terminal.size()[1] // 15
        assert ("No connection" in shown[0]) == offline, shown
        # Neovim draws its last screen line, with the cursor's place, in the terminal's last row.
        wait(lambda: "200" in terminal.text().splitlines()[-1], "the ruler in the last row")
        print(f"Neovim has {lines} lines and {columns} columns, {'below the banner' if offline else 'without a banner'}")

    try:
        # Without signals, Neovim learns a size only from a report.
        remember = f'autocmd VimEnter,VimResized * call writefile([&lines .. " " .. &columns], "{sizes}", "a")'
        terminal.start([
            "env", "TERM=xterm-256color", sys.executable, "-B", f"{FOLDER}/reports.py", overline, "run", "--", neovim, "-n", "--clean",
            "--cmd", remember, "+set laststatus=0 ruler", "+$", f"{folder}/lines"])
        reports(ROWS)
        network.set("down")
        reports(ROWS - 1)
        terminal.resize(90 * 7, 30 * 15)
        reports(29, 90)
        network.set("up")
        reports(30, 90)
    finally:
        terminal.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        main()
    else:
        sys.exit(subprocess.run(isolated(sys.executable, "-B", __file__, *sys.argv[1:3], "--isolated")).returncode)
