#!/usr/bin/env python3
"""Draws the README's picture from a real screen: a tmux pane while its network is away.

usage: picture.py OVERLINE > banner.svg   (in a network namespace of its own: unshare --map-root-user --net)
"""
import html, os, re, subprocess, sys, tempfile, time

COLUMNS, ROWS, CELL, LINE = 72, 12, 8.4, 18
PALETTE = ["#1d1f21", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#c5c8c6"]


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def wait(what, condition):
    deadline = time.monotonic() + 10
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"picture: waited in vain for {what}")
        time.sleep(0.02)


def screen(overline):
    """The cells of a client's screen, with colours, while the banner shows."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"PATH": os.environ["PATH"], "TERM": "tmux-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
               "HOME": "/", "SHELL": "/bin/sh", "PS1": "$ ", "XDG_RUNTIME_DIR": folder, "XDG_CONFIG_HOME": folder}
        inner, outer = f"{folder}/inner", f"{folder}/outer"
        tmux = lambda socket, *words: run("tmux", "-u", "-S", socket, "-f", "/dev/null", *words, env=env)
        for line in ("link set lo up", "link add eth0 type veth peer name far", "link set far up", "link set eth0 up",
                     "addr add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1"):
            run("ip", *line.split())
        tmux(inner, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "sh")
        for option in ("status-position top", "status-right ", "status-left  work ", "status-style bg=#303336,fg=#c5c8c6",
                       "window-status-current-style bold", "automatic-rename off"):
            name, _, value = option.partition(" ")
            tmux(inner, "set", "-g", name, value)
        tmux(inner, "rename-window", "build")
        tmux(outer, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), f"env -u TMUX tmux -u -S {inner} attach")
        tmux(outer, "set", "-g", "status", "off")
        tmux(outer, "set", "-ga", "terminal-overrides", ",*:Tc")
        tmux(inner, "set", "-ga", "terminal-overrides", ",*:Tc")
        monitor = subprocess.Popen([overline, "monitor", "-q"], env=env)
        try:
            wait("the monitor", lambda: os.path.exists(f"{folder}/overline/state"))
            run(overline, "tmux", "attach", "--server", inner, env=env)
            tmux(inner, "send-keys", "clear; printf 'swift build\\nCompiling Overline\\nBuild complete! (4.21s)\\n'", "Enter")
            wait("the program", lambda: "complete" in tmux(outer, "capture-pane", "-p").split("$")[-2])
            run("ip", "link", "set", "far", "down")
            wait("the banner", lambda: "No connection" in tmux(outer, "capture-pane", "-p"))
            # The last frame of the fade has the banner's own colour.
            wait("the end of the fade", lambda: "179;38;30" in tmux(outer, "capture-pane", "-pe")
                 or "48;5;124" in tmux(outer, "capture-pane", "-pe"))
            return tmux(outer, "capture-pane", "-peN").split("\n")[:ROWS]
        finally:
            monitor.terminate()
            monitor.wait()
            for socket in (outer, inner):
                subprocess.run(["tmux", "-S", socket, "kill-server"], capture_output=True)


def color(parameters):
    if parameters[0] == 2:
        return "#%02x%02x%02x" % tuple(parameters[1:4]), 4
    index = parameters[1]
    if index < 16:
        return PALETTE[index % 8], 2
    if index > 231:
        level = 8 + 10 * (index - 232)
        return "#%02x%02x%02x" % (level, level, level), 2
    levels = [0, 95, 135, 175, 215, 255]
    cube = index - 16
    return "#%02x%02x%02x" % (levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6]), 2


def runs(row, style):
    """Text with its style; a row begins with the style that the row before it ended with."""
    for escape, text in re.findall(r"\x1b\[([0-9;:]*)m|([^\x1b]+)", row):
        if text:
            yield text, dict(style)
            continue
        numbers = [int(n or 0) for n in re.split("[;:]", escape)] or [0]
        while numbers:
            number = numbers.pop(0)
            if number == 0: style.clear()
            elif number == 1: style["bold"] = True
            elif number == 2: style["dim"] = True
            elif number == 22: style.pop("bold", None); style.pop("dim", None)
            elif number in (38, 48):
                value, used = color(numbers)
                style["fg" if number == 38 else "bg"] = value
                numbers = numbers[used:]
            elif 30 <= number <= 37: style["fg"] = PALETTE[number - 30]
            elif 40 <= number <= 47: style["bg"] = PALETTE[number - 40]
            elif number == 39: style.pop("fg", None)
            elif number == 49: style.pop("bg", None)


def svg(rows):
    width, height = COLUMNS * CELL + 24, ROWS * LINE + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
             f'<rect width="100%" height="100%" rx="8" fill="{PALETTE[0]}"/>',
             '<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">']
    style = {}
    for index, row in enumerate(rows):
        y, column = 12 + index * LINE, 0
        for text, look in runs(row, style):
            x, length = 12 + column * CELL, len(text) * CELL
            if "bg" in look:
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{LINE}" fill="{look["bg"]}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if look.get("bold") else ""
                faint = ' opacity="0.8"' if look.get("dim") else ""
                parts.append(f'<text x="{x:.1f}" y="{y + 13.5}" textLength="{length:.1f}"{weight}{faint} '
                             f'fill="{look.get("fg", PALETTE[7])}">{html.escape(text)}</text>')
            column += len(text)
    return "\n".join(parts + ["</g>", "</svg>", ""])


sys.stdout.write(svg(screen(os.path.abspath(sys.argv[1]))))
