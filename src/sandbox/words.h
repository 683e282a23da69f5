#pragma once
// How the sandbox's values are spelled in logs, markers and prompts.

#include <string_view>

#include "sandbox/command.h"

namespace assent::sandbox {

constexpr std::string_view to_text(Operation operation) {
  switch (operation) {
    case Operation::write: return "write";
    case Operation::create: return "create";
    case Operation::remove: return "remove";
    case Operation::rename: return "rename";
    case Operation::link: return "link";
    case Operation::change: return "change";
    case Operation::connect: return "connect";
    case Operation::socket: return "socket";
  }
  return "unknown";
}

constexpr std::string_view to_text(Enforcement enforcement) {
  switch (enforcement) {
    case Enforcement::full: return "full";
    case Enforcement::partial: return "partial";
    case Enforcement::none: return "none";
  }
  return "none";
}

}  // namespace assent::sandbox
