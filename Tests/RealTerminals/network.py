"""The network of a test: a veth pair in a network namespace."""

import os
import subprocess

# The banner shows at once, and its rows are given back after a second.
CONFIGURATION = '[banner]\ngrace-delay = "0ms"\nhide-delay = "1s"\n'
HIDDEN = 2.5


def isolated(*command):
    """The command in a network namespace of its own; as an ordinary user also in a user namespace."""
    return ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "--net", *command]


def configure(folder):
    os.makedirs(f"{folder}/config/overline")
    with open(f"{folder}/config/overline/config.toml", "w") as file:
        file.write(CONFIGURATION)


class Network:
    """A veth pair in this process's network namespace. No router is there, and none is asked for."""

    def __init__(self):
        for command in [
            "link set lo up", "link add v0 type veth peer name p0", "addr add 192.0.2.2/24 dev v0", "link set v0 up arp off", "link set p0 up",
            "route add default via 192.0.2.1",
        ]:
            subprocess.run(["ip", *command.split()], check=True)

    def set(self, state):
        subprocess.run(["ip", "link", "set", "p0", state], check=True)
