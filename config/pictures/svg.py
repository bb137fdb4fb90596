"""Draws the rows of a terminal, as `tmux capture-pane -peN` gives them, as SVG: one screen, or a film of many.

The terminal's own colours follow the reader's: a dark or a light terminal.
"""
import html, re

CELL, LINE, EDGE = 8.4, 18, 12
DARK = ["#1d1f21", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#c5c8c6",
        "#969896", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#ffffff"]
LIGHT = ["#fafafa", "#c82829", "#5a6f00", "#8a6100", "#3465a4", "#8b3fa8", "#2f7a86", "#383a42",
         "#7c7d83", "#c82829", "#5a6f00", "#8a6100", "#3465a4", "#8b3fa8", "#2f7a86", "#1d1f21"]
BACK, FRONT = 0, 7


def styles():
    """The terminal's colours as classes."""
    def rules(palette):
        return "".join(f".c{index}{{fill:{color}}}.s{index}{{stroke:{color}}}" for index, color in enumerate(palette))
    return f"{rules(DARK)}@media (prefers-color-scheme:light){{{rules(LIGHT)}.edge{{stroke:#d0d7de}}}}"


def color(parameters):
    if parameters[0] == 2:
        return "#%02x%02x%02x" % tuple(parameters[1:4]), 4
    index = parameters[1]
    if index < 16:
        return index, 2
    if index > 231:
        level = 8 + 10 * (index - 232)
        return "#%02x%02x%02x" % (level, level, level), 2
    levels = [0, 95, 135, 175, 215, 255]
    cube = index - 16
    return "#%02x%02x%02x" % (levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6]), 2


def fill(color):
    """A colour of the terminal is a class, any other is itself."""
    return f'class="c{color}"' if isinstance(color, int) else f'fill="{color}"'


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
            elif number == 7: style["reverse"] = True
            elif number == 22: style.pop("bold", None); style.pop("dim", None)
            elif number == 27: style.pop("reverse", None)
            elif number in (38, 48):
                value, used = color(numbers)
                style["fg" if number == 38 else "bg"] = value
                numbers = numbers[used:]
            elif 30 <= number <= 37: style["fg"] = number - 30
            elif 40 <= number <= 47: style["bg"] = number - 40
            elif 90 <= number <= 97: style["fg"] = number - 82
            elif number == 39: style.pop("fg", None)
            elif number == 49: style.pop("bg", None)


# Lines of a frame, as a font leaves gaps between rows: each is a path from and to the middles of a cell's edges.
WIDE, TALL = CELL / 2, LINE / 2
FRAMES = {"─": f"M0 {TALL}H{CELL}", "│": f"M{WIDE} 0V{LINE}",
          "╭": f"M{WIDE} {LINE}Q{WIDE} {TALL} {CELL} {TALL}", "╮": f"M{WIDE} {LINE}Q{WIDE} {TALL} 0 {TALL}",
          "╰": f"M{WIDE} 0Q{WIDE} {TALL} {CELL} {TALL}", "╯": f"M{WIDE} 0Q{WIDE} {TALL} 0 {TALL}"}


def stroke(color):
    return fill(color).replace("fill=", "stroke=").replace('class="c', 'class="s')


def draw_row(row, style, columns):
    """One row at the height 0."""
    parts, column, first = [], 0, None
    for text, look in runs(row, style):
        first = look if first is None else first
        x, length = EDGE + column * CELL, len(text) * CELL
        front, back = look.get("fg", FRONT), look.get("bg")
        if look.get("reverse"):
            front, back = back or BACK, front
        if back is not None:
            parts.append(f'<rect x="{x:.1f}" width="{length:.1f}" height="{LINE}" {fill(back)}/>')
        for place, character in enumerate(text):
            if character in FRAMES:
                parts.append(f'<path transform="translate({x + place * CELL:.1f} 0)" fill="none" {stroke(front)} d="{FRAMES[character]}"/>')
        text = "".join(" " if character in FRAMES else character for character in text)
        if text.strip():
            weight = ' font-weight="bold"' if look.get("bold") else ""
            faint = ' opacity="0.8"' if look.get("dim") else ""
            parts.append(f'<text x="{x:.1f}" y="13.5" textLength="{length:.1f}"{weight}{faint} '
                         f'{fill(front)}>{html.escape(text)}</text>')
        column += len(text)
    # Where a program has erased the rest of a row in a colour there are no cells, as after a box at the row's end. Only a banner's or a
    # status line's colour begins with the row.
    if first and "bg" in first and style.get("bg") == first["bg"] and column < columns:
        parts.append(f'<rect x="{EDGE + column * CELL:.1f}" width="{(columns - column) * CELL:.1f}" '
                     f'height="{LINE}" {fill(style["bg"])}/>')
    return "".join(parts)


def draw_rows(rows, columns):
    style = {}
    return [draw_row(row, style, columns) for row in rows]


def picture(count, columns, parts, more=""):
    width, height = columns * CELL + 2 * EDGE, count * LINE + 2 * EDGE
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
        f"<style>{styles()}{more}</style>",
        f'<rect x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8" stroke="#1d1f21" class="c{BACK} edge"/>',
        '<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">',
        *parts, "</g>", "</svg>", ""])


def draw(rows, columns):
    return picture(len(rows), columns, [f'<g transform="translate(0 {EDGE + index * LINE})">{row}</g>'
                                        for index, row in enumerate(draw_rows(rows, columns)) if row])


def draw_film(frames, columns, still):
    """Frames (seconds, rows, the cursor's place), again and again; `still` is the number of the one that stands where motion is not wanted.

    A row of the same content is drawn once, and shown in the frames that have it.
    """
    total = sum(length for length, _, _ in frames)
    shown = {}
    for number, (_, rows, (x, y)) in enumerate(frames):
        cursor = f'<rect x="{EDGE + x * CELL:.1f}" width="{CELL}" height="{LINE}" opacity=".6" {fill(FRONT)}/>'
        for index, row in [*enumerate(draw_rows(rows, columns)), (y, cursor)]:
            if row:
                shown.setdefault((index, row), []).append(number)
    starts = [sum(length for length, _, _ in frames[:number]) / total * 100 for number in range(len(frames))]
    names, rules, parts = {}, [], []
    for (index, row), numbers in shown.items():
        attributes = ""
        if len(numbers) < len(frames):
            key = tuple(numbers)
            if key not in names:
                names[key] = f"k{len(names)}"
                steps = "".join(f"{starts[number]:.2f}%{{opacity:{int(number in numbers)}}}" for number in range(len(frames))
                                if number == 0 or (number in numbers) != (number - 1 in numbers))
                rules.append(f"@keyframes {names[key]}{{{steps}}}"
                             f".{names[key]}{{opacity:{int(still in numbers)};animation:{names[key]} {total:.1f}s step-end infinite}}")
            attributes = f' class="{names[key]}"'
        parts.append(f'<g transform="translate(0 {EDGE + index * LINE})"><g{attributes}>{row}</g></g>')
    more = "".join(rules) + "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"
    return picture(len(frames[0][1]), columns, parts, more)
