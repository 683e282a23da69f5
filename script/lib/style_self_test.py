"""The self-test of script/style: each rule against what it must find and what it must not."""

import style_rules

HEADER = "#pragma once\n// What it is for, and what holds about it.\n\nnamespace assent::policy {\n"
END = "}  // namespace assent::policy\n"
SOURCE = '#include "policy/rule.h"\n\nnamespace assent::policy {\n'
LISTED = {"src/CMakeLists.txt": "assent_module(policy LAYER 3 USES base)\n"}
LONG_BODY = "".join(f"  step_{i}();\n" for i in range(80))
PACKAGES = "https://" + ".".join(("registry", "packages", "org"))


def header(body):
    return {"src/policy/rule.h": HEADER + body + END}


def source(body):
    return {"src/policy/rule.cc": SOURCE + body + END}


def test(body):
    return {"src/policy/rule_test.cc": SOURCE + body + END}


# (what, files, the rules that find something, in order)
CASES = (
    ("a header as it should be", header("// A rule.\nstruct Rule {\n  bool strict = false;\n};\n"),
     []),
    ("a long header", header("int x;\n" * 300), ["size"]),
    ("a long source", source("int x;\n" * 500), ["size"]),
    ("a long test", test("int x;\n" * 600), []),
    ("a long line", source("// " + "x" * 100 + "\n"), ["columns"]),
    ("a line of 100 columns", source("// " + "x" * 97 + "\n"), []),
    ("a long line with an address", source("// https://" + "x" * 100 + "\n"), []),
    ("a long line in a raw string", source('auto x = R"(\n' + "x" * 101 + '\n)";\n'), []),
    ("a long line in Python", {"script/lib/x.py": "x = '" + "x" * 100 + "'\n"}, ["columns"]),
    ("no #pragma once", {"src/policy/a.h": "// A comment that is long enough.\n\n"
                         "namespace assent::policy {\n" + END}, ["pragma-once", "contract"]),
    ("no contract", {"src/policy/a.h": "#pragma once\n#include <string>\nnamespace "
                     "assent::policy {\n" + END}, ["contract"]),
    ("no namespace", {"src/policy/a.cc": "int x = 0;\n"}, ["namespace"]),
    ("another module's namespace", source("}\nnamespace assent::shell {\nclass Tree;\n"),
     ["namespace"]),
    ("a namespace inside the module's", {"src/policy/a.cc":
                                         "namespace assent::policy::detail {\n}\n"}, []),
    ("std::format", source("auto x = std::format(\"{}\", 1);\n"), ["no-format"]),
    ("fmt::format", source("auto x = fmt::format(\"{}\", 1);\n"), []),
    ("std::regex", source("std::regex expression;\n"), ["no-regex"]),
    ("a coroutine", source("auto f() { co_await g(); }\n"), ["no-coroutine"]),
    ("throw", source("void f() { throw 1; }\n"), ["no-throw"]),
    ("throw in a comment and a string", source("// They throw.\nauto x = \"throw\";\n"), []),
    ("throw in a test", test("TEST(A, B) {\n  EXPECT_TRUE(f([] { throw 1; }));\n}\n"), []),
    ("rethrow", source("void f() { std::rethrow_exception(e); }\n"), []),
    ("using namespace std", source("using namespace std;\n"), ["using-std"]),
    ("errno where system calls are not made", source("int x = errno;\n"), ["errno"]),
    ("errno in base", {"src/base/a.cc": "namespace assent::base {\nint x = errno;\n}\n",
                       "src/CMakeLists.txt": "assent_module(policy LAYER 3)\n"
                       "assent_module(base LAYER 0)\n"}, []),
    ("iostream", source("#include <iostream>\n"), ["iostream"]),
    ("an unfinished comment", source("// TO" "DO: more.\n"), ["unfinished"]),
    ("a postponing comment", source("// Enough for " "now.\n"), ["unfinished"]),
    ("a template of mkstemp", source('auto x = "a-' + "X" * 6 + '";\n'), []),
    ("an unfinished script", {"script/x": "# FIX" "ME\n"}, ["unfinished"]),
    ("a vague type", header("class RuleManager;\n"), ["vague-name"]),
    ("a vague namespace", {"src/policy/a.cc": "namespace assent::policy::util {\n}\n"},
     ["vague-name"]),
    ("a vague file", {"src/policy/string_utils.cc": SOURCE + END}, ["vague-name"]),
    ("names that only look vague", header("class Utility;\nclass CommonmarkText;\n"), []),
    ("a bare bool beside another parameter", header("void f(int a, bool force = false);\n"),
     ["bare-bool"]),
    ("a bool alone is a warning", header("void set_strict(bool strict);\n"), []),
    ("functions of bools", header("using F = std::function<bool(int, bool)>;\nbool f(int a);\n"),
     []),
    ("six parameters", header("void f(int a, int b, int c, int d, int e, int g);\n"),
     ["parameters"]),
    ("five parameters", header("void f(int a, std::map<int, int> b, int c, int d, int e);\n"), []),
    ("a long function", source("int f(int a) {\n" + LONG_BODY + "}\n"), ["function-length"]),
    ("a long function with a long head", source("int f(int a,\n      int b) {\n" + LONG_BODY +
                                               "}\n"), ["function-length"]),
    ("short functions in a row", source(("int f() {\n  return 1;\n}\n\n") * 40), []),
    ("a long table", source("constexpr int table[] = {\n" + "    1,\n" * 90 + "};\n"), []),
    ("a long class", source("class A {\n" + LONG_BODY + "};\n"), []),
    ("a test that cannot fail", test("TEST(A, B) {\n  f();\n}\n\nTEST(A, C) {\n  EXPECT_EQ(1, 1);\n"
                                     "}\n"), ["no-assertion"]),
    ("an assertion in a comment", test("TEST(A, B) {\n  f();  // EXPECT_EQ\n}\n"),
     ["no-assertion"]),
    ("a test that calls what asserts", test("TEST(A, B) {\n  expect_same(a, b);\n}\n"), []),
    ("a property", test("RC_GTEST_PROP(A, B, (int x)) {\n  RC_ASSERT(x == x);\n}\n"), []),
    ("a host of packages", {"docs/a.md": f"Get it from {PACKAGES}/x.\n"}, ["host"]),
    ("a member call", source("registry.find(name);\nauto x = packages.net();\n"), []),
    ("a dead link", {"README.md": "See [that](docs/none.md).\n"}, ["dead-link"]),
    ("a live link", {"README.md": "See [that](docs/a.md#part), [it](https://example.org/).\n",
                     "docs/a.md": "Back to [the start](../README.md).\n"}, []),
    ("a link in a fence", {"README.md": "```\n[x](none)\n```\n"}, []),
    ("a script that is not there", {"README.md": "Run `script/none --fast`.\n"}, ["dead-link"]),
    ("an unlisted module", {"src/shell/a.cc": "namespace assent::shell {\n}\n"},
     ["unlisted-module"]),
)


def run():
    passed = failed = 0
    covered = set()
    for what, files, expected in CASES:
        tree = style_rules.Tree(files={**LISTED, **files})
        found = [finding.rule for _, findings in style_rules.check(tree) for finding in findings
                 if not finding.warning]
        covered.update(found)
        if found == expected:
            passed += 1
        else:
            failed += 1
            print(f"{what}: expected {expected}, found {found}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
