#include "terminal/approval_view.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "text/escape.h"
#include "text/gutter.h"
#include "text/script.h"
#include "text/utf8.h"

namespace assent::terminal {
namespace {

using approval::Request;
using text::Keep;

std::string one_line(std::string_view text) { return text::escape(text, Keep::nothing); }

std::string foreign(std::string_view text, Extent extent, std::size_t columns) {
  return text::gutter(
      extent == Extent::whole ? std::string(text) : text::cut_middle(text, most_shown), columns);
}

std::string effects(const Request& request, Extent extent, std::size_t columns) {
  std::string lines;
  for (const auto& effect : request.effects) {
    lines += foreign(one_line(vocabulary::to_text(effect)), extent, columns);
  }
  return "  effects:\n" + lines;
}

std::string confinement(const Request& request) {
  std::string line = fmt::format("  under: {}", vocabulary::to_text(request.confinement.mode));
  for (const auto& path : request.confinement.extra.write) line += " + write " + one_line(path);
  for (const auto& host : request.confinement.extra.connect) line += " + contact " + one_line(host);
  return line + "\n";
}

std::string batch(const Request& request, std::size_t columns) {
  if (request.batch.total < 2) return {};
  std::string lines =
      fmt::format("  call {} of {}:\n", request.batch.position, request.batch.total);
  for (std::size_t i = 0; i < request.batch.pending.size(); ++i) {
    lines += text::gutter(fmt::format("{} {}", i + 1 == request.batch.position ? "→" : " ",
                                      one_line(text::cut(request.batch.pending[i], 120))),
                          columns);
  }
  return lines;
}

std::string justification(const Request& request, std::size_t columns) {
  if (request.justification.empty()) return {};
  std::string_view rest = request.justification;
  std::string shown;
  for (std::size_t i = 0; i < base::limits::justification_shown && !rest.empty(); ++i) {
    const auto next = text::decode(rest);
    shown += rest.substr(0, next.size);
    rest.remove_prefix(next.size);
  }
  return fmt::format("  the model says:\n{}",
                     text::gutter(one_line(shown + (rest.empty() ? "" : "…")), columns));
}

}  // namespace

std::string approval_text(const Request& request, Catalogue catalogue, Extent extent,
                          std::size_t columns) {
  const std::string tool = one_line(request.call.name);
  const std::string arguments =
      extent == Extent::whole ? one_line(request.call.arguments)
                              : one_line(text::cut_middle(request.call.arguments, most_shown));
  std::string out = "\n";
  out += fmt::format("▶ {}\n", one_line(request.headline));
  if (catalogue == Catalogue::zh) {
    out += fmt::format("需要确认执行工具: {}\n参数: {}\n", tool, arguments);
  } else {
    out += fmt::format("  {} wants to run, with exactly these arguments:\n{}", tool,
                       text::gutter(arguments, columns));
  }
  out += effects(request, extent, columns);
  if (!request.diff.empty()) out += foreign(request.diff, extent, columns);
  out += fmt::format("  risk: {}\n", vocabulary::to_text(request.risk));
  out += confinement(request);
  if (request.confinement.mode != vocabulary::SandboxMode::danger_full_access &&
      !request.missing.empty()) {
    out += "  this machine's sandbox is partial; assent doctor lists what it does not enforce\n";
  }
  if (!request.asked_by.empty()) out += fmt::format("  asked by: {}\n", one_line(request.asked_by));
  if (!request.reason.empty() && request.justification.empty()) {
    out += fmt::format("  because: {}\n", one_line(request.reason));
  }
  out += batch(request, columns);
  out += justification(request, columns);
  if (text::mixes_scripts(request.call.arguments)) {
    out += "  beware: a word mixes letters of two alphabets\n";
  }
  return out;
}

std::string answer_prompt(const Request& request, Catalogue catalogue) {
  const bool grantable = request.grantable == approval::Grantable::yes;
  if (catalogue == Catalogue::zh) {
    return grantable ? "[y]允许本次 [a]本会话允许 [n]拒绝: " : "[y]允许本次 [n]拒绝: ";
  }
  return grantable ? "[y] allow once  [a] allow this very call for 30 minutes  [n] deny  [n WHY] "
                     "deny and "
                     "say why  [v] show all: "
                   : "[y] allow once  [n] deny  [n WHY] deny and say why  [v] show all: ";
}

}  // namespace assent::terminal
