#include "json/schema.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "json/number.h"
#include "json/quote.h"

namespace assent::json {
namespace {

namespace limits = base::limits;
using base::ErrorKind;
using base::Result;

std::string member_place(const std::string& place, std::string_view key) {
  return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
}

std::unexpected<base::Error> mismatch(const std::string& place, std::string_view expected) {
  return base::failure(ErrorKind::invalid, place.empty() ? std::string(expected)
                                                         : fmt::format("{}: {}", place, expected));
}

std::unexpected<base::Error> broken(std::string_view keyword, std::string_view why) {
  return base::failure(ErrorKind::corrupt, fmt::format("schema: {}: {}", keyword, why));
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

bool is_integral(const Value& value) {
  if (as_integer(value)) return true;
  const auto* const number = value.if_double();
  return number != nullptr && std::trunc(*number) == *number;
}

Result<bool> has_type(const Value& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return is_integral(value);
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  if (type == "null") return value.is_null();
  return broken("type", fmt::format("{} is no type", quote(type)));
}

// Keyword readers: absent is nullptr or nullopt, of a wrong kind is a broken schema.

Result<const Object*> object_keyword(const Object& schema, std::string_view keyword) {
  const Value* const value = schema.if_contains(keyword);
  if (value == nullptr) return nullptr;
  if (!value->is_object()) return broken(keyword, "expected an object");
  return &value->get_object();
}

Result<const Array*> array_keyword(const Object& schema, std::string_view keyword) {
  const Value* const value = schema.if_contains(keyword);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) return broken(keyword, "expected an array");
  return &value->get_array();
}

Result<std::optional<double>> number_keyword(const Object& schema, std::string_view keyword) {
  const Value* const value = schema.if_contains(keyword);
  if (value == nullptr) return std::nullopt;
  if (const auto number = as_double(*value)) return *number;
  return broken(keyword, "expected a number");
}

// One check of one value. Every schema that is applied is a step; steps and nesting are bounded, so
// that no schema, however it refers to itself, takes time without end.
class Check {
 public:
  explicit Check(const Value& root) : root_(&root) {}

  Result<void> apply(const Value& value, const Value& schema, const std::string& place) {
    TRY(step());
    if (const auto* const boolean = schema.if_bool()) {
      if (*boolean) return {};
      return mismatch(place, "no value is allowed here");
    }
    const auto* const object = schema.if_object();
    if (object == nullptr) return broken("schema", "expected an object or a boolean");
    if (depth_ == limits::schema_depth) {
      return base::failure(
          ErrorKind::limit,
          fmt::format("schema: nested or referring deeper than {} levels", limits::schema_depth));
    }
    ++depth_;
    auto result = keywords(value, *object, place);
    --depth_;
    return result;
  }

 private:
  Result<void> step() {
    if (++steps_ > limits::schema_steps) {
      return base::failure(ErrorKind::limit,
                           fmt::format("schema: more than {} steps", limits::schema_steps));
    }
    return {};
  }

  Result<void> keywords(const Value& value, const Object& schema, const std::string& place) {
    TRY(reference(value, schema, place));
    TRY(type(value, schema, place));
    TRY(equal(value, schema, place));
    TRY(combined(value, schema, place));
    if (value.is_number()) return number(value, schema, place);
    if (const auto* const text = value.if_string()) return length(*text, schema, place);
    if (const auto* const array = value.if_array()) return elements(*array, schema, place);
    if (const auto* const object = value.if_object()) return members(*object, schema, place);
    return {};
  }

  Result<void> reference(const Value& value, const Object& schema, const std::string& place) {
    const Value* const reference = schema.if_contains("$ref");
    if (reference == nullptr) return {};
    if (!reference->is_string()) return broken("$ref", "expected a string");
    const std::string_view target = reference->get_string();
    if (!target.starts_with('#')) {
      return broken("$ref", fmt::format("{} leaves the document", quote(target)));
    }
    boost::json::error_code code;
    const Value* const found = root_->find_pointer(target.substr(1), code);
    if (found == nullptr) return broken("$ref", fmt::format("{} names nothing", quote(target)));
    return apply(value, *found, place);
  }

  static Result<void> type(const Value& value, const Object& schema, const std::string& place) {
    const Value* const type = schema.if_contains("type");
    if (type == nullptr) return {};
    std::string names;
    const auto fits = [&](const Value& name) -> Result<bool> {
      if (!name.is_string()) return broken("type", "expected a string");
      const std::string_view text = name.get_string();
      names += names.empty() ? "" : " or ";
      names += text;
      return has_type(value, text);
    };
    if (const auto* const list = type->if_array()) {
      for (const Value& name : *list) {
        if (TRY(fits(name))) return {};
      }
    } else if (TRY(fits(*type))) {
      return {};
    }
    return mismatch(place, fmt::format("expected {}", names));
  }

  Result<void> equal(const Value& value, const Object& schema, const std::string& place) {
    if (const Value* const constant = schema.if_contains("const")) {
      const std::string wanted = write(*constant);
      if (write(value) != wanted) return mismatch(place, fmt::format("expected {}", shown(wanted)));
    }
    const Array* const choices = TRY(array_keyword(schema, "enum"));
    if (choices == nullptr) return {};
    const std::string text = write(value);
    std::string list;
    for (const Value& choice : *choices) {
      TRY(step());
      const std::string wanted = write(choice);
      if (text == wanted) return {};
      list += list.empty() ? "" : ", ";
      list += wanted;
    }
    return mismatch(place, fmt::format("expected one of {}", shown(list)));
  }

