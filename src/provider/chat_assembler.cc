#include "provider/chat_assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"

namespace assent::provider {
namespace {

using base::ErrorKind;

base::Error unexpected_type(std::string_view where, std::string_view wanted) {
  return {ErrorKind::invalid, fmt::format("{}: expected {}", where, wanted)};
}

const json::Value* find(const json::Object& object, std::string_view key) {
  const json::Value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

// The member as text: empty where it is absent or null.
base::Result<std::string_view> text(const json::Object& object, std::string_view key) {
  const json::Value* value = find(object, key);
  if (value == nullptr) return std::string_view();
  if (const auto* string = value->if_string()) return std::string_view(*string);
  return base::failure(unexpected_type(key, "a text"));
}

// The texts of the parts {"type": "text", "text": …} of a list.
std::string joined_parts(const json::Value& parts) {
  std::string out;
  if (const auto* list = parts.if_array()) {
    for (const json::Value& part : *list) {
      const auto* object = part.if_object();
      const json::Value* words = object == nullptr ? nullptr : find(*object, "text");
      if (words != nullptr && words->is_string()) out += std::string_view(words->get_string());
    }
  } else if (const auto* string = parts.if_string()) {
    out = std::string_view(*string);
  }
  return out;
}

}  // namespace

base::Result<void> ChatAssembler::add(std::string_view data) {
  if (data == "[DONE]") done_ = true;
  if (done_) return {};
  const auto chunk = json::parse(data);
  if (!chunk) {
    return base::failure(chunk.error().in(
        fmt::format("the model's stream has data that is not JSON ({})", one_line(data, 80))));
  }
  const auto* object = chunk->if_object();
  if (object == nullptr) return base::failure(unexpected_type("the stream's data", "an object"));
  if (const json::Value* error = find(*object, "error")) {
    stream_error_ = api_error_from(*error);
    return base::failure(ErrorKind::unavailable, stream_error_->message);
  }
  add_usage(*object);
  const json::Value* choices = find(*object, "choices");
  if (choices == nullptr) return {};
  const auto* list = choices->if_array();
  if (list == nullptr) return base::failure(unexpected_type("choices", "a list"));
  for (const json::Value& choice : *list) {
    if (!choice.is_object()) return base::failure(unexpected_type("choices", "a list of objects"));
    const json::Value* index = find(choice.get_object(), "index");
    // One choice was asked for; another one would be mixed into it.
    if (index != nullptr && *index != json::Value(0)) continue;
    auto added = add_choice(choice.get_object());
    if (!added) {
      return base::failure(
          added.error().in(fmt::format("the model's stream ({})", one_line(data, 80))));
    }
  }
  return {};
}

base::Result<void> ChatAssembler::add_choice(const json::Object& choice) {
  if (const json::Value* value = find(choice, "delta")) {
    const auto* delta = value->if_object();
    if (delta == nullptr) return base::failure(unexpected_type("delta", "an object"));
    const std::string_view reasoning = TRY(text(*delta, "reasoning_content"));
    add_reasoning(reasoning.empty() ? TRY(text(*delta, "reasoning")) : reasoning);
    if (const json::Value* content = find(*delta, "content")) TRY(add_content(*content));
    add_text(TRY(text(*delta, "refusal")));
    if (const json::Value* calls = find(*delta, "tool_calls")) TRY(add_calls(*calls));
  }
  return add_finish(TRY(text(choice, "finish_reason")));
}

base::Result<void> ChatAssembler::add_content(const json::Value& content) {
  if (const auto* string = content.if_string()) {
    add_text(*string);
    return {};
  }
  const auto* parts = content.if_array();
  if (parts == nullptr) return base::failure(unexpected_type("content", "a text or a list"));
  for (const json::Value& part : *parts) {
    const auto* object = part.if_object();
    if (object == nullptr) return base::failure(unexpected_type("content", "a list of objects"));
    const std::string_view type = TRY(text(*object, "type"));
    if (type == "text") add_text(TRY(text(*object, "text")));
    if (const json::Value* thinking = find(*object, "thinking"); type == "thinking" && thinking) {
      add_reasoning(joined_parts(*thinking));
    }
  }
  return {};
}

void ChatAssembler::add_text(std::string_view words) {
  if (words.empty()) return;
  reply_.message.content.append(words);
  forwarded_ = true;
  sink_.text_delta(words);
}

void ChatAssembler::add_reasoning(std::string_view words) {
  if (words.empty()) return;
  reply_.message.reasoning.append(words);
  forwarded_ = true;
  sink_.reasoning_delta(words);
}

base::Result<void> ChatAssembler::add_calls(const json::Value& calls) {
  const auto* list = calls.if_array();
  if (list == nullptr) return base::failure(unexpected_type("tool_calls", "a list"));
  for (const json::Value& call : *list) {
    if (!call.is_object()) return base::failure(unexpected_type("tool_calls", "a list of objects"));
    TRY(add_call(call.get_object()));
  }
  return {};
}

base::Result<void> ChatAssembler::add_call(const json::Object& piece) {
  const std::string_view id = TRY(text(piece, "id"));
  vocabulary::ToolCall& call = *TRY(call_for(piece, id));
  if (call.id.empty()) call.id = vocabulary::CallId(std::string(id));
  const json::Value* value = find(piece, "function");
  if (value == nullptr) return {};
  const auto* function = value->if_object();
  if (function == nullptr) return base::failure(unexpected_type("function", "an object"));
  if (call.name.empty()) call.name = TRY(text(*function, "name"));
  const json::Value* arguments = find(*function, "arguments");
  if (arguments == nullptr) return {};
  // Ollama's native form leaks through some gateways: the object itself.
  const std::string written = arguments->is_object() ? json::write(*arguments) : std::string();
  const std::string_view more =
      arguments->is_object() ? std::string_view(written) : TRY(text(*function, "arguments"));
  if (call.arguments.size() + more.size() > base::limits::call_arguments) {
    return base::failure(ErrorKind::limit, fmt::format("a call's arguments exceed {} bytes",
                                                       base::limits::call_arguments));
  }
  call.arguments.append(more);
  return {};
}

base::Result<vocabulary::ToolCall*> ChatAssembler::call_for(const json::Object& piece,
                                                            std::string_view id) {
  const json::Value* value = find(piece, "index");
  std::optional<std::int64_t> index;
  if (value != nullptr) {
    if (!value->is_int64()) return base::failure(unexpected_type("index", "an integer"));
    index = value->get_int64();
  }
  const auto known = std::ranges::find_if(calls_, [&](const Slot& slot) {
    return index ? slot.index == index : !id.empty() && slot.call.id.text() == id;
  });
  if (known != calls_.end()) return &known->call;
  if (!index && id.empty() && !calls_.empty()) return &calls_.back().call;
  if (calls_.size() == base::limits::message_calls) {
    return base::failure(ErrorKind::limit,
                         fmt::format("more than {} calls", base::limits::message_calls));
  }
  return &calls_.emplace_back(Slot{.index = index, .call = {}}).call;
}

base::Result<void> ChatAssembler::add_finish(std::string_view reason) {
  static constexpr std::array<std::pair<std::string_view, Finish>, 8> reasons{{
      {"stop", Finish::stop},
      {"eos", Finish::stop},  // text-generation-inference
      {"tool_calls", Finish::tool_calls},
      {"function_call", Finish::tool_calls},
      {"length", Finish::length},
      {"model_length", Finish::length},  // Mistral
      {"content_filter", Finish::content_filter},
      {"sensitive", Finish::content_filter},  // Zhipu
  }};
  if (reason.empty()) return {};
  const auto* known =
      std::ranges::find(reasons, reason, [](const auto& pair) { return pair.first; });
  if (known == reasons.end()) {
    return base::failure(ErrorKind::invalid,
                         fmt::format("unknown finish_reason {}", one_line(reason, 40)));
  }
  finish_ = known->second;
  return {};
}

void ChatAssembler::add_usage(const json::Object& chunk) {
  const json::Value* usage = find(chunk, "usage");
  if (const json::Value* groq = find(chunk, "x_groq"); usage == nullptr && groq != nullptr) {
    if (const auto* object = groq->if_object()) usage = find(*object, "usage");
  }
  if (usage == nullptr || !usage->is_object()) return;
  const auto count = [&](std::string_view key, std::int64_t& out) {
    const json::Value* value = find(usage->get_object(), key);
    if (value != nullptr && value->is_int64() && value->get_int64() >= 0) out = value->get_int64();
  };
  count("prompt_tokens", reply_.usage.input_tokens);
  count("completion_tokens", reply_.usage.output_tokens);
}

bool ChatAssembler::complete() const { return finish_.has_value() || (done_ && calls_.empty()); }

base::Result<Reply> ChatAssembler::take() {
  if (!complete()) {
    return base::failure(ErrorKind::io, "the model's stream ended before the reply was complete");
  }
  reply_.message.role = vocabulary::Role::assistant;
  reply_.finish = finish_.value_or(Finish::stop);
  if (reply_.finish == Finish::length || reply_.finish == Finish::content_filter) {
    return std::move(reply_);
  }
  reply_.finish = calls_.empty() ? Finish::stop : Finish::tool_calls;
  auto& calls = reply_.message.calls;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    vocabulary::ToolCall call = std::move(calls_[i].call);
    if (call.name.empty()) {
      return base::failure(ErrorKind::invalid, "the model made a call without a tool's name");
    }
    if (call.arguments.empty()) call.arguments = "{}";
    const std::string given = call.id.empty() ? "call" : call.id.text();
    const auto taken = [&] {
      return std::ranges::count(calls, call.id, &vocabulary::ToolCall::id) != 0;
    };
    for (std::size_t n = i; call.id.empty() || taken(); ++n) {
      call.id = vocabulary::CallId(fmt::format("{}-{}", given, n));
    }
    calls.push_back(std::move(call));
  }
  return std::move(reply_);
}

}  // namespace assent::provider
