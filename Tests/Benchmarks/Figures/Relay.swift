internal import OverlineSystem
internal import OverlineTestSupport

/// The smallest program between a terminal and a program: it waits, reads and writes, in C. No host can be faster, so it shows what the
/// machine allows in these minutes. Compiled on the spot.
enum Relay {
  private static let source = """
    #include <errno.h>
    #include <poll.h>
    #include <pty.h>
    #include <stdlib.h>
    #include <sys/ioctl.h>
    #include <sys/wait.h>
    #include <termios.h>
    #include <unistd.h>
    static char buffer[65536];
    static int pass(int from, int to) {
      ssize_t count = read(from, buffer, sizeof buffer);
      if (count <= 0) return count < 0 && errno == EINTR;
      for (ssize_t done = 0; done < count;) {
        ssize_t written = write(to, buffer + done, count - done);
        if (written < 0 && errno != EINTR) return 0;
        if (written > 0) done += written;
      }
      return 1;
    }
    int main(int count, char **words) {
      struct termios modes;
      struct winsize size;
      int master;
      if (count < 2 || tcgetattr(0, &modes) || ioctl(0, TIOCGWINSZ, &size)) return 64;
      pid_t child = forkpty(&master, NULL, &modes, &size);
      if (child < 0) return 71;
      if (child == 0) {
        execvp(words[1], words + 1);
        _exit(127);
      }
      struct termios raw = modes;
      cfmakeraw(&raw);
      tcsetattr(0, TCSANOW, &raw);
      struct pollfd ready[] = {{.fd = 0, .events = POLLIN}, {.fd = master, .events = POLLIN}};
      int isOpen = 1;
      while (isOpen && (poll(ready, 2, -1) >= 0 || errno == EINTR)) {
        if (ready[1].revents) isOpen = pass(master, 1);
        if (isOpen && ready[0].revents) isOpen = pass(0, master);
      }
      tcsetattr(0, TCSANOW, &modes);
      int status;
      waitpid(child, &status, 0);
      return 0;
    }
    """

  /// Compiles the relay into a folder, and returns its path.
  static func make(in folder: String) throws -> String {
    let program = "\(folder)/relay"
    let made = try Subprocess.run(
      "clang", ["-O2", "-x", "c", "-", "-o", program, "-lutil"], input: Array(source.utf8), timeout: .seconds(60))
    guard made.status == 0 else { throw TestKitError("cannot compile the relay: \(made.errorText)") }
    return program
  }
}
