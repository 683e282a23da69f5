#pragma once
// The system call filter of a confined command, as a classic BPF program from a table.

#include <linux/filter.h>

#include <vector>

namespace assent::sandbox {

struct FilterOptions {
  // Landlock refuses TCP itself (ABI 4); without it stream sockets are refused when they are made.
  bool landlock_tcp = false;
};

// What it decides, for the architecture that this is built for:
//  * another architecture or the x32 numbers: the process is killed;
//  * io_uring, mounts, namespaces, bpf, keys, userfaultfd, perf, ptrace, modules, clocks, other
//  socket
//    families, terminal injection (TIOCSTI, TIOCLINUX), inode flags: refused with EPERM, clone3
//    with ENOSYS so that libraries fall back to clone;
//  * opens for writing, calls that change a path or its attributes, connect, bind, datagram
//  sockets:
//    handed to the witness;
//  * everything else: allowed. Reads are never trapped.
std::vector<sock_filter> seccomp_program(const FilterOptions& options);

// Installs `program` for the calling thread and returns the witness' listener. no_new_privs must be
// set. WAIT_KILLABLE_RECV keeps signals from restarting a call that is being looked at.
int install_filter(const std::vector<sock_filter>& program);

}  // namespace assent::sandbox
