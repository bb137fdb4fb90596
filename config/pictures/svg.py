"""Draws the rows of a terminal, as `tmux capture-pane -peN` gives them, as SVG."""
import html, re

CELL, LINE = 8.4, 18
PALETTE = ["#1d1f21", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#c5c8c6",
           "#969896", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#ffffff"]


def color(parameters):
    if parameters[0] == 2:
        return "#%02x%02x%02x" % tuple(parameters[1:4]), 4
    index = parameters[1]
    if index < 16:
        return PALETTE[index], 2
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
            elif number == 7: style["reverse"] = True
            elif number == 22: style.pop("bold", None); style.pop("dim", None)
            elif number == 27: style.pop("reverse", None)
            elif number in (38, 48):
                value, used = color(numbers)
                style["fg" if number == 38 else "bg"] = value
                numbers = numbers[used:]
            elif 30 <= number <= 37: style["fg"] = PALETTE[number - 30]
            elif 40 <= number <= 47: style["bg"] = PALETTE[number - 40]
            elif 90 <= number <= 97: style["fg"] = PALETTE[number - 82]
            elif number == 39: style.pop("fg", None)
            elif number == 49: style.pop("bg", None)


def draw(rows, columns):
    width, height = columns * CELL + 24, len(rows) * LINE + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
             f'<rect width="100%" height="100%" rx="8" fill="{PALETTE[0]}"/>',
             '<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">']
    style = {}
    for index, row in enumerate(rows):
        y, column = 12 + index * LINE, 0
        for text, look in runs(row, style):
            x, length = 12 + column * CELL, len(text) * CELL
            front, back = look.get("fg", PALETTE[7]), look.get("bg")
            if look.get("reverse"):
                front, back = back or PALETTE[0], front
            if back:
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{LINE}" fill="{back}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if look.get("bold") else ""
                faint = ' opacity="0.8"' if look.get("dim") else ""
                parts.append(f'<text x="{x:.1f}" y="{y + 13.5}" textLength="{length:.1f}"{weight}{faint} '
                             f'fill="{front}">{html.escape(text)}</text>')
            column += len(text)
        # Where a program has erased the rest of a row in a colour there are no cells.
        if style.get("bg") and column < columns:
            parts.append(f'<rect x="{12 + column * CELL:.1f}" y="{y}" width="{(columns - column) * CELL:.1f}" '
                         f'height="{LINE}" fill="{style["bg"]}"/>')
    return "\n".join(parts + ["</g>", "</svg>", ""])
