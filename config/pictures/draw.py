#!/usr/bin/env python3
"""Draws the pictures of the README and the guide from real screens: tmux, windows around programs, a bar, and what
commands print.

usage: draw.py OVERLINE [PICTURE…]   (in a network namespace of its own: unshare --map-root-user --net)

Each screen is a pane of a tmux server, which tells what is on it, colours included. A film is many of them.
"""
import contextlib, os, subprocess, sys, tempfile, threading, time

import svg
from remote import Remote, run

MINUTE, DAY = 60_000, 86_400_000


def wait(what, condition):
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"draw: waited in vain for {what}")
        time.sleep(0.02)


class Scene:
    """A terminal, and a folder for whatever runs in it."""

    def __init__(self, overline, remote, folder, columns, rows):
        self.overline, self.remote, self.folder, self.columns, self.rows = overline, remote, folder, columns, rows
        self.frames = []
        self.env = {"PATH": f"{folder}/bin:{os.path.dirname(overline)}:{os.environ['PATH']}", "TERM": "tmux-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
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

    def settle(self):
        """Waits until nothing moves any more."""
        screens = []

        def is_still():
            screens.append(self.tmux("terminal", "capture-pane", "-peN"))
            time.sleep(0.4)
            return len(screens) > 1 and screens[-1] == screens[-2]
        wait("a still screen", is_still)

    def type(self, text):
        for character in text:
            # A semicolon alone would separate commands of tmux.
            self.tmux("terminal", "send-keys", "-l", character.replace(";", "\\;"))
            time.sleep(0.05)

    def enter(self, text):
        self.type(text)
        self.tmux("terminal", "send-keys", "Enter")

    @contextlib.contextmanager
    def film(self):
        """Records what shows from now on."""
        is_over = threading.Event()

        def record():
            shown, since = None, time.monotonic()
            while not is_over.is_set():
                cursor, screen = self.tmux("terminal", "display", "-p", "#{cursor_x} #{cursor_y}", ";", "capture-pane",
                                           "-peN").split("\n", 1)
                now = time.monotonic()
                if (cursor, screen) != shown:
                    if shown:
                        self.frames.append((now - since, shown))
                    shown, since = (cursor, screen), now
                time.sleep(0.03)
            self.frames.append((time.monotonic() - since, shown))
        recorder = threading.Thread(target=record)
        recorder.start()
        try:
            yield
        finally:
            is_over.set()
            recorder.join()

    def picture(self):
        if not self.frames:
            return svg.draw(self.tmux("terminal", "capture-pane", "-peN").split("\n")[:self.rows], self.columns)
        frames = [(length, screen.split("\n")[:self.rows], tuple(int(n) for n in cursor.split()))
                  for length, (cursor, screen) in self.frames]
        still = max((number for number, frame in enumerate(frames) if self.still in "".join(frame[1])), default=0)
        return svg.draw_film(frames, self.columns, still)

    def end(self):
        """Ends what runs in the panes, and waits for it: until then it may write into the folder."""
        for server in reversed(self.servers):
            pids = self.tmux(server, "list-panes", "-a", "-F", "#{pane_pid}").split()
            self.tmux(server, "kill-server")
            wait("the end of a pane", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))


def offline(scene):
    """Pulls the cable; the last frame of the fade has the banner's own colour."""
    scene.remote.cable("down")
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


@contextlib.contextmanager
def secure_shell(scene):
    """A shell in a window, and an ssh to a computer on which a build can be started."""
    with open(f"{scene.folder}/build.sh", "w") as script:
        script.write("#!/bin/sh\ncount=0\nfor name in Cells Colours Frames Grid Margins Parser Rows Screen Tabs Titles Widths Wraps; do\n"
                     "  count=$((count + 1)); printf '[%2d/12] Compiling %s.swift\\n' $count $name; sleep 0.5\ndone\n")
    os.chmod(f"{scene.folder}/build.sh", 0o755)
    daemon = scene.remote.serve(scene.folder)
    try:
        scene.start("terminal", f"{scene.overline} run")
        scene.wait("$")
        with scene.film():
            time.sleep(0.5)
            scene.enter("ssh build")
            scene.wait("build:~$")
            time.sleep(0.5)
            yield
    finally:
        # The processes of each session leave the daemon's group.
        for pid in reversed(family(daemon.pid)):
            os.kill(pid, 9)
        daemon.wait()


