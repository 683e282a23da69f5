#pragma once
// What a call would do: one reduction that feeds rules, prompt, grant, conflict check and log
// (policy.md, Effects).

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace assent::vocabulary {

enum class PathAccess : std::uint8_t { read, write, remove };
enum class PathExtent : std::uint8_t { path, subtree };

// `path` is absolute with links resolved.
struct PathEffect {
  PathAccess access = PathAccess::read;
  std::string path;
  PathExtent extent = PathExtent::path;
  bool operator==(const PathEffect&) const = default;
};

// Whether policy has a model of the program; one without is asked about under review `changes`.
enum class Modelled : std::uint8_t { no, yes };

// `program` is the resolved path, empty where it was not found.
struct ExecuteEffect {
  std::vector<std::string> argv;
  std::string program;
  Modelled modelled = Modelled::no;
  bool operator==(const ExecuteEffect&) const = default;
};

struct ConnectEffect {
  std::string host;
  std::uint16_t port = 0;
  std::string protocol;
  bool operator==(const ConnectEffect&) const = default;
};

// A tool that brings no reduction of its own: the call itself.
struct CallEffect {
  std::string tool;
  bool operator==(const CallEffect&) const = default;
};

// Text that could not be reduced; never satisfies an allow rule.
struct OpaqueEffect {
  std::string text;
  std::string reason;
  bool operator==(const OpaqueEffect&) const = default;
};

using Effect = std::variant<PathEffect, ExecuteEffect, ConnectEffect, CallEffect, OpaqueEffect>;
using Effects = std::vector<Effect>;

// "write /w/a.c", "run make test", "unreadable: …": one line, not escaped for display.
std::string to_text(const Effect& effect);

// Whether running both at once could make either see the other (decisions.md, Dispatch).
bool conflict(const Effects& a, const Effects& b);

// Whether `path` is `folder` or lies below it; both absolute and resolved.
bool path_within(std::string_view path, std::string_view folder);

}  // namespace assent::vocabulary
