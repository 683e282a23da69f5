#pragma once
// The first-party tools reduced to what they would do (policy.md, Effects). Pure.

#include <string>
#include <string_view>

#include "policy/path_view.h"
#include "vocabulary/effect.h"

namespace assent::policy {

vocabulary::Effects read_file_effects(std::string_view path, const PathView& view);
// Covers write_file and edit_file: both read what stands there and write it anew.
vocabulary::Effects write_file_effects(std::string_view path, const PathView& view);
// `command` is what stands behind `/bin/bash --noprofile --norc -c`. Its text is not taken apart:
// the whole of it is one `execute` of an unmodelled program, and opaque.
vocabulary::Effects bash_effects(std::string_view command, const PathView& view);

// The argv that runs `command`; what a prompt shows is what is executed.
std::vector<std::string> bash_argv(std::string_view command);

}  // namespace assent::policy
