"""script/mutate finds conditions, and says which changes no test notices."""

import sys
import unittest

from checkout import ROOT, Checkout

sys.path.insert(0, str(ROOT / "script/lib"))
import mutations  # noqa: E402

PRESETS = """{"version": 6, "configurePresets": [
  {"name": "dev", "generator": "Ninja", "binaryDir": "${sourceDir}/build/dev",
   "cacheVariables": {"CMAKE_BUILD_TYPE": "Debug"}}]}"""
LISTS = """cmake_minimum_required(VERSION 3.25)
project(sample LANGUAGES CXX)
add_subdirectory(src)
"""
MODULES = """function(assent_module name)
  add_executable(${name}_test ${name}/${name}_test.cc)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/src)
endfunction()
assent_module(base LAYER 0)
assent_module(upper LAYER 1 USES base TEST_USES other)
"""
BASE = """inline bool between(int low, int x, int high) {
  if (low > high) return false;
  return low <= x && x <= high;
}
inline int unused(int x) { return x > 0 ? 1 : 2; }
"""
BASE_TEST = """#include "base.h"
#include <cstdio>
int main() {
  if (between(1, 2, 3) && !between(1, 4, 3)) return 0;
  std::puts("[  FAILED  ] Base.Between (0 ms)");
  return 1;
}
"""
UPPER_TEST = """#include "../base/base.h"
int main() { return between(1, 0, 3) || between(3, 2, 1); }
"""


def changes(source):
    return [mutation.shown for mutation in mutations.find("x.cc", source)]


class Mutations(unittest.TestCase):
    def test_each_condition_is_negated_and_each_operand_removed(self):
        for source, expected in (
                ("if (a == b) c();", ["if (a == b) c(); => if (!(a == b)) c();"]),
                ("if (auto x = f(); x) c();",
                 ["if (auto x = f(); x) c(); => if (auto x = f(); !(x)) c();"]),
                ("if (const auto x = f()) c();", []),
                ("while (a) b();", ["while (a) b(); => while (!(a)) b();"]),
                ("x = f(a && b, c);",
                 ["x = f(a && b, c); => x = f(b, c);", "x = f(a && b, c); => x = f(a, c);"]),
                ("x = a == b || c::d;",
                 ["x = a == b || c::d; => x = c::d;", "x = a == b || c::d; => x = a == b;"]),
                ("return a || b && c;",
                 ["return a || b && c; => return b && c;",
                  "return a || b && c; => return !(a || b && c);",
                  "return a || b && c; => return a;",
                  "return a || b && c; => return a || c;",
                  "return a || b && c; => return a || b;"]),
                ("x = a > b ? c : d;", ["x = a > b ? c : d; => x = !(a > b) ? c : d;"]),
                ("return !a;", ["return !a; => return !(!a);"]),
                ("return true;", ["return true; => return !(true);"]),
                ("return text;", []),
                ("if (a) return b;",
                 ["if (a) return b; => if (!(a)) return b;", "if (a) return b; => if (a) {}"]),
                ("if (a) continue;",
                 ["if (a) continue; => if (!(a)) continue;", "if (a) continue; => if (a) {}"]),
                ("  TRY(check(a));", ["TRY(check(a)); => (void)(check(a));"]),
                ("x = TRY(check(a));", []),
                ('// if (a) b();\nf("a && b", R"(if (a) b;)");', []),
                ("void f(T&& x);", [])):
            with self.subTest(source=source):
                self.assertEqual(changes(source + "\n"), expected)

    def test_a_change_applies_where_it_was_found(self):
        source = "int f() {\n  if (a) return 1;\n  return 2;\n}\n"
        first = mutations.find("x.cc", source)[0]
        self.assertEqual((first.line, first.apply(source)),
                         (2, "int f() {\n  if (!(a)) return 1;\n  return 2;\n}\n"))


class Mutate(Checkout):
    def setUp(self):
        super().setUp()
        self.write("CMakePresets.json", PRESETS)
        self.write("CMakeLists.txt", LISTS)
        self.write("src/CMakeLists.txt", MODULES)
        self.write("src/base/base.h", BASE)
        self.write("src/base/base_test.cc", BASE_TEST)
        self.write("src/upper/upper_test.cc", UPPER_TEST)

    def mutate(self, *arguments):
        return self.run_script(self.root / "script/mutate", *arguments)

    def test_names_the_changes_that_no_test_notices(self):
        run = self.mutate("--verbose", "base")
        lines = run.stdout.splitlines()
        survived = "survived: src/base/base.h:5: inline int unused(int x) { return x > 0 ? 1 : 2; }"
        self.assertEqual([line for line in lines if line.startswith("survived")],
                         [f"{survived} => inline int unused(int x) {{ return !(x > 0) ? 1 : 2; }}",
                          "survived: src/base/base.h:2: if (low > high) return false; => "
                          "if (low > high) {}"], run.stdout + run.stderr)
        self.assertIn("killed by Base.Between: src/base/base.h:3: return low <= x && x <= high; => "
                      "return low <= x;", lines)
        self.assertIn("killed by upper_test ends with 1: src/base/base.h:3: "
                      "return low <= x && x <= high; => return x <= high;", lines)
        self.assertRegex(lines[-1], r"^\d+ killed, 2 survived, 0 allowed$")
        self.assertEqual(run.returncode, 1)
        self.assertFalse((self.root / "build/mutate/tree").exists())
        # The same again builds nothing: all is known.
        (self.root / "src/base/base_test.cc").touch()
        again = self.run_script(self.root / "script/mutate", "base", PATH="/usr/bin:/bin")
        self.assertEqual(again.stdout.splitlines(),
                         [line for line in lines if not line.startswith("killed")])

    def test_what_changes_nothing_is_allowed_with_a_reason(self):
        change = "src/base/base.h: if (low > high) return false; => if (low > high) {}\n"
        self.write("tests/mutate-allowed.txt", "# The line below says the same.\n" + change)
        run = self.mutate("--count", "1", "--seed", "1", "--minutes", "0", "src/base/base.h")
        self.assertIn(run.returncode, (0, 3), run.stdout + run.stderr)
        for text, message in ((change, "expected a comment"),
                              ("# Why.\nsrc/base/base.h: a => b\n", "no such place")):
            self.write("tests/mutate-allowed.txt", text)
            run = self.mutate("base")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(message, run.stderr)

    def test_tests_that_fail_without_a_change_prove_nothing(self):
        self.write("src/upper/upper_test.cc", "int main() { return 1; }\n")
        run = self.mutate("base")
        self.assertEqual(run.returncode, 2)
        self.assertIn("without a change: upper_test ends with 1 fails", run.stderr)

    def test_bad_arguments_and_no_time(self):
        self.assertEqual(self.mutate("nothing").returncode, 2)
        self.assertEqual(self.mutate("--seed", "x").returncode, 2)
        run = self.mutate("--minutes", "0", "base")
        self.assertEqual((run.returncode, run.stdout), (3, "0 killed, 0 survived, 0 allowed\n"))

    def test_lists_the_places_without_a_build(self):
        run = self.run_script(self.root / "script/mutate", "--list", "base", PATH="/usr/bin:/bin")
        self.assertEqual(run.returncode, 0)
        self.assertEqual(len(run.stdout.splitlines()), 7, run.stdout)


if __name__ == "__main__":
    unittest.main()
