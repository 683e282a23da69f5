#include "base/error.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace assent::base {

std::string_view to_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid: return "invalid";
    case ErrorKind::not_found: return "not found";
    case ErrorKind::conflict: return "conflict";
    case ErrorKind::limit: return "limit";
    case ErrorKind::cancelled: return "cancelled";
    case ErrorKind::timed_out: return "timed out";
    case ErrorKind::unavailable: return "unavailable";
    case ErrorKind::denied: return "denied";
    case ErrorKind::io: return "i/o";
    case ErrorKind::corrupt: return "corrupt";
    case ErrorKind::internal: return "internal";
  }
  return "unknown";
}

Error Error::in(std::string_view context) const {
  return Error{kind, fmt::format("{}: {}", context, message), call, code};
}

Error system_error(std::string_view call, int code) {
  ErrorKind kind = ErrorKind::io;
  switch (code) {
    case ENOENT:
    case ENOTDIR: kind = ErrorKind::not_found; break;
    case EACCES:
    case EPERM:
    case EROFS: kind = ErrorKind::denied; break;
    case EEXIST: kind = ErrorKind::conflict; break;
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ENOMEM: kind = ErrorKind::limit; break;
    case ENOSYS:
    case EOPNOTSUPP:
    case ECONNREFUSED: kind = ErrorKind::unavailable; break;
    case ETIMEDOUT: kind = ErrorKind::timed_out; break;
    default: break;
  }
  return Error{kind, fmt::format("{}: {}", call, std::generic_category().message(code)),
               std::string(call), code};
}

Error last_system_error(std::string_view call) { return system_error(call, errno); }

}  // namespace assent::base
