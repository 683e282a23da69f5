#include "store/testing/conformance.h"

#include "store/memory_event_store.h"
#include "store/sqlite_event_store.h"

namespace assent::store::testing {
namespace {

using Opened = base::Result<std::unique_ptr<EventStore>>;

INSTANTIATE_TEST_SUITE_P(Engines, EventStoreConformance,
                         ::testing::Values(Engine{"memory", Keeps::nothing,
                                                  [](const std::string&) -> Opened {
                                                    return std::make_unique<MemoryEventStore>();
                                                  }},
                                           Engine{"sqlite", Keeps::everything,
                                                  [](const std::string& folder) -> Opened {
                                                    return SqliteEventStore::create(
                                                        folder + "/state/sessions.db");
                                                  }}),
                         [](const auto& suite) { return suite.param.name; });

}  // namespace
}  // namespace assent::store::testing
