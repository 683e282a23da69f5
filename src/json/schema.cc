#include "json/schema.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/limits.h"

namespace assent::json {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

// The number of code points in UTF-8, as minLength and maxLength count.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string_view type_of(const Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return "boolean";
    case boost::json::kind::int64:
    case boost::json::kind::uint64: return "integer";
    case boost::json::kind::double_: return "number";
    case boost::json::kind::string: return "string";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return "object";
  }
  return "null";
}

class Checker {
 public:
  explicit Checker(const Value& root) : root_(root) {}

  Result<void> check(const Value& value, const Value& schema, const std::string& at,
                     std::size_t depth) const {
    if (depth > base::limits::json_depth) {
      return failure(ErrorKind::limit, where(at, "the schema refers to itself without end"));
    }
    if (const auto* truth = schema.if_bool()) {
      return *truth ? Result<void>() : refuse(at, "nothing is permitted here");
    }
    const auto* object = schema.if_object();
    if (object == nullptr) return refuse(at, "the schema is neither an object nor a boolean");
    if (const auto* ref = object->if_contains("$ref")) {
      const Value* target = TRY(resolve(*ref, at));
      TRY(check(value, *target, at, depth + 1));
    }
    TRY(check_type(value, *object, at));
    TRY(check_values(value, *object, at));
    TRY(check_bounds(value, *object, at));
    TRY(check_combined(value, *object, at, depth));
    if (const auto* array = value.if_array()) TRY(check_items(*array, *object, at, depth));
    if (const auto* members = value.if_object()) TRY(check_members(*members, *object, at, depth));
    return {};
  }

 private:
  static std::string where(const std::string& at, std::string_view what) {
    return at.empty() ? std::string(what) : fmt::format("{}: {}", at, what);
  }
  static Result<void> refuse(const std::string& at, std::string_view what) {
    return failure(ErrorKind::invalid, where(at, what));
  }

  Result<const Value*> resolve(const Value& ref, const std::string& at) const {
    if (ref.is_string() && ref.get_string().starts_with("#")) {
      boost::json::error_code code;
      const auto* target = root_.find_pointer(ref.get_string().subview(1), code);
      if (target != nullptr) return target;
    }
    return failure(ErrorKind::invalid, where(at, "the schema refers to what it does not hold"));
  }

  static bool has_type(const Value& value, std::string_view type) {
    const std::string_view own = type_of(value);
    if (own == type || (type == "number" && own == "integer")) return true;
    return type == "integer" && own == "number" &&
           value.get_double() == static_cast<double>(static_cast<std::int64_t>(value.get_double()));
  }

  static Result<void> check_type(const Value& value, const Object& schema, const std::string& at) {
    const auto* type = schema.if_contains("type");
    if (type == nullptr) return {};
    if (type->is_string()) {
      if (has_type(value, type->get_string())) return {};
      return refuse(at, fmt::format("expected {}", std::string_view(type->get_string())));
    }
    if (const auto* list = type->if_array()) {
      for (const auto& one : *list) {
        if (one.is_string() && has_type(value, one.get_string())) return {};
      }
    }
    return refuse(at, "a value of this type is not permitted");
  }

  static Result<void> check_values(const Value& value, const Object& schema,
                                   const std::string& at) {
    if (const auto* only = schema.if_contains("const"); only != nullptr && value != *only) {
      return refuse(at, "expected " + write(*only));
    }
    const auto* list = schema.if_contains("enum");
    if (list == nullptr || !list->is_array()) return {};
    if (std::ranges::find(list->get_array(), value) != list->get_array().end()) return {};
    return refuse(at, "expected one of " + write(*list));
  }

  // `keyword`'s number in the schema, where it has one.
  static const Value* bound(const Object& schema, std::string_view keyword) {
    const auto* value = schema.if_contains(keyword);
    return value != nullptr && value->is_number() ? value : nullptr;
  }

