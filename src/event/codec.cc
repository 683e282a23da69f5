#include "event/codec.h"

#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "crypto/sha256.h"
#include "event/fields.h"
#include "event/words.h"

namespace assent::event {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_vector = false;
template <class T>
constexpr bool is_vector<std::vector<T>> = true;
template <class T>
constexpr bool is_id = false;
template <class T>
constexpr bool is_id<base::Id<T>> = true;

// --- writing -------------------------------------------------------------------------------------

template <class T>
json::Value write_value(const T& value);

struct Writer {
  json::Object object;
  template <class T>
  void operator()(std::string_view name, const T& member) {
    if constexpr (is_optional<T>) {
      if (member) object.emplace(name, write_value(*member));
    } else {
      object.emplace(name, write_value(member));
    }
  }
};

template <class T>
json::Value write_value(const T& value) {
  if constexpr (std::is_same_v<T, json::Value>) {
    return value;
  } else if constexpr (is_id<T>) {
    return json::Value(value.text());
  } else if constexpr (std::is_enum_v<T>) {
    return json::Value(word(value));
  } else if constexpr (is_vector<T>) {
    json::Array array;
    for (const auto& element : value) array.push_back(write_value(element));
    return array;
  } else if constexpr (std::is_same_v<T, vocabulary::Effect>) {
    return std::visit(
        [](const auto& effect) {
          json::Value written = write_value(effect);
          written.as_object().emplace("kind", effect_kind<std::remove_cvref_t<decltype(effect)>>);
          return written;
        },
        value);
  } else if constexpr (std::is_integral_v<T>) {
    return json::Value(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return json::Value(value);
  } else {
    Writer writer;
    detail::fields(writer, value);
    return std::move(writer.object);
  }
}

// --- reading -------------------------------------------------------------------------------------

template <class T>
Result<void> read_value(const json::Value& value, T& out);

struct Reader {
  const json::Object& object;
  std::size_t taken = 0;
  std::optional<base::Error> error{};

  template <class T>
  void operator()(std::string_view name, T& member) {
    if (error) return;
    const auto* value = object.if_contains(name);
    if (value == nullptr) {
      if constexpr (!is_optional<T>) {
        error = base::Error{ErrorKind::corrupt, fmt::format("{}: missing", name)};
      }
      return;
    }
    ++taken;
    Result<void> read;
    if constexpr (is_optional<T>) {
      read = read_value(*value, member.emplace());
    } else {
      read = read_value(*value, member);
    }
    if (!read) error = read.error().in(name);
  }
};

Result<void> expected(std::string_view what) {
  return failure(ErrorKind::corrupt, fmt::format("expected {}", what));
}

template <class Alternative>
Result<void> read_alternative(const json::Object& object, vocabulary::Effect& out) {
  json::Object without_kind(object);
  without_kind.erase("kind");
  return read_value(json::Value(std::move(without_kind)), out.emplace<Alternative>());
}

Result<void> read_effect(const json::Value& value, vocabulary::Effect& out) {
  const auto* object = value.if_object();
  const auto* kind = object == nullptr ? nullptr : object->if_contains("kind");
  if (kind == nullptr || !kind->is_string()) return expected("an effect with a kind");
  const std::string_view name = kind->get_string();
  if (name == effect_kind<vocabulary::PathEffect>) {
    return read_alternative<vocabulary::PathEffect>(*object, out);
  }
  if (name == effect_kind<vocabulary::ExecuteEffect>) {
    return read_alternative<vocabulary::ExecuteEffect>(*object, out);
  }
  if (name == effect_kind<vocabulary::ConnectEffect>) {
    return read_alternative<vocabulary::ConnectEffect>(*object, out);
  }
  if (name == effect_kind<vocabulary::CallEffect>) {
    return read_alternative<vocabulary::CallEffect>(*object, out);
  }
  if (name == effect_kind<vocabulary::OpaqueEffect>) {
    return read_alternative<vocabulary::OpaqueEffect>(*object, out);
  }
  return expected("a known kind of effect");
}

template <class T>
Result<void> read_members(const json::Value& value, T& out) {
  const auto* object = value.if_object();
  if (object == nullptr) return expected("an object");
  Reader reader{*object};
  detail::fields(reader, out);
  if (reader.error) return failure(*reader.error);
  if (reader.taken != object->size()) return expected("no other members");
  return {};
}

template <class T>
Result<void> read_vector(const json::Value& value, T& out) {
  const auto* array = value.if_array();
  if (array == nullptr) return expected("an array");
  for (std::size_t i = 0; i < array->size(); ++i) {
    auto read = read_value((*array)[i], out.emplace_back());
    if (!read) return failure(read.error().in(fmt::format("[{}]", i)));
  }
  return {};
}

template <class T>
Result<void> read_value(const json::Value& value, T& out) {
  if constexpr (std::is_same_v<T, json::Value>) {
    out = value;
    return {};
  } else if constexpr (is_id<T>) {
    if (!value.is_string()) return expected("text");
    out = T(std::string(value.get_string()));
    return {};
  } else if constexpr (std::is_enum_v<T>) {
    if (!value.is_string()) return expected("a word");
    const auto known = from_word<T>(value.get_string());
    if (!known) return expected("a known word");
    out = *known;
    return {};
  } else if constexpr (is_vector<T>) {
    return read_vector(value, out);
  } else if constexpr (std::is_same_v<T, vocabulary::Effect>) {
    return read_effect(value, out);
  } else if constexpr (std::is_integral_v<T>) {
    // Canonical JSON writes larger ones as the double they become (RFC 8785).
    static constexpr std::int64_t inexact = std::int64_t{1} << 53;
    if (!value.is_int64()) return expected("an integer");
    if (value.get_int64() < 0 || value.get_int64() >= inexact ||
        !std::in_range<T>(value.get_int64())) {
      return expected("an integer in range");
    }
    out = static_cast<T>(value.get_int64());
    return {};
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) return expected("text");
    out = std::string(value.get_string());
    return {};
  } else {
    return read_members(value, out);
  }
}

template <std::size_t Index = 0>
Result<Data> read_data(std::string_view type, const json::Value& value) {
  if constexpr (Index == std::variant_size_v<Data>) {
    return failure(ErrorKind::corrupt, fmt::format("unknown event type \"{}\"", type));
  } else {
    using Alternative = std::variant_alternative_t<Index, Data>;
    static_assert(!detail::type_name<Alternative>.empty(), "every event needs a type on the wire");
    if (type != detail::type_name<Alternative>) return read_data<Index + 1>(type, value);
    Alternative data;
    auto read = read_members(value, data);
    if (!read) return failure(read.error().in(type));
    return Data(std::move(data));
  }
}

// --- sealing -------------------------------------------------------------------------------------

// JCS of the event without its hashes: the members stand in key order and `data` is canonical
// already.
std::string hashed_text(const vocabulary::SessionId& session, const Record& record) {
  std::string text;
  text.reserve(record.data.size() + 160);
  text.append(R"({"data":)").append(record.data);
  text.append(R"(,"seq":)").append(std::to_string(record.seq));
  text.append(R"(,"session":)").append(json::write_text(session.text()));
  text.append(R"(,"time_ms":)").append(std::to_string(record.time_ms));
  text.append(R"(,"type":)").append(json::write_text(record.type)).append("}");
  return text;
}

Result<std::string> chained_hash(const vocabulary::SessionId& session, const Record& record) {
  static constexpr std::string_view domain("assent event v1\0", 16);
  const auto previous = TRY(crypto::from_hex(record.prev_hash));
  crypto::Sha256 hash;
  hash.update(domain);
  hash.update(previous);
  hash.update(hashed_text(session, record));
  return crypto::to_hex(hash.finish());
}

Result<Data> read_record(const Record& record) {
  static constexpr json::Bounds bounds{.depth = base::limits::event_depth,
                                       .size = base::limits::event_size};
  return read_data(record.type, TRY(json::parse(record.data, bounds)));
}

}  // namespace

