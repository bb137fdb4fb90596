/// The TCP port of a service's name (services(5)): `https` is 443. Nil if the system does not know the name.
package func servicePort(_ name: String) -> UInt16? {
  var entry = unsafe servent()
  var buffer = [CChar](repeating: 0, count: 1024)
  var found: UnsafeMutablePointer<servent>?
  guard unsafe getservbyname_r(name, "tcp", &entry, &buffer, buffer.count, &found) == 0,
    let port = unsafe found?.pointee.s_port
  else { return nil }
  return UInt16(truncatingIfNeeded: port).bigEndian
}
