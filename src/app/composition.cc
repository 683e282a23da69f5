#include "app/composition.h"

#include <unistd.h>

#include <array>
#include <utility>

#include "approval/handler_channel.h"
#include "base/limits.h"
#include "builtin/ask_user_question.h"
#include "builtin/bash.h"
#include "builtin/file_tools.h"
#include "builtin/file_worker.h"
#include "builtin/spawn_agent.h"
#include "sandbox/environment.h"
#include "store/sqlite_event_store.h"

namespace assent::app {

using base::Result;

Result<std::unique_ptr<Ground>> lay_ground(const Places& places) {
  auto ground = std::make_unique<Ground>();
  ground->launcher = TRY(sandbox::Launcher::create(std::array{builtin::file_worker}));
  ground->store = TRY(store::SqliteEventStore::create(places.store_file()));
  return ground;
}

Composition::Composition(const Plan& plan, Ground& ground)
    : inbox_(ground.clock),
      parts_{.tools = registry_,
             .pre_execute = pre_execute_,
             .guards = guards_,
             .approval = [this] { return &approval_; },
             .sandbox = {.enforcement = ground.launcher->self_test().enforcement,
                         .partial_accepted = plan.settings.accept_partial,
                         .missing = ground.launcher->self_test().missing},
             .language = plan.settings.language,
             .search_path = sandbox::command_path(::environ),
             .grant_ttl = plan.settings.grant_ttl,
             .question_ttl = plan.settings.question_ttl} {}

Result<std::unique_ptr<Composition>> Composition::create(const Plan& plan, Ground& ground,
                                                         provider::Provider& provider) {
  std::unique_ptr<Composition> house(new Composition(plan, ground));
  TRY(house->open_session(plan, ground));
  TRY(house->add_tools(plan, ground, provider));
  TRY(house->add_channel(plan.channel, ground));
  agent::Services services{.session = *house->session_,
                           .provider = provider,
                           .pipeline = house->pipeline_,
                           .tools = house->registry_,
                           .roll = house->roll_,
                           .reporter = plan.channel.reporter,
                           .step_limit = plan.step_limit,
                           .language = plan.settings.language};
  if (plan.at_limit == AtLimit::ask) services.at_limit = &house->questions_;
  house->agent_ = std::make_unique<agent::Agent>(services, plan.workspace);
  return house;
}

Result<void> Composition::open_session(const Plan& plan, Ground& ground) {
  const session::Services services{*ground.store, ground.clock, ground.rng};
  const auto& preset = plan.settings.preset;
  const auto* spec = preset.empty() ? &presets_.default_spec() : TRY(presets_.find(preset));
  if (plan.resume.empty()) {
    session_ = TRY(session::Session::create(services, {.cwd = plan.workspace, .origin = "user"}));
    return permission::pin_preset(*session_, *spec);
  }
  session_ = TRY(session::Session::resume(services, plan.resume));
  std::vector<event::Data> revoked;
  // What a human granted to the earlier run, nobody grants to this one.
  for (const auto& grant : session_->state().grants())
    revoked.emplace_back(event::GrantRevoked{grant, "resume"});
  TRY(session_->append(std::move(revoked)));
  // Only a preset that the user names now changes what the session recorded.
  return preset.empty() ? Result<void>() : permission::switch_preset(*session_, presets_, preset);
}

Result<void> Composition::add_tools(const Plan& plan, Ground& ground,
                                    provider::Provider& provider) {
  children_ = std::make_unique<agent::Children>(
      agent::Nursery{.session = {*ground.store, ground.clock, ground.rng},
                     .provider = provider,
                     .parts = parts_,
                     .tools = registry_,
                     .roll = roll_,
                     .work_dir = plan.workspace});
  const builtin::Sandboxed sandboxed{.launcher = *ground.launcher,
                                     .workspace = plan.workspace,
                                     .masked = masked_paths(plan.places)};
  const std::array<std::shared_ptr<tool::Tool>, 6> tools{
      std::make_shared<builtin::ReadFile>(sandboxed),
      std::make_shared<builtin::WriteFile>(sandboxed),
      std::make_shared<builtin::EditFile>(sandboxed),
      std::make_shared<builtin::Bash>(sandboxed),
      std::make_shared<builtin::AskUserQuestion>(questions_),
      std::make_shared<builtin::SpawnAgent>(*children_)};
  for (const auto& tool : tools) registrations_.push_back(TRY(registry_.add(tool)));
  if (!plan.settings.hooks.empty()) {
    registrations_.push_back(pre_execute_.add(
        listener::hook_listener(plan.settings.hooks, *ground.launcher, plan.workspace)));
  }
  return {};
}

Result<void> Composition::add_channel(const Channel& channel, Ground& ground) {
  if (channel.handler != nullptr) {
    grants_ = std::make_unique<approval::SessionGrants>(*session_, ground.clock);
    gate_ =
        std::make_unique<approval::Gate>(gate_policy_, inbox_, *grants_, ground.clock, ground.rng);
    registrations_.push_back(
        inbox_.join(std::make_shared<approval::HandlerChannel>(inbox_, *channel.handler)));
    registrations_.push_back(approval_.add_answerer(approval::gate_answerer(*gate_)));
  }
  if (channel.questions != nullptr) {
    registrations_.push_back(TRY(questions_.provide(*channel.questions)));
  }
  return {};
}

}  // namespace assent::app