std::string_view to_text(TurnEndReason reason) { return turn_end_words.text(reason); }

std::string first_prev_hash() { return std::string(64, '0'); }

std::string_view type_of(const Data& data) {
  return std::visit(
      [](const auto& event) { return detail::type_name<std::remove_cvref_t<decltype(event)>>; },
      data);
}

json::Value to_json(const Data& data) {
  return std::visit([](const auto& event) { return write_value(event); }, data);
}

Result<Data> from_json(std::string_view type, const json::Value& value) {
  return read_data(type, value);
}

Result<Record> seal(const Event& event, const std::string& prev_hash) {
  Record record{.seq = event.seq,
                .time_ms = event.time_ms,
                .type = std::string(type_of(event.data)),
                .data = json::write(to_json(event.data)),
                .prev_hash = prev_hash,
                .hash = {}};
  const auto back = read_record(record);
  if (!back) {
    const base::ErrorKind kind =
        back.error().kind == ErrorKind::limit ? ErrorKind::limit : ErrorKind::invalid;
    return failure(kind, fmt::format("{} cannot be logged: {}", record.type, back.error().message));
  }
  if (*back != event.data) {
    return failure(ErrorKind::invalid,
                   fmt::format("{} cannot be logged: it would read back differently, as text that "
                               "is not UTF-8 does",
                               record.type));
  }
  record.hash = TRY(chained_hash(event.session, record));
  return record;
}

Result<Event> open(const vocabulary::SessionId& session, const Record& record) {
  const auto hash = chained_hash(session, record);
  if (!hash || *hash != record.hash) {
    return failure(ErrorKind::corrupt,
                   fmt::format("event {} of session {}: its hash does not fit its content",
                               record.seq, session.text()));
  }
  auto data = read_record(record);
  if (!data) {
    return failure(ErrorKind::corrupt, fmt::format("event {} of session {}: {}", record.seq,
                                                   session.text(), data.error().message));
  }
  return Event{
      .session = session, .seq = record.seq, .time_ms = record.time_ms, .data = std::move(*data)};
}

std::string to_line(const vocabulary::SessionId& session, const Record& record) {
  return fmt::format(
      R"({{"data":{},"hash":"{}","prev_hash":"{}","seq":{},"session":{},"time_ms":{},"type":{}}})",
      record.data, record.hash, record.prev_hash, record.seq, json::write_text(session.text()),
      record.time_ms, json::write_text(record.type));
}

}  // namespace assent::event
