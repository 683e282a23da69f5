#pragma once
// The core of JSON Schema 2020-12 that tools' parameters use. Any thread.

#include <string_view>

#include "json/value.h"

namespace assent::json {

// Checks `value` against `schema`: type, properties, required, additionalProperties, items,
// prefixItems, enum, const, anyOf, oneOf, allOf, minimum, maximum, minLength, maxLength, minItems,
// maxItems and local $ref (#/$defs/…). Other keywords are annotations; beside patternProperties no
// key counts as additional. References never leave the document.
//
// ErrorKind::invalid: the value does not fit; the message names the place ("questions[0].id") and
// what was expected there. corrupt: the schema itself is broken where it was needed. limit: more
// nesting or work than limits.h allows, as a schema that refers to itself can cause.
base::Result<void> check(const Value& value, const Value& schema);

}  // namespace assent::json
