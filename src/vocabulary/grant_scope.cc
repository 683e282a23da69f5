#include "vocabulary/grant_scope.h"

#include "vocabulary/words.h"

namespace assent::vocabulary {
namespace {

constexpr Words<GrantKind, 2> kind_words{
    {{{GrantKind::exact, "exact"}, {GrantKind::path_range, "path-range"}}}};

}  // namespace

std::string_view to_text(GrantKind kind) { return kind_words.text(kind); }
std::optional<GrantKind> grant_kind_from(std::string_view text) { return kind_words.from(text); }

}  // namespace assent::vocabulary
