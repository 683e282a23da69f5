#pragma once
// Randomness comes in through an interface, so that a run replays from a seed. Any thread.

#include <cstddef>
#include <span>

namespace assent::base {

class Rng {
 public:
  virtual ~Rng() = default;
  virtual void fill(std::span<std::byte> out) = 0;
};

// The kernel's generator: getrandom(2). A kernel without it ends the process: no id is ever
// guessed.
class SystemRng final : public Rng {
 public:
  void fill(std::span<std::byte> out) override;
};

}  // namespace assent::base
