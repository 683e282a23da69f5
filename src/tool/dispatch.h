#pragma once
// Phase two: the cleared calls run, in waves that hold no conflict (decisions.md, Dispatch).

#include <cstddef>
#include <vector>

#include "tool/parts.h"
#include "tool/planned.h"

namespace assent::tool {

class Dispatch {
 public:
  Dispatch(const Parts& parts, const Caller& caller, const base::StopToken& stop)
      : parts_(parts), caller_(caller), stop_(stop) {}

  // Afterwards every planned call has a finished result and no clearance. An error is a failed
  // append: no further body was started.
  base::Result<void> run(std::vector<Planned>& batch);

 private:
  [[nodiscard]] std::vector<Planned*> next_wave(std::vector<Planned>& batch,
                                                std::size_t from) const;
  base::Result<void> recheck(Planned& plan);
  base::Result<void> judge_again(Planned& plan, const std::string& digest);
  base::Result<void> run_wave(std::vector<Planned*>& wave);

  const Parts& parts_;
  const Caller& caller_;
  const base::StopToken& stop_;
};

}  // namespace assent::tool
