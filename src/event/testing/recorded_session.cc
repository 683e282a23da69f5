#include "event/testing/recorded_session.h"

#include <boost/json.hpp>

namespace assent::event::testing {
namespace {

using vocabulary::CallId;
using vocabulary::GrantId;
using vocabulary::QuestionId;
using vocabulary::RequestId;
using vocabulary::ToolCall;

const ToolCall build{CallId("call_1"), "bash", R"({"command":"make -C src \"all\""})"};
const ToolCall ask{CallId("call_2"), "ask_user_question", R"({"questions":[]})"};
const ToolCall refused{CallId("call_3"), "write_file", "no JSON at all"};

vocabulary::Effects every_effect() {
  using namespace vocabulary;
  return {PathEffect{PathAccess::remove, "/w/out", PathExtent::subtree},
          PathEffect{PathAccess::write, "/w/a.txt", PathExtent::path},
          PathEffect{PathAccess::read, "/w/über", PathExtent::path},
          ExecuteEffect{{"make", "-C", "src"}, "/usr/bin/make", Modelled::yes},
          ExecuteEffect{{"frob"}, "", Modelled::no},
          ConnectEffect{"example.com", 65535, "tcp"},
          CallEffect{"mcp__files__list"},
          OpaqueEffect{"eval $x", "a variable decides what runs"}};
}

void add_opening(std::vector<Data>& log) {
  using namespace vocabulary;
  log.insert(log.end(), {SessionOpened{.cwd = "/w/übung",
                                       .parent = SessionId("0192f0c1-0000-7000-8000-000000000009"),
                                       .origin = "subagent",
                                       .depth = 1},
                         SandboxModeSet{SandboxMode::danger_full_access},
                         ApprovalPolicySet{ApprovalPolicy::never}, ReviewSet{Review::changes},
                         GrantModeSet{GrantMode::scoped}, PresetSet{"careful"}});
}

void add_decision(std::vector<Data>& log) {
  using namespace vocabulary;
  log.insert(log.end(),
             {ToolCalled{.call = build}, ToolCalled{.call = ask}, ToolCalled{.call = refused},
              ApprovalAsked{.id = RequestId("r1"),
                            .tool_name = "bash",
                            .call_id = build.id,
                            .reason = "outside the workspace",
                            .digest = "d1",
                            .effects = every_effect(),
                            .shown = "bash: make -C src all"},
              ApprovalDecided{.id = RequestId("r1"),
                              .outcome = ApprovalOutcome::allowed_once,
                              .by = "terminal:ann",
                              .via = GrantId("g0"),
                              .feedback = "mind the\tcache",
                              .edited = vocabulary::CallId("c1#2")},
              HookInvoked{.call_id = build.id, .command = {"./check", "-q"}},
              HookResult{.call_id = build.id, .decision = "ask", .reason = "sure?"},
              GrantSaved{.id = GrantId("g1"),
                         .request = RequestId("r1"),
                         .tool_name = "bash",
                         .work_dir = "/w",
                         .scope = {vocabulary::GrantKind::exact, "d1"},
                         .created_ms = 1,
                         .expires_ms = 1'700'001'800'000},
              ToolCleared{.call_id = build.id,
                          .digest = "d1",
                          .confinement = {SandboxMode::workspace_write,
                                          {{"/var/tmp"}, {"example.com:443"}}},
                          .by = "r1"},
              ToolCleared{.call_id = ask.id, .digest = "d2", .by = "review"}});
}

void add_execution(std::vector<Data>& log) {
  using namespace vocabulary;
  log.insert(
      log.end(),
      {ToolStarted{build.id}, SandboxDenied{build.id, {{"write", "/etc/x"}, {"connect", "h:1"}}},
       ToolResult{.call_id = build.id,
                  .content = "exit 2",
                  .error = CallError{ErrorCode::sandbox_denied, "guard", "no-etc"}},
       ToolStarted{ask.id},
       QuestionAsked{QuestionId("q1"), ask.id,
                     json::Value{{{"id", "a"}, {"options", json::Array{"x", 1, nullptr, true}}}}},
       QuestionAnswered{.id = QuestionId("q1"),
                        .by = "web:ann",
                        .answers = json::Value{{"a", "x"}},
                        .error = ErrorCode::ask_aborted},
       ToolResult{.call_id = ask.id, .content = "x 😀\u2028"},
       ToolCalled{.call = {CallId("call_3#2"), "write_file", "{}"}, .replaces = refused.id},
       ToolResult{.call_id = refused.id, .content = "", .error = CallError{}}});
}

}  // namespace

std::vector<Data> recorded_session() {
  std::vector<Data> log;
  add_opening(log);
  log.insert(log.end(), {TurnStarted{1}, StepStarted{1, 1}, UserMessage{"do \"it\"\n", "user"},
                         RequestHeader{"m-1", "You are …", json::Array{{{"name", "bash"}}}},
                         AssistantMessage{.content = "I will.",
                                          .calls = {build, ask, refused},
                                          .reasoning = "because",
                                          .usage = {12, 34}}});
  add_decision(log);
  add_execution(log);
  log.insert(log.end(), {StepEnded{1, 1}, StepStarted{1, 2}, AssistantMessage{.content = "Done."},
                         StepEnded{1, 2}, GrantRevoked{vocabulary::GrantId("g1"), "terminal:ann"},
                         TurnEnded{1, TurnEndReason::limit, "turn_steps"}, SessionClosed{}});
  return log;
}

}  // namespace assent::event::testing
