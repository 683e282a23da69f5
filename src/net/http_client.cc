#include "net/http_client.h"

#include <strings.h>

namespace assent::net {

const std::string* HttpHead::find(std::string_view name) const {
  for (const Header& header : headers) {
    if (header.name.size() == name.size() &&
        ::strncasecmp(header.name.data(), name.data(), name.size()) == 0) {
      return &header.value;
    }
  }
  return nullptr;
}

}  // namespace assent::net
