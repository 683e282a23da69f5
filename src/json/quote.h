#pragma once
// Foreign text inside an error message. Any thread.

#include <string>
#include <string_view>

namespace assent::json {

// `text` as a JSON string (so control characters are escaped), cut to a length that fits a message.
std::string quote(std::string_view text);

}  // namespace assent::json
