#pragma once
// Every bound of the system stands here, so that none is forgotten and each is tested once. Sizes
// are in bytes unless the name says otherwise.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace assent::base::limits {

// Calls of one wave that run at the same time (decisions.md, Dispatch).
inline constexpr std::size_t wave_calls = 8;
// Steps of one turn in `assent run` (K-19).
inline constexpr int turn_steps = 200;
// Child agents: steps of one, how many at a time, and how deep below the root (P-084).
inline constexpr int child_steps = 50;
inline constexpr int live_children = 32;
inline constexpr std::size_t agent_depth = 2;
// Rejections by a human in a row that end a turn as blocked.
inline constexpr int rejections_in_a_row = 3;
// One line of the model's justification, in characters, as a prompt shows it.
inline constexpr std::size_t justification_shown = 200;
// What OnToolResult displays of an output before it cuts.
inline constexpr std::size_t result_shown = 200;

// JSON from outside: depth of nesting and size of a document.
inline constexpr std::size_t json_depth = 64;
inline constexpr std::size_t json_size = 32 * 1024 * 1024;
// One check against a JSON schema: schemas within or referring to each other, and schemas applied.
inline constexpr std::size_t schema_depth = 256;
inline constexpr std::size_t schema_steps = 1'000'000;
// Data of one event. The depth leaves room around the deepest JSON from outside.
inline constexpr std::size_t event_depth = 2 * json_depth;
inline constexpr std::size_t event_size = json_size;
// Records that replay reads at a time.
inline constexpr std::int64_t replay_page = 512;
// How long a store waits for another process that writes to it.
inline constexpr std::chrono::milliseconds store_busy{5'000};
// Arguments of one call as the model wrote them.
inline constexpr std::size_t call_arguments = 4 * 1024 * 1024;
// Calls in one assistant message.
inline constexpr std::size_t message_calls = 128;

// A file that read_file returns, or that edit_file and write_file handle.
inline constexpr std::size_t file_size = 16 * 1024 * 1024;
// What the model sees of one tool output; the middle is cut (head and tail stay).
inline constexpr std::size_t tool_output = 64 * 1024;
// Our own configuration file and script of a script model.
inline constexpr std::size_t config_size = 4 * 1024 * 1024;

inline constexpr std::chrono::milliseconds bash_timeout{120'000};
inline constexpr std::chrono::milliseconds bash_timeout_max{600'000};
// A human's answer to an approval counts as typed for it only after the question stood this long.
inline constexpr std::chrono::milliseconds prompt_settle{300};
// How long plugged-in code that was told to stop may take to return before nobody waits any more.
inline constexpr std::chrono::milliseconds foreign_grace{250};
// Answered questions that an inbox remembers, for those who answer second.
inline constexpr std::size_t inbox_answered = 256;
// A line that is typed or pasted, and how many of them the prompt remembers.
inline constexpr std::size_t prompt_line = 256 * 1024;
inline constexpr std::size_t prompt_history = 1'000;
// The rest of a key that the terminal sent in parts comes within this time.
inline constexpr std::chrono::milliseconds key_rest{100};
// Life of a grant (policy.md, Grants).
inline constexpr std::chrono::milliseconds grant_ttl{30 * 60 * 1000};

// A hook's time to decide, where its configuration says nothing, and what it may write.
inline constexpr std::chrono::milliseconds hook_timeout{10'000};
inline constexpr std::size_t hook_output = 64 * 1024;

// Model requests (provider): attempts and waits (protocols.md 3.5).
inline constexpr int request_attempts = 3;
inline constexpr std::chrono::milliseconds request_connect{15'000};
// No byte from the model for this long ends the attempt.
inline constexpr std::chrono::milliseconds request_silence{120'000};
inline constexpr std::chrono::milliseconds request_wait_max{60'000};

// A first wait between attempts, doubled each time up to the second.
inline constexpr std::chrono::milliseconds request_backoff{500};
inline constexpr std::chrono::milliseconds request_backoff_max{8'000};

// HTTP responses: headers, body, and one event of a stream or line of it.
inline constexpr std::size_t http_headers = 256 * 1024;
inline constexpr std::size_t http_response = 256 * 1024 * 1024;
inline constexpr std::size_t stream_event = 16 * 1024 * 1024;
// The body of a refusal, of which a message shows no more than the second.
inline constexpr std::size_t http_error_body = 64 * 1024;
inline constexpr std::size_t http_error_shown = 400;

// Steps in the search for the shortest line diff: about a tenth of a second.
inline constexpr std::size_t diff_steps = 10'000'000;

}  // namespace assent::base::limits
