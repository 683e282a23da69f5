#include "vocabulary/effect.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assent::vocabulary {
namespace {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};

std::string_view verb(PathAccess access) {
  switch (access) {
    case PathAccess::read: return "read";
    case PathAccess::write: return "write";
    case PathAccess::remove: return "delete";
  }
  return "touch";
}

bool overlap(const PathEffect& a, const PathEffect& b) {
  if (a.path == b.path) return true;
  if (a.extent == PathExtent::subtree && path_within(b.path, a.path)) return true;
  return b.extent == PathExtent::subtree && path_within(a.path, b.path);
}

bool is_opaque(const Effect& effect) {
  if (const auto* run = std::get_if<ExecuteEffect>(&effect)) return run->modelled == Modelled::no;
  return std::holds_alternative<OpaqueEffect>(effect) || std::holds_alternative<CallEffect>(effect);
}

bool changes(const Effect& effect) {
  if (const auto* path = std::get_if<PathEffect>(&effect)) return path->access != PathAccess::read;
  return is_opaque(effect);
}

bool conflict(const Effect& a, const Effect& b) {
  const auto* path_a = std::get_if<PathEffect>(&a);
  const auto* path_b = std::get_if<PathEffect>(&b);
  if (path_a != nullptr && path_b != nullptr) {
    return (changes(a) || changes(b)) && overlap(*path_a, *path_b);
  }
  return (is_opaque(a) && changes(b)) || (is_opaque(b) && changes(a));
}

}  // namespace

std::string to_text(const Effect& effect) {
  return std::visit(
      Overload{[](const PathEffect& e) {
                 return fmt::format("{} {}{}", verb(e.access), e.path,
                                    e.extent == PathExtent::subtree ? "/**" : "");
               },
               [](const ExecuteEffect& e) { return fmt::format("run {}", fmt::join(e.argv, " ")); },
               [](const ConnectEffect& e) {
                 return fmt::format("contact {}:{} ({})", e.host, e.port, e.protocol);
               },
               [](const CallEffect& e) { return fmt::format("call {}", e.tool); },
               [](const OpaqueEffect& e) { return fmt::format("unreadable: {}", e.reason); }},
      effect);
}

bool conflict(const Effects& a, const Effects& b) {
  return std::ranges::any_of(a, [&](const Effect& one) {
    return std::ranges::any_of(b, [&](const Effect& other) { return conflict(one, other); });
  });
}

bool path_within(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace assent::vocabulary
