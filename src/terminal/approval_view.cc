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
using text::gutter;
using text::labelled;

// A text of others in a frame of our own. The line that says what is left out is ours: it stands
// outside the gutter, where nothing of others can.
std::string foreign(std::string_view text, Extent extent, std::size_t columns) {
  if (extent == Extent::whole || text.size() <= most_shown) return gutter(text, columns);
  const std::string_view head = text::cut(text, most_shown / 2);
  const std::string_view tail = text::cut_front(text, most_shown / 2);
  return fmt::format("{}  [{} bytes left out; v shows all]\n{}", gutter(head, columns),
                     text.size() - head.size() - tail.size(), gutter(tail, columns));
}

std::string arguments(const ApprovalView& view, Extent extent, std::size_t columns) {
  const auto& call = view.request.call;
  const bool whole = extent == Extent::whole || call.arguments.size() <= most_shown;
  if (view.catalogue == Catalogue::zh) {
    std::string out = labelled("需要确认执行工具: ", call.name, columns);
    if (whole) return out + labelled("参数: ", call.arguments, columns);
    return out + "参数: \n" + foreign(text::single_line(call.arguments), extent, columns);
  }
  return labelled("  tool: ", call.name, columns) + "  with exactly these arguments:\n" +
         foreign(text::single_line(call.arguments), extent, columns);
}

std::string effects(const Request& request, Extent extent, std::size_t columns) {
  std::string lines;
  for (const auto& effect : request.effects) {
    lines += foreign(text::single_line(vocabulary::to_text(effect)), extent, columns);
  }
  return "  effects:\n" + lines;
}

std::string confinement(const Request& request, std::size_t columns) {
  std::string lines = fmt::format("  under: {}\n", vocabulary::to_text(request.confinement.mode));
  for (const auto& path : request.confinement.extra.write) {
    lines += labelled("  and may write: ", path, columns);
  }
  for (const auto& host : request.confinement.extra.connect) {
    lines += labelled("  and may contact: ", host, columns);
  }
  if (request.confinement.mode != vocabulary::SandboxMode::danger_full_access &&
      !request.missing.empty()) {
    lines += "  this machine's sandbox is partial; assent doctor lists what it does not enforce\n";
  }
  return lines;
}

std::string batch(const Request& request, std::size_t columns) {
  if (request.batch.total < 2) return {};
  std::string lines =
      fmt::format("  call {} of {}:\n", request.batch.position, request.batch.total);
  for (std::size_t i = 0; i < request.batch.pending.size(); ++i) {
    const auto& pending = request.batch.pending[i];
    constexpr std::size_t pending_shown = 120;
    const std::string_view shown = text::cut(pending, pending_shown);
    lines +=
        labelled(i + 1 == request.batch.position ? "  → " : "    ",
                 fmt::format("{}{}", shown, shown.size() < pending.size() ? "…" : ""), columns);
  }
  return lines;
}

// What a lasting answer would cover.
std::string scopes(const Request& request, std::size_t columns) {
  if (request.grantable != approval::Grantable::yes) return {};
  std::string lines = "  [a] covers this very call\n";
  for (std::size_t i = 0; i < request.wider_scopes.size(); ++i) {
    const auto& scope = request.wider_scopes[i];
    switch (scope.kind) {
      case vocabulary::GrantKind::exact:
        lines += fmt::format("  [a {}] covers this very call\n", i + 1);
        break;
      case vocabulary::GrantKind::path_range:
        lines +=
            labelled(fmt::format("  [a {}] covers writes below ", i + 1), scope.pattern, columns);
        break;
    }
  }
  return lines;
}

std::string justification(const Request& request, std::size_t columns) {
  const std::string_view word = request.justification;
  if (word.empty()) return {};
  const std::string_view shown = text::cut_characters(word, base::limits::justification_shown);
  return "  the model says:\n" +
         gutter(text::single_line(shown) + (shown.size() < word.size() ? "…" : ""), columns);
}

}  // namespace

std::string ApprovalView::text(Extent extent, std::size_t columns) const {
  std::string out = "\n";
  out += labelled(agent.empty() ? "▶ " : fmt::format("▶ [{}] ", agent), request.headline, columns);
  out += arguments(*this, extent, columns);
  out += effects(request, extent, columns);
  if (!request.diff.empty()) out += foreign(request.diff, extent, columns);
  out += fmt::format("  risk: {}\n", vocabulary::to_text(request.risk));
  out += confinement(request, columns);
  if (!request.asked_by.empty()) out += labelled("  asked by: ", request.asked_by, columns);
  if (!request.reason.empty() && request.justification.empty()) {
    out += labelled("  because: ", request.reason, columns);
  }
  out += batch(request, columns);
  out += scopes(request, columns);
  out += justification(request, columns);
  if (text::mixes_scripts(request.call.arguments)) {
    out += "  beware: a word mixes letters of two alphabets\n";
  }
  return out;
}

std::string ApprovalView::prompt() const {
  const bool grantable = request.grantable == approval::Grantable::yes;
  if (catalogue == Catalogue::zh) {
    return grantable ? "[y]允许本次 [a]本会话允许 [n]拒绝: " : "[y]允许本次 [n]拒绝: ";
  }
  std::string lasting;
  if (grantable) {
    const auto minutes = std::chrono::ceil<std::chrono::minutes>(request.grant_ttl).count();
    lasting = minutes > 0 ? fmt::format("[a] for {} min  ", minutes) : "[a] from now on  ";
  }
  return fmt::format("[y] allow once  {}[n] deny  [n WHY]  [e] edit  [v] show all: ", lasting);
}

}  // namespace assent::terminal
