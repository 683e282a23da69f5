#include "json/fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "json/number.h"
#include "json/quote.h"

namespace assent::json {
namespace {

constexpr std::string_view a_string = "a string";
constexpr std::string_view an_integer = "an integer";

std::unexpected<base::Error> expected(std::string_view key, std::string_view what) {
  return base::failure(base::ErrorKind::invalid, fmt::format("{}: expected {}", key, what));
}

base::Result<const Value*> required(const Fields& fields, std::string_view key,
                                    std::string_view what) {
  if (const Value* const value = fields.find(key)) return value;
  return base::failure(base::ErrorKind::invalid,
                       fmt::format("{}: missing, expected {}", key, what));
}

}  // namespace

base::Result<Fields> Fields::create(const Value& value) {
  if (const auto* const object = value.if_object()) return Fields(*object);
  return base::failure(base::ErrorKind::invalid, "expected an object");
}

const Value* Fields::find(std::string_view key) const { return object_->if_contains(key); }

base::Result<std::string> Fields::text(std::string_view key) const {
  const Value* const value = TRY(required(*this, key, a_string));
  if (const auto* const string = value->if_string()) return std::string(*string);
  return expected(key, a_string);
}

base::Result<std::int64_t> Fields::integer(std::string_view key) const {
  const Value* const value = TRY(required(*this, key, an_integer));
  if (const auto number = as_integer(*value)) return *number;
  return expected(key, an_integer);
}

base::Result<bool> Fields::boolean(std::string_view key) const {
  const Value* const value = TRY(required(*this, key, "a boolean"));
  if (const auto* const boolean = value->if_bool()) return *boolean;
  return expected(key, "a boolean");
}

base::Result<const Object*> Fields::object(std::string_view key) const {
  const Value* const value = TRY(required(*this, key, "an object"));
  if (const auto* const object = value->if_object()) return object;
  return expected(key, "an object");
}

base::Result<const Array*> Fields::array(std::string_view key) const {
  const Value* const value = TRY(required(*this, key, "an array"));
  if (const auto* const array = value->if_array()) return array;
  return expected(key, "an array");
}

base::Result<std::vector<std::string>> Fields::texts(std::string_view key) const {
  const Value* const value = TRY(required(*this, key, "an array of strings"));
  const auto* const array = value->if_array();
  if (array == nullptr) return expected(key, "an array of strings");
  std::vector<std::string> texts;
  texts.reserve(array->size());
  for (const Value& element : *array) {
    const auto* const string = element.if_string();
    if (string == nullptr) return expected(fmt::format("{}[{}]", key, texts.size()), a_string);
    texts.emplace_back(*string);
  }
  return texts;
}

base::Result<std::optional<std::string>> Fields::optional_text(std::string_view key) const {
  const Value* const value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return TRY(text(key));
}

base::Result<std::optional<std::int64_t>> Fields::optional_integer(std::string_view key) const {
  const Value* const value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return TRY(integer(key));
}

base::Result<void> Fields::only(std::initializer_list<std::string_view> known) const {
  for (const auto& member : *object_) {
    if (std::ranges::find(known, std::string_view(member.key())) == known.end()) {
      return base::failure(base::ErrorKind::invalid,
                           fmt::format("unknown member {}", quote(member.key())));
    }
  }
  return {};
}

}  // namespace assent::json
