#pragma once
// A Sink that keeps what it hears.

#include <string>
#include <utility>
#include <vector>

#include "provider/provider.h"

namespace assent::provider::testing {

class RecordingSink final : public Sink {
 public:
  void text_delta(std::string_view words) override { text.append(words); }
  void reasoning_delta(std::string_view words) override { reasoning.append(words); }
  void retrying(const base::Error& why, base::Milliseconds wait) override {
    retries.emplace_back(why, wait);
  }

  std::string text{};
  std::string reasoning{};
  std::vector<std::pair<base::Error, base::Milliseconds>> retries{};
};

}  // namespace assent::provider::testing
