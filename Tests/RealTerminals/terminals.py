"""Terminals that the matrix starts, resizes and reads: each in an Xvfb of its own (foot in Weston, in Xvfb; tmux in neither)."""

import os
import signal
import struct
import subprocess
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
FONT = "DejaVu Sans Mono"
COLUMNS, ROWS = 80, 24
# Seconds after an action in which the window manager and the terminal finish it.
PAUSE = 0.6


def wait(condition, what, seconds=20):
    """Waits until `condition()` is true."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)
    return value


class Terminal:
    """A terminal emulator in an X server of its own."""

    screen = "1300x860x24"
    shortcut = []

    def __init__(self, folder):
        self.folder = folder
        self.file = f"{folder}/dump"
        self.processes = []
        self.environment = dict(os.environ)
        for name in ["TMUX", "OVERLINE_SOCKET", "OVERLINE_WINDOW", "TERM", "COLUMNS", "LINES", "WAYLAND_DISPLAY"]:
            self.environment.pop(name, None)
        self.environment.update(
            HOME=folder, XDG_RUNTIME_DIR=folder, XDG_CONFIG_HOME=f"{folder}/config", XDG_STATE_HOME=folder,
            LANG="C.UTF-8", LC_ALL="C.UTF-8", LIBGL_ALWAYS_SOFTWARE="1", NO_AT_BRIDGE="1", SHELL="/bin/bash", PS1="$ ")

    def spawn(self, *command, keeping=()):
        log = open(f"{self.folder}/log", "a")
        process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            pass_fds=keeping)
        self.processes.append(process)
        return process

    def x(self, *arguments):
        return subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True).stdout.strip()

    def open(self):
        # A number of this process: servers of the same number would remove each other's compiled keyboard and end.
        self.environment["DISPLAY"] = f":{os.getpid() % 50000 + 100}"
        reading, writing = os.pipe()
        # A server resets when its last client leaves, and then drops a client that connects: xprop's end would end openbox.
        self.spawn(
            "Xvfb", self.environment["DISPLAY"], "-displayfd", str(writing), "-screen", "0", self.screen, "-nolisten", "tcp", "-noreset",
            "-fbdir", self.folder, keeping=[writing])
        os.close(writing)
        # Xvfb writes its number once it is ready.
        with open(reading) as numbers:
            if not numbers.readline():
                raise TimeoutError("Xvfb")
        self.spawn("openbox")
        wait(lambda: "_NET_SUPPORTING_WM_CHECK(WINDOW)" in self.output("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "openbox")

    def output(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def start(self, command):
        """Starts the terminal with a program in it, and waits for its window."""
        self.process = self.spawn(*self.command(), *command)
        self.window = wait(self.active, "the terminal's window")
        time.sleep(PAUSE)
        self.x("windowmove", self.window, "20", "20")

    def active(self):
        """The active window. The window manager names an ended one for a moment."""
        window = self.x("getactivewindow")
        return window if self.x("getwindowgeometry", window) else None

    def end(self):
        """Ends the program's terminal, and keeps the X server."""
        self.kill(self.process)
        wait(lambda: not self.x("getwindowgeometry", self.window), "the window's end")

    def kill(self, process, first=signal.SIGHUP):
        for number in [first, signal.SIGKILL]:
            try:
                os.killpg(process.pid, number)
                process.wait(2)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass

    def close(self):
        for process in reversed(self.processes):
            self.kill(process, signal.SIGTERM)

    def type(self, text):
        self.write(text)
        self.keys("Return")

    def write(self, text):
        self.x("type", "--delay", "8", text)

    def keys(self, *names):
        self.x("key", *names)

    def size(self):
        lines = dict(line.split("=") for line in self.x("getwindowgeometry", "--shell", self.window).splitlines())
        return int(lines["WIDTH"]), int(lines["HEIGHT"])

    def resize(self, width, height):
        """One step, in pixels."""
        self.x("windowsize", self.window, str(int(width)), str(int(height)))

    # The button of openbox that resizes with Alt, and the corner that it moves.
    modifier = "alt"

    def drag(self, *ways):
        """The corner moves by the given pixels, one after the other; the button stays down."""
        width, height = self.size()
        x, y = 20 + width - 30, 40 + height - 30
        self.x("mousemove", str(x), str(y))
        self.x("keydown", self.modifier, "mousedown", "3")
        for across, down in ways:
            self.move(x, y, across, down)
            x, y = x + across, y + down
        self.x("mouseup", "3", "keyup", self.modifier)
        time.sleep(PAUSE)

    def move(self, x, y, across, down):
        """The pointer moves in steps as a hand makes them."""
        for step in range(1, 26):
            self.x("mousemove", str(x + across * step // 25), str(y + down * step // 25))
            time.sleep(0.02)

    def text(self):
        """Scrollback and screen."""
        if os.path.exists(self.file):
            os.unlink(self.file)
        self.x("key", *self.shortcut)
        return self.written()

    def visible(self):
        """The alternate screen, perhaps below scrollback."""
        return self.text()

    def written(self):
        """The content of a file that the terminal writes in several steps."""
        size = [0, 0]

        def isComplete():
            time.sleep(0.25)
            size[:] = [size[1], os.path.getsize(self.file) if os.path.exists(self.file) else 0]
            return size[0] == size[1] > 0

        wait(isComplete, "the terminal's text")
        with open(self.file, errors="replace") as file:
            return file.read()


class XTerm(Terminal):
    package = "xterm"
    shortcut = ["ctrl+F12"]

    def command(self):
        return [
            "xterm", "-fa", FONT, "-fs", "9", "-geometry", f"{COLUMNS}x{ROWS}", "-sl", "5000",
            "-xrm", f"XTerm*printerCommand: cat > {self.file}", "-xrm", "XTerm*printAttributes: 0",
            "-xrm", "XTerm*VT100.translations: #override Ctrl<Key>F12: print-everything()\\n", "-e"]


class URxvt(Terminal):
    package = "rxvt-unicode"
    shortcut = ["shift+Print"]

    def command(self):
        return [
            "urxvt", "-geometry", f"{COLUMNS}x{ROWS}", "-fn", f"xft:{FONT}:size=9", "-sl", "5000", "-print-pipe", f"cat > {self.file}",
            "-e"]


class Kitty(Terminal):
    package = "kitty"

    def command(self):
        # A kitty that was killed leaves its socket, at which the next one cannot listen.
        if os.path.exists(f"{self.folder}/kitty"):
            os.unlink(f"{self.folder}/kitty")
        options = [
            "allow_remote_control=yes", "scrollback_lines=5000", f"initial_window_width={COLUMNS}c", f"initial_window_height={ROWS}c",
            "remember_window_size=no", "font_size=9", "shell_integration=disabled"]
        return ["kitty", "-c", "NONE", *[word for option in options for word in ("-o", option)], "--listen-on", f"unix:{self.folder}/kitty"]

    def text(self):
        return self.output("kitty", "@", "--to", f"unix:{self.folder}/kitty", "get-text", "--extent", "all")


class Alacritty(Terminal):
    package = "alacritty"

    def command(self):
        return ["alacritty", "-o", f"window.dimensions.columns={COLUMNS}", f"window.dimensions.lines={ROWS}", "font.size=7.0", "-e"]

    def text(self):
        # Its vi mode selects everything.
        for key in ["ctrl+shift+space", "g", "v", "shift+g", "shift+4", "y"]:
            self.x("key", key)
            time.sleep(0.15)
        self.x("key", "ctrl+shift+space")
        return self.output("xsel", "-b", "-o")


class VTE(Terminal):
    package = "libvte-2.91-0"

    def command(self):
        return ["/usr/bin/python3", f"{FOLDER}/vte.py", f"{self.folder}/vte", str(COLUMNS), str(ROWS), FONT]

    def text(self):
        if os.path.exists(self.file):
            os.unlink(self.file)
        with open(f"{self.folder}/vte", "w") as control:
            control.write(f"{self.file}\n")
        return self.written()


class Foot(Terminal):
    package = "foot"
    shortcut = ["ctrl+F12"]
    # The background, by which the script finds the window: a Wayland compositor tells no program where a window is.
    background = "d0f0e0"

    def open(self):
        super().open()
        with open(f"{self.folder}/foot.ini", "w") as file:
            file.write(
                f"[main]\nfont={FONT}:size=7\ninitial-window-size-chars={COLUMNS}x{ROWS}\n[scrollback]\nlines=5000\n"
                f"[colors]\nforeground=000000\nbackground={self.background}\n"
                f'[key-bindings]\npipe-scrollback=[sh -c "cat > {self.file}"] Control+F12\n'
                f'pipe-visible=[sh -c "cat > {self.file}"] Control+F10\nmaximize=Control+F11\n')
        with open(f"{self.folder}/weston.ini", "w") as file:
            file.write("[shell]\npanel-position=none\nanimation=none\nstartup-animation=none\n")
        self.spawn(
            "weston", f"--config={self.folder}/weston.ini", "--backend=x11-backend.so", "--width=1280", "--height=820", "--use-pixman",
            "--socket=wayland", "--idle-time=0")
        wait(lambda: os.path.exists(f"{self.folder}/wayland"), "Weston")
        self.environment["WAYLAND_DISPLAY"] = "wayland"
        self.window = wait(lambda: self.x("search", "--onlyvisible", "--class", "weston"), "the window of Weston").split()[-1]
        self.x("windowactivate", self.window)
        time.sleep(1)

    def start(self, command):
        self.process = self.spawn("foot", "-c", f"{self.folder}/foot.ini", *command)
        wait(self.place, "foot's window")
        time.sleep(PAUSE)
        # Weston chooses a place at random: move the window to where it can grow.
        left, top, right, bottom = self.place()
        self.pull("1", (left + right) // 2, (top + bottom) // 2, [(30 - left, 70 - top)])

    def place(self):
        """The edges of the window's content on the screen: the leftmost, topmost, rightmost and lowest pixel of its background."""
        with open(f"{self.folder}/Xvfb_screen0", "rb") as file:
            image = file.read()
        # The header of an xwd file.
        header = struct.unpack(">25I", image[:100])
        start, height, stride = header[0] + header[19] * 12, header[5], header[12]
        pixel = bytes.fromhex(self.background)[::-1]
        edges = []
        for row in range(height):
            line = image[start + row * stride:start + (row + 1) * stride]
            if (first := line.find(pixel)) >= 0:
                edges.append((first // 4, row, line.rfind(pixel) // 4))
        if len(edges) < 20:
            return None
        return min(edge[0] for edge in edges), edges[0][1], max(edge[2] for edge in edges), edges[-1][1]

    def pull(self, button, x, y, ways):
        """Moves (button 1) or resizes (3, at the nearest corner) what is below the pointer, as Weston does with the super key."""
        # Weston adds the pointer's movements up. It learns the pointer's place where the pointer enters its window.
        for place in [(0, 0), (x, y)]:
            self.x("mousemove", *map(str, place))
            time.sleep(0.1)
        for press in [["keydown", "super"], ["mousedown", button]]:
            self.x(*press)
            time.sleep(0.1)
        for across, down in ways:
            self.move(x, y, across, down)
            x, y = x + across, y + down
        self.x("mouseup", button, "keyup", "super")
        time.sleep(PAUSE)

    def end(self):
        self.kill(self.process)

    def visible(self):
        if os.path.exists(self.file):
            os.unlink(self.file)
        self.x("key", "ctrl+F10")
        return self.written()

    def size(self):
        left, top, right, bottom = self.place()
        return right - left, bottom - top

    def drag(self, *ways):
        _, _, right, bottom = self.place()
        self.pull("3", right - 30, bottom - 30, ways)

    def resize(self, width, height):
        self.x("key", "ctrl+F11")


class Tmux(Terminal):
    package = "tmux"

    def open(self):
        self.count = 0

    def tmux(self, *arguments):
        return self.output("tmux", "-S", self.socket, "-f", "/dev/null", *arguments)

    def start(self, command):
        # A server that ends still listens for a moment.
        self.count += 1
        self.socket = f"{self.folder}/tmux{self.count}"
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "env", "-u", "TMUX", *command)
        self.tmux("set", "-g", "history-limit", "5000", ";", "set", "-g", "status", "off", ";", "set", "-g", "window-size", "manual")
        self.tmux("resize-window", "-x", str(COLUMNS), "-y", str(ROWS))

    def end(self):
        self.tmux("kill-server")

    def close(self):
        self.end()

    def type(self, text):
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def size(self):
        return tuple(int(word) * factor for word, factor in zip(
            self.tmux("display", "-p", "#{window_width} #{window_height}").split(), (7, 15)))

    def resize(self, width, height):
        self.tmux("resize-window", "-x", str(int(width / 7)), "-y", str(int(height / 15)))

    def drag(self, *ways):
        width, height = self.size()
        for across, down in ways:
            for step in range(1, 13):
                self.resize(width + across * step / 12, height + down * step / 12)
                time.sleep(0.03)
            width, height = width + across, height + down

    def text(self):
        return self.tmux("capture-pane", "-p", "-J", "-S", "-")


TERMINALS = {
    "xterm": XTerm, "urxvt": URxvt, "kitty": Kitty, "alacritty": Alacritty, "foot": Foot, "vte": VTE, "tmux": Tmux,
}
