#pragma once
// The core of JSON Schema 2020-12 that tools' parameters use. Any thread.

#include <string_view>

#include "json/value.h"

namespace assent::json {

// Checks `value` against `schema`: type, properties, required, additionalProperties, items, enum,
// const, anyOf, oneOf, allOf, minimum, maximum, minLength, maxLength, minItems, maxItems and local
// $ref (#/$defs/…). Other keywords are annotations. The error names the place ("questions[0].id")
// and what was expected there. References never leave the document; their depth is bounded.
base::Result<void> check(const Value& value, const Value& schema);

}  // namespace assent::json
