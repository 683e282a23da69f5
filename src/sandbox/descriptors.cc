#include "sandbox/descriptors.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace assent::sandbox {

using base::Result;

namespace {
constexpr std::size_t most = 4;
}

Result<void> send_descriptors(int socket, char tag, std::span<const int> descriptors) {
  iovec part{.iov_base = &tag, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(most * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return base::failure(base::system_error("sendmsg", errno));
  }
  return {};
}

Result<Received> receive_descriptors(int socket) {
  Received received;
  iovec part{.iov_base = &received.tag, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(most * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  while ((got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno != EINTR) return base::failure(base::system_error("recvmsg", errno));
  }
  if (got == 0) received.tag = '\0';
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int raw = -1;
      std::memcpy(&raw, CMSG_DATA(header) + i * sizeof raw, sizeof raw);
      received.descriptors.emplace_back(raw);
    }
  }
  return received;
}

}  // namespace assent::sandbox
