#include <fmt/format.h>
#include <boost/json.hpp>

#include "app/demo.h"
#include "json/value.h"

namespace assent::app {
namespace {

json::Object call(std::string_view id, std::string_view name, json::Object arguments) {
  return {{"id", id}, {"name", name}, {"arguments", std::move(arguments)}};
}

json::Object wider(json::Object arguments, std::string_view justification) {
  arguments["sandbox_permissions"] = "danger-full-access";
  arguments["justification"] = justification;
  return arguments;
}

void say(std::string& script, std::string_view text, json::Array calls) {
  script += json::write(json::Object{{"text", text}, {"tool_calls", std::move(calls)}}) + "\n";
}

}  // namespace

std::string demo_script(const DemoPlace& place) {
  const std::string copy = fmt::format("cp report.txt '{}/report.txt'", place.outside());
  const std::string remove = fmt::format("rm '{}/stale.log'", place.outside());
  const json::Object note{{"path", place.outside() + "/CHANGES.txt"},
                          {"content", "stats: mean() divides by the count of values.\n"}};
  std::string script;
  say(script, "I look at the project first.",
      {call("look-1", "read_file", {{"path", "stats.c"}}),
       call("look-2", "read_file", {{"path", "stats_test.c"}})});
  say(script, "Now the failing test.",
      {call("test-1", "bash", {{"command", "make -s test"}, {"description", "Run the tests"}})});
  say(script, "mean() divides by one too many. I mend that line.",
      {call("mend", "edit_file",
            {{"path", "stats.c"},
             {"old_text", "return sum / (count + 1);"},
             {"new_text", "return sum / count;"}})});
  say(script, "The tests again, with a report.",
      {call("test-2", "bash",
            {{"command", "make -s test | tee report.txt"}, {"description", "Run the tests"}})});
  say(script, "Green. I try to put the report into the shared folder beside the project.",
      {call("try-1", "bash", {{"command", copy}}), call("try-2", "write_file", note),
       call("try-3", "bash", {{"command", remove}})});
  say(script, "The sandbox refused all three. I ask for the first: the report.",
      {call("ask-1", "bash",
            wider({{"command", copy}}, "The team reads the test report in the shared folder."))});
  say(script, "Then the note about the change.",
      {call("ask-2", "write_file",
            wider(note, "The shared folder keeps a note of every change."))});
  say(script, "And the old log can go.",
      {call("ask-3", "bash",
            wider({{"command", remove}}, "The log is from before the repair and misleads."))});
  say(script, "One thing only you know.",
      {call("question", "ask_user_question",
            {{"questions",
              {{{"id", "release"},
                {"question", "Is this repair part of the next release?"},
                {"options",
                 {{{"label", "y"}, {"description", "yes"}},
                  {{"label", "n"}, {"description", "no"}}}}}}}})});
  say(script, "A last look that everything is still green.",
      {call("test-3", "bash", {{"command", "make -s test"}, {"description", "Run the tests"}})});
  say(script, "Done: mean() is right again, and the tests pass.", {});
  return script;
}

}  // namespace assent::app
