#pragma once
// JSON as the house uses it: a value, a bounded reader and a canonical writer. Values are
// Boost.JSON's; nobody else includes that library. Any thread.

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/limits.h"
#include "base/result.h"

namespace assent::json {

using Value = boost::json::value;
using Object = boost::json::object;
using Array = boost::json::array;

struct Bounds {
  std::size_t depth = base::limits::json_depth;
  std::size_t size = base::limits::json_size;
};

// One complete JSON text (RFC 8259) in UTF-8. Refused with ErrorKind::invalid, naming the byte
// offset: anything else, trailing bytes, a key that occurs twice in one object, a number that no
// double holds. ErrorKind::limit: deeper or longer than `bounds`.
//
// A number means the double nearest to it and has one form: int64 where it is integral and within
// ±2^53 ("1.0", "1e0" and "-0" too), double otherwise. So what a caller reads, shows and hashes is
// the same number, and parse(write(v)) == v for every v that parse returned.
base::Result<Value> parse(std::string_view text, Bounds bounds = {});

// The canonical form (RFC 8785): keys sorted by UTF-16 code units, shortest numbers, no blanks.
// Two equal values give the same bytes. Integers beyond ±2^53 are written as the double they
// become. Bytes of a string that are no UTF-8 are written as U+FFFD, so that parse reads whatever
// was written. A number that is not finite has no form: making one is a bug and ends the process.
std::string write(const Value& value);
// `text` as a JSON string, quotes included: what write() makes of it.
std::string write_text(std::string_view text);

}  // namespace assent::json
