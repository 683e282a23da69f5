#include "sandbox/seccomp_program.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace assent::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t own_arch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t own_arch = AUDIT_ARCH_AARCH64;
#else
#error "the system call tables of this architecture are not written"
#endif

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t notify = SECCOMP_RET_USER_NOTIF;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t absent = SECCOMP_RET_ERRNO | ENOSYS;

// Numbers that the distribution's headers may lack; the same on all architectures.
constexpr int nr_mount_setattr = 442;
constexpr int nr_open_tree = 428;
constexpr int nr_move_mount = 429;
constexpr int nr_fsopen = 430;
constexpr int nr_fsconfig = 431;
constexpr int nr_fsmount = 432;
constexpr int nr_fspick = 433;
constexpr int nr_pidfd_getfd = 438;
constexpr int nr_openat2 = 437;
constexpr int nr_fchmodat2 = 452;
constexpr int nr_setxattrat = 463;
constexpr int nr_removexattrat = 466;
constexpr int nr_open_tree_attr = 467;
constexpr int nr_file_setattr = 469;

constexpr long refused_calls[] = {
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    nr_mount_setattr,
    nr_open_tree,
    nr_move_mount,
    nr_fsopen,
    nr_fsconfig,
    nr_fsmount,
    nr_fspick,
    nr_open_tree_attr,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_userfaultfd,
    SYS_perf_event_open,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    nr_pidfd_getfd,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_open_by_handle_at,
    SYS_quotactl,
    SYS_acct,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_vhangup,
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

constexpr long witnessed_calls[] = {
    nr_openat2,    SYS_mkdirat,      SYS_unlinkat,    SYS_renameat2,    SYS_linkat,
    SYS_symlinkat, SYS_mknodat,      SYS_truncate,    SYS_fchmod,       SYS_fchmodat,
    nr_fchmodat2,  SYS_fchown,       SYS_fchownat,    SYS_utimensat,    SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr,    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    nr_setxattrat, nr_removexattrat, nr_file_setattr, SYS_connect,      SYS_bind,
    SYS_renameat,
#if defined(__x86_64__)
    SYS_creat,     SYS_mkdir,        SYS_rmdir,       SYS_unlink,       SYS_rename,
    SYS_link,      SYS_symlink,      SYS_mknod,       SYS_chmod,        SYS_chown,
    SYS_lchown,    SYS_utime,        SYS_utimes,      SYS_futimesat,
#endif
};

constexpr std::uint32_t write_flags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
constexpr std::uint32_t namespace_flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID |
                                          CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                                          CLONE_NEWCGROUP;
constexpr std::array refused_ioctls{0x5412U, 0x541CU,  // TIOCSTI, TIOCLINUX
                                    0x40086602U,
                                    0x401C5820U};  // FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR

constexpr std::uint32_t low_word(int argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) +
         static_cast<std::uint32_t>(argument) * 8U;  // both architectures are little-endian
}

// Appends instructions; jumps are relative and short, because every block returns or falls through.
class Builder {
 public:
  void load(std::uint32_t offset) { code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
  void result(std::uint32_t value) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, value)); }
  // Skips `count` instructions unless the accumulator equals `value` / has one of `bits`.
  void unless_equal_skip(std::uint32_t value, std::uint8_t count) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
  }
  void if_equal_skip(std::uint32_t value, std::uint8_t count) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0));
  }
  void unless_any_bit_skip(std::uint32_t bits, std::uint8_t count) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count));
  }
  void mask(std::uint32_t bits) { code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
  void load_number() { load(offsetof(seccomp_data, nr)); }

  // The whole of call `number` gets `verdict`. The accumulator holds the number before and after.
  void call(long number, std::uint32_t verdict) {
    unless_equal_skip(static_cast<std::uint32_t>(number), 1);
    result(verdict);
  }
  // Call `number` gets `verdict` where argument `argument` has one of `bits`, else it is allowed.
  void call_with_bits(long number, int argument, std::uint32_t bits, std::uint32_t verdict) {
    unless_equal_skip(static_cast<std::uint32_t>(number), 4);
    load(low_word(argument));
    unless_any_bit_skip(bits, 1);
    result(verdict);
    result(allow);
  }
  void append(const std::vector<sock_filter>& code) {
    code_.insert(code_.end(), code.begin(), code.end());
  }
  std::vector<sock_filter> take() { return std::move(code_); }

 private:
  std::vector<sock_filter> code_;
};

void add_ioctls(Builder& out) {
  out.unless_equal_skip(SYS_ioctl, static_cast<std::uint8_t>(2 + 2 * refused_ioctls.size()));
  out.load(low_word(1));
  for (const std::uint32_t request : refused_ioctls) out.call(static_cast<long>(request), refuse);
  out.result(allow);
}

// AF_UNIX is allowed; AF_INET and AF_INET6 streams where Landlock refuses their connects, datagrams
// go to the witness, which refuses them with evidence; every other family is refused.
void add_socket(Builder& out, const FilterOptions& options) {
  Builder body;
  body.load(low_word(0));
  body.call(AF_UNIX, allow);
  body.if_equal_skip(AF_INET, 2);
  body.if_equal_skip(AF_INET6, 1);
  body.result(refuse);
  body.load(low_word(1));
  body.mask(0xF);  // the type without SOCK_CLOEXEC and SOCK_NONBLOCK
  body.call(SOCK_STREAM, options.landlock_tcp ? allow : notify);
  body.call(SOCK_DGRAM, notify);
  body.result(refuse);
  const auto code = body.take();
  out.unless_equal_skip(SYS_socket, static_cast<std::uint8_t>(code.size()));
  out.append(code);
}

// prlimit on another process, and clone with a namespace.
void add_guarded_calls(Builder& out) {
  out.call_with_bits(SYS_prlimit64, 0, 0xFFFFFFFFU, refuse);
  out.call_with_bits(SYS_clone, 0, namespace_flags, refuse);
  out.call(SYS_clone3, absent);
  out.call_with_bits(SYS_openat, 2, write_flags, notify);
#if defined(__x86_64__)
  out.call_with_bits(SYS_open, 1, write_flags, notify);
#endif
}

}  // namespace

std::vector<sock_filter> seccomp_program(const FilterOptions& options) {
  Builder out;
  out.load(offsetof(seccomp_data, arch));
  out.if_equal_skip(own_arch, 1);
  out.result(SECCOMP_RET_KILL_PROCESS);
  out.load_number();
#if defined(__x86_64__)
  constexpr std::uint32_t x32_bit = 0x40000000;
  out.unless_any_bit_skip(x32_bit, 1);
  out.result(SECCOMP_RET_KILL_PROCESS);
#endif
  // The calls that are made most often leave the program first.
  for (const long number : {SYS_read, SYS_write, SYS_close, SYS_mmap}) out.call(number, allow);
  add_guarded_calls(out);
  for (const long number : refused_calls) out.call(number, refuse);
  for (const long number : witnessed_calls) out.call(number, notify);
  add_ioctls(out);
  add_socket(out, options);
  out.result(allow);
  return out.take();
}

int install_filter(const std::vector<sock_filter>& program) {
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()),
                          .filter = const_cast<sock_filter*>(program.data())};
  constexpr unsigned long flags =
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter));
}

}  // namespace assent::sandbox
