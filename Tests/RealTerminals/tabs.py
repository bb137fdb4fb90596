"""The hook that colours kitty's tabs while the network is offline, run by a monitor: tabs.py OVERLINE"""

import os
import shutil
import subprocess
import sys
import tempfile

from network import Network, configure, isolated
from terminals import FOLDER, Kitty, wait

# #b3261e, as the framebuffer has it.
RED = bytes([0x1E, 0x26, 0xB3])


class TabKitty(Kitty):
    def command(self):
        return ["kitty", "-c", "NONE", "-o", "allow_remote_control=socket-only", "-o", "tab_bar_min_tabs=1",
                "-o", "listen_on=unix:" + self.folder + "/kitty-{kitty_pid}"]


def main():
    overline = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="tabs")
    os.chmod(folder, 0o700)
    configure(folder)
    hook = os.path.abspath(f"{FOLDER}/../../config/hooks/kitty.sh")
    with open(f"{folder}/config/overline/config.toml", "a") as file:
        file.write(f'[hooks]\non-offline = "{hook}"\non-online = "{hook}"\n')
    network = Network()
    terminal = TabKitty(folder)
    monitor = None

    def red():
        with open(f"{folder}/Xvfb_screen0", "rb") as file:
            return file.read().count(RED)

    try:
        terminal.open()
        terminal.start(["cat"])
        wait(lambda: any(name.startswith("kitty-") for name in os.listdir(folder)), "kitty's socket")
        environment = dict(terminal.environment, XDG_RUNTIME_DIR=folder, XDG_CONFIG_HOME=f"{folder}/config", XDG_STATE_HOME=folder)
        monitor = subprocess.Popen([overline, "monitor", "--quiet"], env=environment)
        wait(lambda: os.path.exists(f"{folder}/overline/state"), "the monitor")
        assert red() < 50, red()
        network.set("down")
        wait(lambda: red() > 200, "the tab's colour")
        network.set("up")
        wait(lambda: red() < 50, "the tab's own colour")
        print("kitty's tabs follow the network")
    finally:
        if monitor:
            monitor.terminate()
            monitor.wait()
        terminal.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main()
    else:
        sys.exit(subprocess.run(isolated(sys.executable, "-B", __file__, sys.argv[1], "--isolated")).returncode)