  static Result<void> check_size(std::size_t size, const Object& schema, const std::string& at,
                                 std::pair<std::string_view, std::string_view> keywords) {
    const auto* least = bound(schema, keywords.first);
    if (least != nullptr && static_cast<double>(size) < least->to_number<double>()) {
      return refuse(at, fmt::format("{} is {}", keywords.first, write(*least)));
    }
    const auto* most = bound(schema, keywords.second);
    if (most != nullptr && static_cast<double>(size) > most->to_number<double>()) {
      return refuse(at, fmt::format("{} is {}", keywords.second, write(*most)));
    }
    return {};
  }

  static Result<void> check_bounds(const Value& value, const Object& schema,
                                   const std::string& at) {
    if (value.is_string()) {
      return check_size(length(value.get_string()), schema, at, {"minLength", "maxLength"});
    }
    if (const auto* array = value.if_array()) {
      return check_size(array->size(), schema, at, {"minItems", "maxItems"});
    }
    if (!value.is_number()) return {};
    const auto number = value.to_number<double>();
    const auto* least = bound(schema, "minimum");
    if (least != nullptr && number < least->to_number<double>()) {
      return refuse(at, "must be at least " + write(*least));
    }
    const auto* most = bound(schema, "maximum");
    if (most != nullptr && number > most->to_number<double>()) {
      return refuse(at, "must be at most " + write(*most));
    }
    return {};
  }

  Result<void> check_combined(const Value& value, const Object& schema, const std::string& at,
                              std::size_t depth) const {
    const auto count = [&](const Array& list) {
      return std::ranges::count_if(
          list, [&](const Value& one) { return check(value, one, at, depth + 1).has_value(); });
    };
    if (const auto* all = schema.if_contains("allOf"); all != nullptr && all->is_array()) {
      for (const auto& one : all->get_array()) TRY(check(value, one, at, depth + 1));
    }
    if (const auto* any = schema.if_contains("anyOf"); any != nullptr && any->is_array()) {
      if (count(any->get_array()) == 0) return refuse(at, "fits none of the permitted forms");
    }
    if (const auto* one = schema.if_contains("oneOf"); one != nullptr && one->is_array()) {
      if (count(one->get_array()) != 1) return refuse(at, "must fit exactly one permitted form");
    }
    return {};
  }

  Result<void> check_items(const Array& array, const Object& schema, const std::string& at,
                           std::size_t depth) const {
    const auto* items = schema.if_contains("items");
    if (items == nullptr) return {};
    for (std::size_t i = 0; i < array.size(); ++i) {
      TRY(check(array[i], *items, fmt::format("{}[{}]", at, i), depth + 1));
    }
    return {};
  }

  Result<void> check_members(const Object& members, const Object& schema, const std::string& at,
                             std::size_t depth) const {
    const auto place = [&](std::string_view key) {
      return at.empty() ? std::string(key) : fmt::format("{}.{}", at, key);
    };
    if (const auto* required = schema.if_contains("required");
        required != nullptr && required->is_array()) {
      for (const auto& key : required->get_array()) {
        if (key.is_string() && !members.contains(key.get_string())) {
          return refuse(place(key.get_string()), "is required");
        }
      }
    }
    const auto* properties = schema.if_contains("properties");
    const auto* known = properties == nullptr ? nullptr : properties->if_object();
    const auto* others = schema.if_contains("additionalProperties");
    for (const auto& member : members) {
      const auto* own = known == nullptr ? nullptr : known->if_contains(member.key());
      if (own != nullptr) {
        TRY(check(member.value(), *own, place(member.key()), depth + 1));
      } else if (others != nullptr && others->is_bool() && !others->get_bool()) {
        return refuse(place(member.key()), "is no known argument");
      } else if (others != nullptr) {
        TRY(check(member.value(), *others, place(member.key()), depth + 1));
      }
    }
    return {};
  }

  const Value& root_;
};

}  // namespace

Result<void> check(const Value& value, const Value& schema) {
  return Checker(schema).check(value, schema, "", 0);
}

}  // namespace assent::json
