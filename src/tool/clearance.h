#pragma once
// The only ticket to a tool's body. A body takes one by value, and nobody but the pipeline
// can make one: "every path goes through the gate" is a property of the types.

#include <optional>
#include <string>
#include <utility>

#include "json/value.h"
#include "vocabulary/confinement.h"
#include "vocabulary/ids.h"
#include "vocabulary/message.h"
#include "vocabulary/modes.h"

namespace assent::tool {

// What a call was cleared with; a plain value, so that it can be looked at and compared.
struct Terms {
  vocabulary::ToolCall call;            // as the model wrote it
  json::Object arguments;               // parsed and checked; frozen
  std::string work_dir;                 // absolute, resolved
  std::string digest;                   // of everything consented to (digest.h)
  vocabulary::Confinement confinement;  // what it may run under
  std::string by;                       // who cleared it: "review", or the request's id
  bool consented = false;               // a human or a grant stands behind it
  vocabulary::Knobs knobs;              // in force when it was cleared
};

class Clearance {
 public:
  Clearance(Clearance&&) noexcept = default;
  Clearance& operator=(Clearance&&) noexcept = default;
  Clearance(const Clearance&) = delete;
  Clearance& operator=(const Clearance&) = delete;

  [[nodiscard]] const vocabulary::ToolCall& call() const { return terms_.call; }
  [[nodiscard]] const json::Object& arguments() const { return terms_.arguments; }
  [[nodiscard]] const std::string& work_dir() const { return terms_.work_dir; }
  [[nodiscard]] const vocabulary::Confinement& confinement() const { return terms_.confinement; }
  [[nodiscard]] const Terms& terms() const { return terms_; }

 private:
  friend class Prepare;
  friend class Dispatch;
  explicit Clearance(Terms terms) : terms_(std::move(terms)) {}
  Terms terms_;
};

}  // namespace assent::tool
