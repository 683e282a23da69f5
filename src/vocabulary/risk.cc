#include "vocabulary/risk.h"

#include "vocabulary/words.h"

namespace assent::vocabulary {
namespace {

constexpr Words<Risk, 3> words{
    {{{Risk::safe, "safe"}, {Risk::mutating, "mutating"}, {Risk::dangerous, "dangerous"}}}};

}  // namespace

std::string_view to_text(Risk risk) { return words.text(risk); }
std::optional<Risk> risk_from(std::string_view text) { return words.from(text); }

}  // namespace assent::vocabulary
