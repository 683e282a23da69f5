#pragma once
// The same bytes for the same seed. Not for concurrent use.

#include <random>

#include "base/rng.h"

namespace assent::base::testing {

class SeededRng final : public Rng {
 public:
  explicit SeededRng(std::uint64_t seed = 1) : engine_(seed) {}
  void fill(std::span<std::byte> out) override {
    for (std::byte& b : out) b = static_cast<std::byte>(engine_() & 0xff);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace assent::base::testing