def family(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [pid] + [each for child in file.read().split() for each in family(int(child))]


def train(scene):
    """The network goes, and comes back."""
    scene.still = "No connection"
    with secure_shell(scene):
        scene.enter("./build.sh")
        scene.wait("Frames")
        scene.remote.cable("down")
        scene.wait("No connection")
        time.sleep(2.4)
        scene.remote.cable("up")
        scene.wait("Back online")
        wait("the row given back", lambda: not scene.shows("Back online", "No connection"))
        scene.wait("Wraps")
        time.sleep(2)


def hanging(scene):
    """Nothing that the server sends or gets arrives, and the route stays."""
    scene.still = "last answer 6 s"
    with secure_shell(scene):
        scene.remote.silence()
        scene.type("./build.sh")
        scene.wait("last answer 7 s")
        scene.remote.wake()
        scene.wait("$ ./build.sh")
        wait("the row given back", lambda: not scene.shows("last answer"))
        scene.tmux("terminal", "send-keys", "Enter")
        scene.wait("Frames")
        time.sleep(1)


def shell(scene, free):
    scene.start("terminal", f"{scene.overline} run")
    scene.wait("$")
    # What shows above it covers no word of the command.
    scene.enter("; ".join(["clear"] + free * ["echo"]))
    wait("a clear screen", lambda: not scene.shows("clear"))


def toast(scene):
    shell(scene, free=5)
    scene.enter("overline toast 'Build complete' --message '4.21 s, no warnings' --style success --duration 0")
    scene.settle()


def alert(scene):
    shell(scene, free=0)
    scene.enter("overline alert 'Deploy to production?' --message '3 commits' --button Deploy --button Cancel")
    scene.wait("3 commits")
    scene.settle()


def demo(scene):
    scene.still = "No connection"
    scene.start("terminal", "sh")
    scene.wait("$")
    with scene.film():
        scene.enter("overline demo")
        scene.wait("No connection")
        wait("the row given back", lambda: not scene.shows("Back online", "No connection"))
        time.sleep(1)


def doctor(scene):
    """As a user of Debian's kernel with a session: what depends on this machine would differ in each picture."""
    with open(f"{scene.folder}/osrelease", "w") as file:
        file.write("6.1.0-41-amd64\n")
    with open(f"{scene.folder}/session", "w") as script:
        script.write(f"mount --bind {scene.folder}/osrelease /proc/sys/kernel/osrelease && mount -t tmpfs none /run &&\n"
                     f"mkdir -p /run/user/1000 && mount --bind {scene.folder} /run/user/1000 &&\n"
                     "XDG_RUNTIME_DIR=/run/user/1000 exec unshare --user --map-user=1000 --map-group=1000 sh\n")
    scene.start("terminal", f"unshare --mount sh {scene.folder}/session")
    scene.wait("$")
    scene.enter("clear; overline doctor")
    scene.wait("prompt")
    scene.settle()


def dashboard(scene):
    """The library's example, on a machine with a cable to the office and no route to the lab."""
    for line in ("link add eth1 type veth peer name office", "link set office up", "link set eth1 up", "addr add 10.20.0.2/16 dev eth1",
                 "route add unreachable 10.30.0.0/16"):
        run("ip", *line.split())
    program = f"{os.path.dirname(scene.overline)}/OverlineDashboardExample"
    scene.start("terminal", f"{program} office=10.20.0.0/16 lab=10.30.0.0/16")
    scene.wait("is reachable via eth1")
    seconds = lambda: scene.tmux("terminal", "capture-pane", "-p").split("lab", 1)[-1].count("■")
    wait("a quarter of a minute", lambda: seconds() >= 15)
    offline(scene)
    wait("more seconds", lambda: seconds() >= 24)


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


PICTURES = {"banner": (banner, 72, 12), "train": (train, 64, 12), "hanging": (hanging, 64, 12), "vim": (vim, 72, 12), "bar": (bar, 72, 3),
            "toast": (toast, 98, 10), "alert": (alert, 98, 13), "demo": (demo, 72, 12), "doctor": (doctor, 98, 21),
            "dashboard": (dashboard, 72, 12), "history": (history, 98, 25)}


def draw(overline, remote, names):
    for name in names or PICTURES:
        play, columns, rows = PICTURES[name]
        remote.cable("up")
        with tempfile.TemporaryDirectory() as folder:
            scene = Scene(overline, remote, folder, columns, rows)
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


def main(overline, *names):
    remote = Remote()
    try:
        draw(overline, remote, names)
    finally:
        remote.end()


main(os.path.abspath(sys.argv[1]), *sys.argv[2:])
