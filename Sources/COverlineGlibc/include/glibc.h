// Functions of glibc 2.35 and 2.36 that Swift's runtime and libgcc call, for a program that is built here and runs with glibc 2.34 (RHEL 9,
// Ubuntu 22.04). The linker takes a program's own function before the C library's. Only the program links this target: a library must not
// replace functions of its users' C library.
#pragma once
