#pragma once
// What the model is told beside the conversation: who it is, and what its session permits.

#include <string>

#include "vocabulary/modes.h"

namespace assent::agent {

// The system prompt of every request; the same for the whole session.
std::string system_prompt(const std::string& work_dir);

// The runtime context: sandbox mode, then approval policy (P-106, B-117 … B-119). A logged user
// message, written again only where it changed.
std::string context_text(const vocabulary::Knobs& knobs);

// What a child is told of itself before its task (P-082).
std::string child_text();

// B-116.
std::string policy_changed_text(vocabulary::ApprovalPolicy previous,
                                vocabulary::ApprovalPolicy policy);

inline constexpr const char* source_user = "user";
inline constexpr const char* source_context = "context";
inline constexpr const char* source_user_approval = "plugin:user-approval";

}  // namespace assent::agent
