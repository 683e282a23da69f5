#pragma once
// The members of every event, named once: the writer and the reader of codec.cc both walk this
// list, so that what is written is what is read. Internal to `event`.

#include <concepts>
#include <type_traits>

#include "event/events.h"

namespace assent::event::detail {

template <class T, class U>
concept Same = std::same_as<std::remove_cvref_t<T>, U>;

// v(name, member) for each member; optional ones are absent where empty.
void fields(auto& v, Same<vocabulary::ToolCall> auto& e) {
  v("id", e.id);
  v("name", e.name);
  v("arguments", e.arguments);
}
void fields(auto& v, Same<vocabulary::Usage> auto& e) {
  v("inputTokens", e.input_tokens);
  v("outputTokens", e.output_tokens);
}
void fields(auto& v, Same<vocabulary::ExtraPermissions> auto& e) {
  v("write", e.write);
  v("connect", e.connect);
}
void fields(auto& v, Same<vocabulary::Confinement> auto& e) {
  v("mode", e.mode);
  v("extra", e.extra);
}
void fields(auto& v, Same<vocabulary::CallError> auto& e) {
  v("code", e.code);
  v("by", e.by);
  v("rule", e.rule);
}
void fields(auto& v, Same<DeniedOperation> auto& e) {
  v("operation", e.operation);
  v("subject", e.subject);
}

void fields(auto& v, Same<vocabulary::PathEffect> auto& e) {
  v("access", e.access);
  v("path", e.path);
  v("extent", e.extent);
}
void fields(auto& v, Same<vocabulary::ExecuteEffect> auto& e) {
  v("argv", e.argv);
  v("program", e.program);
  v("modelled", e.modelled);
}
void fields(auto& v, Same<vocabulary::ConnectEffect> auto& e) {
  v("host", e.host);
  v("port", e.port);
  v("protocol", e.protocol);
}
void fields(auto& v, Same<vocabulary::CallEffect> auto& e) { v("tool", e.tool); }
void fields(auto& v, Same<vocabulary::OpaqueEffect> auto& e) {
  v("text", e.text);
  v("reason", e.reason);
}

void fields(auto& v, Same<SessionOpened> auto& e) {
  v("version", e.version);
  v("cwd", e.cwd);
  v("parent", e.parent);
  v("origin", e.origin);
  v("depth", e.depth);
}
void fields(auto&, Same<SessionClosed> auto&) {}
void fields(auto& v, Same<TurnStarted> auto& e) { v("turn", e.turn); }
void fields(auto& v, Same<TurnEnded> auto& e) {
  v("turn", e.turn);
  v("reason", e.reason);
  v("detail", e.detail);
}
void fields(auto& v, Same<StepStarted> auto& e) {
  v("turn", e.turn);
  v("step", e.step);
}
void fields(auto& v, Same<StepEnded> auto& e) {
  v("turn", e.turn);
  v("step", e.step);
}
void fields(auto& v, Same<UserMessage> auto& e) {
  v("content", e.content);
  v("source", e.source);
}
void fields(auto& v, Same<AssistantMessage> auto& e) {
  v("content", e.content);
  v("toolCalls", e.calls);
  v("reasoning", e.reasoning);
  v("usage", e.usage);
}
void fields(auto& v, Same<RequestHeader> auto& e) {
  v("model", e.model);
  v("system", e.system);
  v("tools", e.tools);
}
void fields(auto& v, Same<ToolCalled> auto& e) {
  v("callId", e.call.id);
  v("name", e.call.name);
  v("arguments", e.call.arguments);
  v("replaces", e.replaces);
}
void fields(auto& v, Same<ToolCleared> auto& e) {
  v("callId", e.call_id);
  v("digest", e.digest);
  v("confinement", e.confinement);
  v("by", e.by);
}
void fields(auto& v, Same<ToolStarted> auto& e) { v("callId", e.call_id); }
void fields(auto& v, Same<ToolResult> auto& e) {
  v("callId", e.call_id);
  v("content", e.content);
  v("error", e.error);
}
void fields(auto& v, Same<ApprovalAsked> auto& e) {
  v("id", e.id);
  v("toolName", e.tool_name);
  v("callId", e.call_id);
  v("reason", e.reason);
  v("digest", e.digest);
  v("effects", e.effects);
  v("shown", e.shown);
}
void fields(auto& v, Same<ApprovalDecided> auto& e) {
  v("id", e.id);
  v("outcome", e.outcome);
  v("by", e.by);
  v("via", e.via);
  v("feedback", e.feedback);
  v("edited", e.edited);
}
void fields(auto& v, Same<SandboxModeSet> auto& e) { v("mode", e.mode); }
void fields(auto& v, Same<ApprovalPolicySet> auto& e) { v("policy", e.policy); }
void fields(auto& v, Same<ReviewSet> auto& e) { v("review", e.review); }
void fields(auto& v, Same<GrantModeSet> auto& e) { v("mode", e.mode); }
void fields(auto& v, Same<PresetSet> auto& e) { v("preset", e.preset); }
void fields(auto& v, Same<vocabulary::GrantScope> auto& e) {
  v("kind", e.kind);
  v("pattern", e.pattern);
}
void fields(auto& v, Same<GrantSaved> auto& e) {
  v("id", e.id);
  v("request", e.request);
  v("toolName", e.tool_name);
  v("workDir", e.work_dir);
  v("scope", e.scope);
  v("created", e.created_ms);
  v("expires", e.expires_ms);
}
void fields(auto& v, Same<GrantRevoked> auto& e) {
  v("id", e.id);
  v("by", e.by);
}
void fields(auto& v, Same<HookInvoked> auto& e) {
  v("callId", e.call_id);
  v("command", e.command);
}
void fields(auto& v, Same<HookResult> auto& e) {
  v("callId", e.call_id);
  v("decision", e.decision);
  v("reason", e.reason);
}
void fields(auto& v, Same<QuestionAsked> auto& e) {
  v("id", e.id);
  v("callId", e.call_id);
  v("questions", e.questions);
}
void fields(auto& v, Same<QuestionAnswered> auto& e) {
  v("id", e.id);
  v("by", e.by);
  v("answers", e.answers);
  v("error", e.error);
}
void fields(auto& v, Same<SandboxDenied> auto& e) {
  v("callId", e.call_id);
  v("evidence", e.evidence);
}

// The type on the wire; every alternative of Data has one.
template <class T>
inline constexpr std::string_view type_name = "";
template <>
inline constexpr std::string_view type_name<SessionOpened> = "session/opened";
template <>
inline constexpr std::string_view type_name<SessionClosed> = "session/closed";
template <>
inline constexpr std::string_view type_name<TurnStarted> = "turn/start";
template <>
inline constexpr std::string_view type_name<TurnEnded> = "turn/end";
template <>
inline constexpr std::string_view type_name<StepStarted> = "step/start";
template <>
inline constexpr std::string_view type_name<StepEnded> = "step/end";
template <>
inline constexpr std::string_view type_name<UserMessage> = "user/message";
template <>
inline constexpr std::string_view type_name<AssistantMessage> = "assistant/message";
template <>
inline constexpr std::string_view type_name<RequestHeader> = "request/header";
template <>
inline constexpr std::string_view type_name<ToolCalled> = "tool/call";
template <>
inline constexpr std::string_view type_name<ToolCleared> = "tool/cleared";
template <>
inline constexpr std::string_view type_name<ToolStarted> = "tool/started";
template <>
inline constexpr std::string_view type_name<ToolResult> = "tool/result";
template <>
inline constexpr std::string_view type_name<ApprovalAsked> = "approval/asked";
template <>
inline constexpr std::string_view type_name<ApprovalDecided> = "approval/decided";
template <>
inline constexpr std::string_view type_name<SandboxModeSet> = "sandbox/mode";
template <>
inline constexpr std::string_view type_name<ApprovalPolicySet> = "approval/policy";
template <>
inline constexpr std::string_view type_name<ReviewSet> = "policy/review";
template <>
inline constexpr std::string_view type_name<GrantModeSet> = "grant/mode";
template <>
inline constexpr std::string_view type_name<PresetSet> = "permission/preset";
template <>
inline constexpr std::string_view type_name<GrantSaved> = "grant/saved";
template <>
inline constexpr std::string_view type_name<HookInvoked> = "hook/invoked";
template <>
inline constexpr std::string_view type_name<HookResult> = "hook/result";
template <>
inline constexpr std::string_view type_name<GrantRevoked> = "grant/revoked";
template <>
inline constexpr std::string_view type_name<QuestionAsked> = "question/asked";
template <>
inline constexpr std::string_view type_name<QuestionAnswered> = "question/answered";
template <>
inline constexpr std::string_view type_name<SandboxDenied> = "sandbox/denied";

}  // namespace assent::event::detail
