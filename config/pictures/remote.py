"""A computer at the other end of a cable, with a real sshd: for pictures of ssh."""
import os, shutil, subprocess, time

CABLE, ADDRESS, PORT = "wlan0", "192.0.2.1", 2222
SESSION = "PS1='build:~$ ' exec sh"


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


class Remote:
    """The network namespace at the far end of the cable."""

    def __init__(self):
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", CABLE, "type", "veth", "peer", "name", "far")
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)
        run("ip", "link", "set", "far", "netns", str(self.holder.pid))
        self.inside("ip", "link", "set", "lo", "up")
        self.inside("ip", "addr", "add", f"{ADDRESS}/24", "dev", "far")
        self.cable("up")
        for line in (f"link set {CABLE} up", f"addr add 192.0.2.2/24 dev {CABLE}", f"route add default via {ADDRESS}"):
            run("ip", *line.split())

    def words(self, *command):
        return ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", *command]

    def inside(self, *command):
        return run(*self.words(*command))

    def cable(self, state):
        self.inside("ip", "link", "set", "far", state)

    def silence(self):
        """From now on nothing arrives, and no error comes back: as beyond a router that has lost its uplink."""
        self.inside("nft", "table inet p { chain c { type filter hook input priority 0; meta l4proto tcp drop; }; }")

    def wake(self):
        self.inside("nft", "delete", "table", "inet", "p")

    def serve(self, folder):
        """Starts sshd, and puts an ssh into the folder that finds it by the name `build`. Returns the daemon.

        sshd runs in a user namespace of its own, since one that believes to be root wants rights that a namespace's root lacks.
        """
        for name in ("host", "id"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{name}")
        path = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
        if not path:
            raise SystemExit("draw: there is no sshd; make test-deps unpacks it")
        # Since version 9.8, sshd starts other programs: also from where it was unpacked.
        helpers = os.path.join(os.path.dirname(path), "../lib/openssh")
        files = {
            "passwd": f"root:x:0:0::/:/bin/sh\nsshd:x:100:100::/:/bin/false\nguest:x:1000:1000::{folder}:/bin/sh\n",
            "group": "guest:x:1000:\n",
            "shadow": "guest:*:19000:0:99999:7:::\n",
            "sshd_config": f"ListenAddress {ADDRESS}:{PORT}\nHostKey {folder}/host\nPidFile none\nAuthorizedKeysFile {folder}/id.pub\n"
                           "PasswordAuthentication no\nUsePAM no\nStrictModes no\n" +
                           "".join(f"{key} {helpers}/{name}\n" for key, name in
                                   (("SshdSessionPath", "sshd-session"), ("SshdAuthPath", "sshd-auth"))
                                   if os.path.exists(f"{helpers}/{name}")),
            "ssh_config": f"Host build\n  HostName {ADDRESS}\n  User guest\n  Port {PORT}\n  IdentityFile {folder}/id\n  LogLevel ERROR\n"
                          f"  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  RequestTTY yes\n  RemoteCommand {SESSION}\n",
            "bin/ssh": f"#!/bin/sh\nexec /usr/bin/ssh -F {folder}/ssh_config \"$@\"\n",
        }
        os.mkdir(f"{folder}/bin")
        for name, text in files.items():
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        os.chmod(f"{folder}/bin/ssh", 0o755)
        script = "".join(f"mount --bind {folder}/{name} /etc/{name} && " for name in ("passwd", "group", "shadow"))
        script += f"exec unshare --user --map-user=1000 --map-group=1000 {path} -D -f {folder}/sshd_config -E {folder}/log"
        daemon = subprocess.Popen(self.words("unshare", "--mount", "sh", "-c", script))
        while "Server listening" not in (open(f"{folder}/log").read() if os.path.exists(f"{folder}/log") else ""):
            if daemon.poll() is not None:
                raise SystemExit("draw: sshd does not start")
            time.sleep(0.02)
        return daemon

    def end(self):
        self.holder.kill()
        self.holder.wait()
