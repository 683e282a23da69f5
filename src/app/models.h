#pragma once
// From settings to a model that can be asked.

#include <memory>

#include "app/places.h"
#include "app/settings.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/rng.h"
#include "provider/provider.h"

namespace assent::app {

// Owns the HTTP client that the provider may need.
class Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual provider::Provider& provider() = 0;
  // Whether it plays a script: only then may answers be prepared.
  [[nodiscard]] virtual bool is_script() const = 0;
};

// `clock` and `rng` must outlive the model. Errors say what to set.
base::Result<std::unique_ptr<Model>> open_model(const Settings& settings,
                                                const Environment& environment,
                                                const base::Clock& clock, base::Rng& rng);

}  // namespace assent::app