  Result<void> combined(const Value& value, const Object& schema, const std::string& place) {
    if (const Array* const all = TRY(array_keyword(schema, "allOf"))) {
      for (const Value& part : *all) TRY(apply(value, part, place));
    }
    if (const Array* const any = TRY(array_keyword(schema, "anyOf"))) {
      const Fits fits = TRY(count(value, *any, place, 1));
      if (fits.count == 0) return mismatch(place, none_of(*any, fits));
    }
    if (const Array* const one = TRY(array_keyword(schema, "oneOf"))) {
      const Fits fits = TRY(count(value, *one, place, 2));
      if (fits.count == 0) return mismatch(place, none_of(*one, fits));
      if (fits.count > 1) return mismatch(place, "fits more than one alternative of oneOf");
    }
    return {};
  }

  struct Fits {
    std::size_t count = 0;
    std::string first_error;
  };

  // How many alternatives fit, counted up to `enough`. A limit and a broken schema are no "does not
  // fit": they end the check.
  Result<Fits> count(const Value& value, const Array& alternatives, const std::string& place,
                     std::size_t enough) {
    Fits fits;
    for (const Value& alternative : alternatives) {
      auto result = apply(value, alternative, place);
      if (result) {
        if (++fits.count == enough) break;
      } else if (result.error().kind != ErrorKind::invalid) {
        return base::failure(std::move(result).error());
      } else if (fits.first_error.empty()) {
        fits.first_error = std::move(result).error().message;
      }
    }
    return fits;
  }

  static std::string none_of(const Array& alternatives, const Fits& fits) {
    return fmt::format("fits none of {} alternatives, of the first because: {}",
                       alternatives.size(), fits.first_error);
  }

  static Result<void> number(const Value& value, const Object& schema, const std::string& place) {
    const double number = as_double(value).value_or(0);
    const auto minimum = TRY(number_keyword(schema, "minimum"));
    if (minimum && number < *minimum) return mismatch(place, bound("at least", *minimum));
    const auto maximum = TRY(number_keyword(schema, "maximum"));
    if (maximum && number > *maximum) return mismatch(place, bound("at most", *maximum));
    return {};
  }

  static Result<void> length(std::string_view text, const Object& schema,
                             const std::string& place) {
    return size_between(characters(text), schema, {"minLength", "maxLength"}, place, "characters");
  }

  struct SizeKeywords {
    std::string_view minimum;
    std::string_view maximum;
  };

  static Result<void> size_between(std::size_t size, const Object& schema, SizeKeywords keywords,
                                   const std::string& place, std::string_view unit) {
    const auto count = static_cast<double>(size);
    const auto minimum = TRY(number_keyword(schema, keywords.minimum));
    if (minimum && count < *minimum) {
      return mismatch(place, fmt::format("{} {}", bound("at least", *minimum), unit));
    }
    const auto maximum = TRY(number_keyword(schema, keywords.maximum));
    if (maximum && count > *maximum) {
      return mismatch(place, fmt::format("{} {}", bound("at most", *maximum), unit));
    }
    return {};
  }

  Result<void> elements(const Array& array, const Object& schema, const std::string& place) {
    TRY(size_between(array.size(), schema, {"minItems", "maxItems"}, place, "items"));
    const Array* const prefix = TRY(array_keyword(schema, "prefixItems"));
    const Value* const items = schema.if_contains("items");
    for (std::size_t index = 0; index < array.size(); ++index) {
      const bool in_prefix = prefix != nullptr && index < prefix->size();
      const Value* const wanted = in_prefix ? &(*prefix)[index] : items;
      if (wanted == nullptr) break;
      TRY(apply(array[index], *wanted, fmt::format("{}[{}]", place, index)));
    }
    return {};
  }

  Result<void> members(const Object& object, const Object& schema, const std::string& place) {
    if (const Array* const required = TRY(array_keyword(schema, "required"))) {
      for (const Value& key : *required) {
        if (!key.is_string()) return broken("required", "expected strings");
        if (!object.contains(key.get_string())) {
          return mismatch(member_place(place, key.get_string()), "missing");
        }
      }
    }
    const Object* const properties = TRY(object_keyword(schema, "properties"));
    // Which keys a pattern covers is not decided here, so no key counts as additional beside one.
    const Value* const additional =
        schema.contains("patternProperties") ? nullptr : schema.if_contains("additionalProperties");
    for (const auto& member : object) {
      const Value* const named =
          properties == nullptr ? nullptr : properties->if_contains(member.key());
      const Value* const wanted = named != nullptr ? named : additional;
      if (wanted == nullptr) continue;
      if (named == nullptr && wanted->is_bool() && !wanted->get_bool()) {
        return mismatch(place, fmt::format("unknown member {}", quote(member.key())));
      }
      TRY(apply(member.value(), *wanted, member_place(place, member.key())));
    }
    return {};
  }

  static std::string bound(std::string_view relation, double number) {
    std::string text = fmt::format("expected {} ", relation);
    append_number(text, number);
    return text;
  }

  // A list of values as far as a message holds it.
  static std::string shown(const std::string& list) {
    constexpr std::size_t shown_max = 400;
    if (list.size() <= shown_max) return list;
    std::size_t end = shown_max;
    while (end > 0 && (static_cast<unsigned char>(list[end]) & 0xc0U) == 0x80) --end;
    return list.substr(0, end) + "…";
  }

  const Value* root_;
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

Result<void> check(const Value& value, const Value& schema) {
  return Check(schema).apply(value, schema, "");
}

}  // namespace assent::json
