import NetworkPath

// Any answer will do: the program links, and the kernel can be asked.
for await path in NWPathMonitor() {
  print("\(path.status)")
  break
}
