#pragma once
// Typed access to the members of an object that came from outside. Errors name the member and what
// was expected ("timeoutMs: expected an integer"). Any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace assent::json {

class Fields {
 public:
  // `object` must outlive this. A value that is no object fails at create().
  static base::Result<Fields> create(const Value& value);
  explicit Fields(const Object& object) : object_(&object) {}

  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] base::Result<std::string> text(std::string_view key) const;
  [[nodiscard]] base::Result<std::int64_t> integer(std::string_view key) const;
  [[nodiscard]] base::Result<bool> boolean(std::string_view key) const;
  [[nodiscard]] base::Result<const Object*> object(std::string_view key) const;
  [[nodiscard]] base::Result<const Array*> array(std::string_view key) const;
  [[nodiscard]] base::Result<std::vector<std::string>> texts(std::string_view key) const;
  // An absent member or null is nullopt; a member of another type is an error.
  [[nodiscard]] base::Result<std::optional<std::string>> optional_text(std::string_view key) const;
  [[nodiscard]] base::Result<std::optional<std::int64_t>> optional_integer(
      std::string_view key) const;
  // The first member whose key is not among `known`: an unknown key is an error where we read.
  [[nodiscard]] base::Result<void> only(std::initializer_list<std::string_view> known) const;

 private:
  const Object* object_;
};

}  // namespace assent::json
