#pragma once
// What the user configured: the file, then the command line over it.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/limits.h"
#include "base/result.h"
#include "listener/hook.h"
#include "tool/texts.h"

namespace assent::app {

struct Settings {
  std::string preset{};                                    // empty: the default one
  std::string model{};                                     // [provider] model, or --model
  std::string base_url{};                                  // [provider] base_url, or --base-url
  bool accept_partial = false;                             // [sandbox] accept_partial
  base::Milliseconds grant_ttl = base::limits::grant_ttl;  // [approval] grant_ttl
  base::Milliseconds question_ttl{};  // [approval] question_ttl; 0 waits as long as it takes
  tool::Language language = tool::Language::en;
  std::vector<listener::HookSpec> hooks{};  // [[hook]]
  bool operator==(const Settings&) const = default;
};

// TOML. A missing file is the default settings; one that cannot be read or understood in full, an
// unknown key included, is ErrorKind::invalid with file, line and what to do.
base::Result<Settings> load_settings(const std::string& file);
base::Result<Settings> parse_settings(std::string_view text, const std::string& file);

base::Result<tool::Language> language_from(std::string_view text);
// "90s", "30m", "2h", "250ms"; at most a year.
base::Result<base::Milliseconds> duration_from(std::string_view text);

}  // namespace assent::app
