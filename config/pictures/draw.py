#!/usr/bin/env python3
"""Draws the README's pictures from real screens: tmux, a window around vim, a bar and the history.

usage: draw.py OVERLINE   (in a network namespace of its own: unshare --map-root-user --net)

Each screen is a pane of a tmux server, which tells what is on it, colours included.
"""
import os, subprocess, sys, tempfile, time

import svg

MINUTE, DAY = 60_000, 86_400_000


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def wait(what, condition):
    deadline = time.monotonic() + 10
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"draw: waited in vain for {what}")
        time.sleep(0.02)


class Scene:
    """A terminal, and a folder for whatever runs in it."""

    def __init__(self, overline, folder, columns, rows):
        self.overline, self.folder, self.columns, self.rows = overline, folder, columns, rows
        self.env = {"PATH": os.environ["PATH"], "TERM": "tmux-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
                    "HOME": folder, "SHELL": "/bin/sh", "PS1": "$ ", "TZ": "UTC", "XDG_RUNTIME_DIR": folder,
                    "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder}
        self.servers = []

    def tmux(self, server, *words):
        return run("tmux", "-u", "-S", f"{self.folder}/{server}", "-f", "/dev/null", *words, env=self.env)

    def start(self, server, command):
        """A server with one pane and nothing around it."""
        self.servers.append(server)
        self.tmux(server, "new-session", "-d", "-x", str(self.columns), "-y", str(self.rows), f"env -u TMUX {command}")
        self.tmux(server, "set", "-ga", "terminal-overrides", ",*:Tc")
        self.tmux(server, "set", "-g", "status", "off")

    def shows(self, *words, colors=False):
        text = self.tmux("terminal", "capture-pane", "-pe" if colors else "-p")
        return any(word in text for word in words)

    def wait(self, *words, colors=False):
        wait(" or ".join(words), lambda: self.shows(*words, colors=colors))

    def picture(self):
        return svg.draw(self.tmux("terminal", "capture-pane", "-peN").split("\n")[:self.rows], self.columns)

    def end(self):
        """Ends what runs in the panes, and waits for it: until then it may write into the folder."""
        for server in reversed(self.servers):
            pids = self.tmux(server, "list-panes", "-a", "-F", "#{pane_pid}").split()
            self.tmux(server, "kill-server")
            wait("the end of a pane", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))


def cable(state):
    run("ip", "link", "set", "far", state)


def offline(scene):
    """Pulls the cable; the last frame of the fade has the banner's own colour."""
    cable("down")
    scene.wait("No connection")
    scene.wait("179;38;30", "48;5;124", colors=True)


def banner(scene):
    scene.start("inner", "sh")
    for option in ("status on", "status-position top", "status-right ", "status-left  work ", "automatic-rename off",
                   "status-style bg=#303336,fg=#c5c8c6", "window-status-current-style bold"):
        scene.tmux("inner", "set", "-g", *option.split(" ", 1))
    scene.tmux("inner", "rename-window", "build")
    scene.start("terminal", f"tmux -u -S {scene.folder}/inner attach")
    run(scene.overline, "tmux", "attach", "--server", f"{scene.folder}/inner", env=scene.env)
    scene.tmux("inner", "send-keys", "clear; printf 'swift build\\nCompiling Overline\\nBuild complete! (4.21s)\\n'", "Enter")
    wait("the program", lambda: "complete" in "".join(scene.tmux("terminal", "capture-pane", "-p").split("$")[-2:-1]))
    offline(scene)


def vim(scene):
    with open(f"{scene.folder}/notes.md", "w") as notes:
        notes.write("# Before the train leaves\n\n- charge the laptop\n- `git fetch` while there is a network\n"
                    "- write the tests for **retrying**\n- buy apples\n")
    settings = "syntax on | set number ruler laststatus=2 noshowcmd | highlight LineNr ctermfg=8 | normal 5G"
    scene.start("terminal", f"sh -c 'cd {scene.folder}; exec {scene.overline} run -- vim -nNu NONE -c \"{settings}\" notes.md'")
    scene.wait("apples")
    offline(scene)
    scene.wait("notes.md")


def bar(scene):
    """The user's own status line as the bar, with what every bar gets: a line for each change."""
    scene.start("inner", "sh")
    for option in ("status on", "status-interval 1", "status-left ", "window-status-format ", "window-status-current-format ",
                   "status-style bg=#303336,fg=#c5c8c6", "status-right-length 60",
                   f"status-right #({scene.overline} status --format tmux)  cpu 12%  84%  Sat 21:04 "):
        scene.tmux("inner", "set", "-g", *option.split(" ", 1))
    scene.start("terminal", f"tmux -u -S {scene.folder}/inner attach")
    offline(scene)


def history(scene):
    """A month of a laptop that is used by day, on a network that is bad at times."""
    now = int(time.time() * 1000)
    lines = []
    for day in range(30, -1, -1):
        morning = now - now % DAY - day * DAY + 8 * 60 * MINUTE
        end = min(now - 2 * MINUTE, morning + 14 * 60 * MINUTE)
        outages = [(start, length) for start, length in
                   ((40 + 90 * number + day * 7 % 50, (1, 4, 25, 90, 0.3)[(day + number) % 5]) for number in range((3 * day + 2) % 4 // 2 * (1 + day % 2)))]
        events = [(morning, "online", [])]
        for start, length in outages:
            cause = ("no-carrier", "wlan0", "offline: default via 192.0.2.1 dev wlan0 has no carrier")
            events += [(morning + start * MINUTE, "offline", cause), (morning + int((start + length) * MINUTE), "online", [])]
        for when, event, cause in [e for e in events if e[0] < end] + [(end, "end", [])]:
            if end > morning:
                clock = str(when - morning + 1)
                lines.append("\t".join(["1", event, f"{1000 + day}-1-0a1b2c3d", str(when), clock, clock, *cause, "."]))
    os.makedirs(f"{scene.folder}/overline", exist_ok=True)
    with open(f"{scene.folder}/overline/history", "w") as file:
        file.write("\n".join(lines) + "\n")
    scene.start("terminal", f"sh -c '{scene.overline} history --since 4d; read line'")
    scene.wait("Since")


def main(overline):
    for line in ("link set lo up", "link add eth0 type veth peer name far", "link set far up", "link set eth0 up",
                 "addr add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1"):
        run("ip", *line.split())
    for name, play, columns, rows in (("banner", banner, 72, 12), ("vim", vim, 72, 12), ("bar", bar, 72, 3),
                                      ("history", history, 98, 22)):
        cable("up")
        with tempfile.TemporaryDirectory() as folder:
            scene = Scene(overline, folder, columns, rows)
            monitor = subprocess.Popen([overline, "monitor", "-q"], env=dict(scene.env, XDG_STATE_HOME=f"{folder}/own"))
            try:
                wait("the monitor", lambda: os.path.exists(f"{folder}/overline/state"))
                play(scene)
                with open(f"{os.path.dirname(os.path.abspath(__file__))}/{name}.svg", "w") as file:
                    file.write(scene.picture())
            finally:
                monitor.terminate()
                monitor.wait()
                scene.end()


main(os.path.abspath(sys.argv[1]))
