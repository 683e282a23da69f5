#include "policy/review.h"

#include <algorithm>
#include <variant>

namespace assent::policy {

using vocabulary::Review;
using vocabulary::Risk;
using vocabulary::SandboxMode;

namespace {

struct IsChange {
  bool operator()(const vocabulary::PathEffect& e) const {
    return e.access != vocabulary::PathAccess::read;
  }
  bool operator()(const vocabulary::ExecuteEffect& e) const {
    return e.modelled == vocabulary::Modelled::no;
  }
  bool operator()(const vocabulary::ConnectEffect&) const { return true; }
  bool operator()(const vocabulary::CallEffect&) const { return true; }
  bool operator()(const vocabulary::OpaqueEffect&) const { return true; }
};

Judgement ask(std::string text) { return {Verdict::ask, "review", std::move(text)}; }

}  // namespace

bool makes_changes(const vocabulary::Effects& effects) {
  return std::ranges::any_of(effects,
                             [](const auto& effect) { return std::visit(IsChange{}, effect); });
}

Judgement review(Review knob, const Reviewed& call) {
  switch (call.risk) {
    case Risk::safe: return {Verdict::allow, "review"};
    case Risk::mutating:
    case Risk::dangerous: break;
    default: return {Verdict::deny, "unknown", "the tool declares a risk that nobody knows"};
  }
  if (call.mode == SandboxMode::danger_full_access) return {Verdict::allow, "review"};
  if (call.confined == Confined::no) return ask("no sandbox would confine this call");
  switch (knob) {
    case Review::mutations: return ask("every command and change is asked about");
    case Review::changes:
      if (makes_changes(call.effects)) return ask("every change is asked about");
      return {Verdict::allow, "review"};
    case Review::escalations: return {Verdict::allow, "review"};
  }
  return {Verdict::deny, "unknown", "the review knob has a value that nobody knows"};
}

}  // namespace assent::policy
