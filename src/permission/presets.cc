#include "permission/presets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace assent::permission {

using base::ErrorKind;
using base::failure;
using base::Result;
using vocabulary::ApprovalPolicy;
using vocabulary::GrantMode;
using vocabulary::Knobs;
using vocabulary::Review;
using vocabulary::SandboxMode;

Result<PresetTable> PresetTable::create(std::vector<PresetSpec> specs,
                                        std::string_view default_name) {
  PresetTable table;
  for (const auto& spec : specs) {
    if (spec.name.empty() || spec.name == custom_preset) {
      return failure(ErrorKind::invalid,
                     fmt::format("a preset may not be named \"{}\"", spec.name));
    }
    if (std::ranges::count(specs, spec.name, &PresetSpec::name) > 1) {
      return failure(ErrorKind::invalid, fmt::format("two presets are named \"{}\"", spec.name));
    }
  }
  const auto found = std::ranges::find(specs, default_name, &PresetSpec::name);
  if (found == specs.end()) {
    return failure(ErrorKind::invalid,
                   fmt::format("the default preset \"{}\" is not in the table", default_name));
  }
  table.default_ = static_cast<std::size_t>(found - specs.begin());
  table.specs_ = std::move(specs);
  return table;
}

PresetTable PresetTable::shipped() {
  return MUST(create(
      {{"workspace-write",
        {SandboxMode::workspace_write, ApprovalPolicy::ask, Review::escalations, GrantMode::off},
        "work in this folder; leaving it is asked"},
       {"danger-full-access",
        {SandboxMode::danger_full_access, ApprovalPolicy::never, Review::escalations,
         GrantMode::off},
        "everything you can do, nothing is asked"},
       {"careful",
        {SandboxMode::workspace_write, ApprovalPolicy::ask, Review::changes, GrantMode::scoped},
        "work in this folder; every change is asked, and may be allowed for a while"},
       {"read-only",
        {SandboxMode::read_only, ApprovalPolicy::ask, Review::escalations, GrantMode::off},
        "look only; every change is asked"},
       {"ci",
        {SandboxMode::workspace_write, ApprovalPolicy::never, Review::escalations, GrantMode::off},
        "work in this folder; nothing is asked, leaving it is refused"}},
      "workspace-write"));
}

Result<const PresetSpec*> PresetTable::find(std::string_view name) const {
  const auto found = std::ranges::find(specs_, name, &PresetSpec::name);
  if (found != specs_.end()) return &*found;
  std::string known;
  for (const auto& spec : specs_) known += (known.empty() ? "" : ", ") + spec.name;
  return failure(ErrorKind::not_found,
                 fmt::format("there is no preset \"{}\"; the presets are {}", name, known));
}

std::string_view PresetTable::current(const event::State& state) const {
  const auto fits = [&](const PresetSpec& spec) { return spec.knobs == state.knobs(); };
  const auto chosen = std::ranges::find(specs_, state.preset_choice(), &PresetSpec::name);
  if (chosen != specs_.end() && fits(*chosen)) return chosen->name;
  const auto first = std::ranges::find_if(specs_, fits);
  return first == specs_.end() ? custom_preset : std::string_view(first->name);
}

namespace {

// What leads from the session's knobs to `wanted`.
std::vector<event::Data> knob_events(const event::State& state, const Knobs& wanted) {
  const Knobs& now = state.knobs();
  std::vector<event::Data> events;
  if (now.sandbox != wanted.sandbox) events.emplace_back(event::SandboxModeSet{wanted.sandbox});
  if (now.approval != wanted.approval) {
    events.emplace_back(event::ApprovalPolicySet{wanted.approval});
  }
  if (now.review != wanted.review) events.emplace_back(event::ReviewSet{wanted.review});
  if (now.grants != wanted.grants) events.emplace_back(event::GrantModeSet{wanted.grants});
  if (vocabulary::narrows(now, wanted)) {
    for (const auto& grant : state.grants()) {
      events.emplace_back(event::GrantRevoked{.id = grant, .by = "narrowing"});
    }
  }
  return events;
}

}  // namespace

Result<void> switch_preset(session::Session& session, const PresetTable& table,
                           std::string_view name) {
  const PresetSpec* spec = TRY(table.find(name));
  auto events = knob_events(session.state(), spec->knobs);
  if (events.empty() && session.state().preset_choice() == spec->name) return {};
  events.emplace_back(event::PresetSet{spec->name});
  return session.append(std::move(events));
}

Result<void> set_policy(session::Session& session, ApprovalPolicy policy) {
  Knobs wanted = session.state().knobs();
  wanted.approval = policy;
  return session.append(knob_events(session.state(), wanted));
}

Result<void> pin_preset(session::Session& session, const PresetSpec& spec) {
  return session.append({event::SandboxModeSet{spec.knobs.sandbox},
                         event::ApprovalPolicySet{spec.knobs.approval},
                         event::ReviewSet{spec.knobs.review},
                         event::GrantModeSet{spec.knobs.grants}, event::PresetSet{spec.name}});
}

std::string in_words(const Knobs& knobs) {
  const auto writes = [&] {
    switch (knobs.sandbox) {
      case SandboxMode::read_only: return "nothing";
      case SandboxMode::workspace_write: return "this folder";
      case SandboxMode::danger_full_access: return "everything you can";
    }
    return "nothing";
  }();
  const bool full = knobs.sandbox == SandboxMode::danger_full_access;
  const auto asks = [&] {
    if (knobs.approval == ApprovalPolicy::never) {
      return full ? "nothing" : "nothing, refuses instead";
    }
    switch (knobs.review) {
      case Review::mutations: return "before every command and change";
      case Review::changes: return "before every change";
      case Review::escalations: return full ? "nothing" : "to leave it";
    }
    return "before everything";
  }();
  return fmt::format("writes: {} · network: {} · asks: {}", writes, full ? "on" : "off", asks);
}

}  // namespace assent::permission
