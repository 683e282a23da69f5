#include "text/script.h"

#include <gtest/gtest.h>

namespace assent::text {
namespace {

TEST(MixedScripts, AreFoundAndShown) {
  const std::pair<std::string_view, std::string_view> mixed[] = {
      {"p\u0430ypal", "p\\u{430}ypal"},
      {"curl https://ex\u0430mple.org/\u0444", "curl https://ex\\u{430}mple.org/\u0444"},
      {"g\u03bf\u03bfgle", "g\\u{3bf}\\u{3bf}gle"},
      {"\u0455udo", "\\u{455}udo"},
      {"o\u0301\u0441", "o\u0301\\u{441}"},  // a mark stays in its word
      {"\u13aa"
       "o",
       "\\u{13aa}o"},                      // Cherokee
      {"\u0585ne", "\\u{585}ne"},          // Armenian
      {"\uff41\u0430", "\uff41\\u{430}"},  // full-width Latin
      {"x \u0430\u0062", "x \\u{430}b"},
  };
  for (const auto& [text, shown] : mixed) {
    EXPECT_TRUE(mixes_scripts(text)) << text;
    EXPECT_EQ(show_mixed_scripts(text), shown);
  }
}

TEST(MixedScripts, WordsOfOneAlphabetStay) {
  for (const std::string_view text : {"", "paypal", "привет paypal", "Wi-Fi-сеть", "файл.txt",
                                      "naïve Ünïcode ﬁ", "漢字and latin", "αβγ+x", "5µm", "кг2б",
                                      "\xff"
                                      "a\xffб",
                                      "a_б"}) {
    EXPECT_FALSE(mixes_scripts(text)) << text;
    EXPECT_EQ(show_mixed_scripts(text), text);
  }
}

}  // namespace
}  // namespace assent::text
