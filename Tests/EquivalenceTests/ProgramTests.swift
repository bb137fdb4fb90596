import OverlineTestSupport
import OverlineTestThread
import Testing
import OverlineWindowTestKit

/// Everything below the banner is what the program would draw on a terminal without the banner's rows.
@Suite(.ownThread) struct ProgramTests {
  /// No banner, or one of so many rows.
  private static let insets = [0, 1, 3]

  private static let text =
    (1...200).map { number in
      "\(number) " + (number.isMultiple(of: 7) ? "日本語 e\u{301} " : "")
        + String(repeating: "word ", count: number.isMultiple(of: 5) ? 24 : number % 9)
    }.joined(separator: "\n") + "\n"

  @Test(arguments: insets) func less(_ inset: Int) throws {
    let both = try Equivalence(inset: inset) { "less \(try $0.file("text", Self.text))" }
    try both.press(until: "13 word")
    try both.press("Space", until: "28 ")
    try both.press("j", "j", "j")
    try both.press("k", "k", "k", "k", "k", "k")
    try both.press("d", "u", "y", "e")
    try both.press("G", until: "(END)")
    try both.press("1", "0", "0", "g", until: "100 ")
    try both.press("/", "word word", "Enter", "n", "N")
    try both.press("-", "S", "Enter", "Right", "Left")
    try both.press("h", until: "SUMMARY")
    try both.press("j", "j", "k", "q")
    try both.end("q")
  }

  @Test(arguments: insets) func vim(_ inset: Int) throws {
    let both = try Equivalence(inset: inset) {
      "vim.basic -u NONE -i NONE -n -c 'set nocompatible ruler showcmd incsearch hlsearch laststatus=2' \(try $0.file("text", Self.text))"
    }
    try both.press(until: "1,1")
    try both.press("C-f", until: "18,1")
    try both.press("j", "j", "C-e", "C-e", "C-y", "z", "t", "z", "b")
    try both.press("G", until: "Bot")
    try both.press("g", "g", "4", "d", "d", until: "4 fewer")
    try both.press("u", "o", "typed 日本 text", "Enter", "more", "Escape")
    try both.press(":split", "Enter", "C-w", "j", ":vsplit", "Enter", "C-f")
    try both.press("C-w", "+", "C-w", ">", "C-w", "o")
    try both.press("/", "word", "Enter", "n", "n")
    try both.press(":set number mouse=a list", "Enter", "M", "z", "z")
    try both.press(":!echo one; echo two", "Enter", until: "Press ENTER")
    try both.press("Enter")
    try both.press(":help", "Enter", "C-d", "C-d", ":q", "Enter")
    try both.end(":q!", "Enter")
  }

  @Test(arguments: insets) func bash(_ inset: Int) throws {
    let both = try Equivalence(inset: inset) { _ in "bash --norc --noprofile" }
    try both.press(until: "$")
    try both.press("seq 1 10", "Enter", until: "10")
    try both.press("seq 1 100", "Enter", until: "100")
    try both.press("echo $LINES $COLUMNS; stty size", "Enter", until: "24 80")
    try both.press("printf '%0200d\\n' 7", "Enter", until: "0007")
    let long = String(repeating: "echo a long line ", count: 12)
    try both.press(long, "Home", "C-k", "C-y", "C-a", "M-f", "M-d", "C-_", "C-e", "BSpace", "Enter")
    try both.press("C-r", "seq", "C-r", until: "reverse-i-search")
    try both.press("C-g", "clear", "Enter")
    try both.press("C-l")
    try both.press(
      #"printf '\e[2;5r\e[5;1Hx\ny\nz\e[r\e[10;3H\e[31mred\e[m\e7\e[20;1H\e8+\e[J\n'"#, "Enter", until: "+")
    // The typed line contains neither what the program prints nor the next prompt: what is typed before these is shown elsewhere.
    try both.press(
      #"tput smcup; tput cup 3 4; echo alter''nate; read -n 1; tput rmcup; PS1='ba''ck> '"#, "Enter", until: "alternate"
    )
    try both.press("x", until: "back>")
    try both.end("exit", "Enter")
  }

  /// Without meters and with one process, so that two runs show the same.
  @Test(arguments: insets) func htop(_ inset: Int) throws {
    let both = try Equivalence(inset: inset) { world in
      _ = try world.file(
        "htoprc",
        "fields=0 1\nleft_meters=Hostname\nleft_meter_modes=2\nright_meters=Hostname\nright_meter_modes=2\nhide_userland_threads=1\nsort_key=0\ndelay=100\n"
      )
      return "env HTOPRC=\(world.folder)/htoprc htop -p 1"
    }
    try both.press(until: "F10")
    try both.press("Down", "Up")
    try both.press("F1", until: "Process state")
    try both.press("Space")
    try both.press("F2", until: "Categories")
    try both.press("Down", "Right", "Down", "F10")
    try both.press("F6", until: "Sort by")
    try both.press("Escape")
    try both.end("q")
  }

  @Test(arguments: insets) func nano(_ inset: Int) throws {
    let both = try Equivalence(inset: inset) { "nano -I \(try $0.file("text", Self.text))" }
    try both.press(until: "Read 200 lines")
    try both.press("C-v", "C-v", "Down", "Down", "C-y")
    try both.press("M-/", "new text 日本", "Enter", "C-a", "C-k", "C-u")
    try both.press("C-w", "word", "Enter", "M-w")
    try both.press("C-g", until: "Main nano help")
    try both.press("C-v", "C-x")
    try both.press("C-x", until: "Save modified")
    try both.end("n")
  }

  /// Menus 1 and 2 (cursor and screen) and 8 (insert and delete), a screen at a time.
  @Test(arguments: insets) func vttest(_ inset: Int) throws {
    let both = try Equivalence(inset: inset) { _ in "vttest 24x80.132" }
    let menu = "Enter choice number"
    try both.press(until: menu)
    for choice in ["1", "2", "8"] {
      try both.press(choice)
      var screens = 0
      repeat {
        // When margins are set, tmux goes to its first row, whatever origin mode says; the window goes where xterm does.
        try both.pressForNextKey("Enter", except: "Origin mode test")
        screens += 1
      } while try screens < 40 && !both.alone.rows().contains { $0.contains(menu) }
      #expect(screens > 4)
      try both.expectTheSame("in the menu, after \(screens) screens of \(choice)")
    }
    try both.end("0", "Enter")
  }
}
