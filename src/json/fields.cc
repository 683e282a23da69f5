#include "json/fields.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json.hpp>

namespace assent::json {

using base::ErrorKind;
using base::failure;
using base::Result;

namespace {

std::unexpected<base::Error> wrong(std::string_view key, std::string_view expected) {
  return failure(ErrorKind::invalid, fmt::format("{}: expected {}", key, expected));
}

}  // namespace

Result<Fields> Fields::create(const Value& value) {
  const auto* object = value.if_object();
  if (object == nullptr) return failure(ErrorKind::invalid, "expected an object");
  return Fields(*object);
}

const Value* Fields::find(std::string_view key) const { return object_->if_contains(key); }

Result<std::string> Fields::text(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || !value->is_string()) return wrong(key, "text");
  return std::string(value->get_string());
}

Result<std::int64_t> Fields::integer(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || !value->is_int64()) return wrong(key, "an integer");
  return value->get_int64();
}

Result<bool> Fields::boolean(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || !value->is_bool()) return wrong(key, "true or false");
  return value->get_bool();
}

Result<const Object*> Fields::object(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || !value->is_object()) return wrong(key, "an object");
  return &value->get_object();
}

Result<const Array*> Fields::array(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || !value->is_array()) return wrong(key, "an array");
  return &value->get_array();
}

Result<std::vector<std::string>> Fields::texts(std::string_view key) const {
  std::vector<std::string> texts;
  for (const auto& element : *TRY(array(key))) {
    if (!element.is_string()) return wrong(key, "an array of texts");
    texts.emplace_back(element.get_string());
  }
  return texts;
}

Result<std::optional<std::string>> Fields::optional_text(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return TRY(text(key));
}

Result<std::optional<std::int64_t>> Fields::optional_integer(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return TRY(integer(key));
}

Result<void> Fields::only(std::initializer_list<std::string_view> known) const {
  for (const auto& member : *object_) {
    if (std::ranges::find(known, std::string_view(member.key())) == known.end()) {
      return failure(ErrorKind::invalid,
                     fmt::format("{}: unknown member", std::string_view(member.key())));
    }
  }
  return {};
}

}  // namespace assent::json
