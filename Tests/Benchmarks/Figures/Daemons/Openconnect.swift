internal import OverlineTestSupport

extension Daemon {
  /// `openconnect` with `ocserv`. Its script replaces the default route, so a killed client leaves none.
  static let openconnect = vpn(
    "openconnect", programs: ["sbin/openconnect", "sbin/ocserv", "bin/openssl"],
    setUp: { world in
      try Certificates(world).make("server")
      try world.far.run(
        """
        printf 'word\\nword\\n' | ocpasswd -c /run/passwd user
        cat >/run/ocserv.conf <<'END'
        auth = "plain[passwd=/run/passwd]"
        tcp-port = 443
        udp-port = 443
        socket-file = /run/ocserv.sock
        server-cert = /run/server.crt
        server-key = /run/server.key
        run-as-user = root
        run-as-group = root
        isolate-workers = false
        device = vpns
        ipv4-network = 10.7.0.0
        ipv4-netmask = 255.255.255.0
        keepalive = 5
        dpd = 3
        pid-file = /run/ocserv.pid
        END
        """)
    },
    startServer: { world in
      try world.far.run("kill -KILL $(pgrep ocserv) || true")
      try world.far.start("server", "ocserv --foreground --config /run/ocserv.conf")
    },
    connect: { world in
      let pin = try world.machine.run(
        """
        openssl x509 -in /run/server.crt -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
        """)
      try world.machine.run("rm -f /run/openconnect.log; echo word >/run/word")
      try world.machine.run(
        """
        openconnect --protocol=anyconnect --user user --passwd-on-stdin --servercert pin-sha256:\(pin.filter { $0 != "\n" }) \
        --interface=tun0 --script /usr/share/vpnc-scripts/vpnc-script --reconnect-timeout 60 https://198.51.100.1 </run/word \
        >/run/openconnect.log 2>&1 & echo $! >/run/openconnect.pid
        """)
      let isConnected = eventually {
        (try? world.machine.run("grep '^Configured as' /run/openconnect.log && ip route | grep '^default dev tun0'"))
          != nil
      }
      guard isConnected else {
        throw TestKitError("no tunnel: \(try world.machine.run("tail -5 /run/openconnect.log"))")
      }
    },
    // A restarted server does not know the client, which ends then.
    disconnect: "kill -INT $(cat /run/openconnect.pid) || true", pid: "$(cat /run/openconnect.pid)",
    reconnect: "kill -USR2 $(cat /run/openconnect.pid)")
}
