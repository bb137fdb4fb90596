"""A window with VTE's widget: CONTROL COLUMNS ROWS FONT PROGRAM [ARGUMENT...].

Each line that is written to the FIFO CONTROL is a path, to which the widget writes its scrollback and screen.
"""

import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Vte", "2.91")
from gi.repository import Gio, GLib, Gtk, Pango, Vte  # noqa: E402

control, columns, rows, font, *command = sys.argv[1:]
terminal = Vte.Terminal()
terminal.set_size(int(columns), int(rows))
terminal.set_scrollback_lines(5000)
terminal.set_font(Pango.FontDescription(f"{font} 9"))
window = Gtk.Window()
window.add(terminal)
window.connect("destroy", Gtk.main_quit)
terminal.connect("child-exited", lambda *_: Gtk.main_quit())
terminal.spawn_async(Vte.PtyFlags.DEFAULT, None, command, None, GLib.SpawnFlags.DEFAULT, None, None, -1, None, None)
if not os.path.exists(control):
    os.mkfifo(control)
descriptor = os.open(control, os.O_RDWR | os.O_NONBLOCK)


def write(*_):
    for path in os.read(descriptor, 65536).decode().splitlines():
        stream = Gio.File.new_for_path(path).replace(None, False, Gio.FileCreateFlags.NONE, None)
        terminal.write_contents_sync(stream, Vte.WriteFlags.DEFAULT, None)
        stream.close(None)
    return True


GLib.io_add_watch(descriptor, GLib.IO_IN, write)
window.show_all()
Gtk.main()
