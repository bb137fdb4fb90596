import NetworkPath

// Any answer will do: the program links, and the kernel can be asked.
let path = NWPathMonitor().currentPath
print("\(path.status)")
