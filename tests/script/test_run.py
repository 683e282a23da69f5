"""script/run starts the program, and the demo where no model is configured."""

import unittest

from checkout import Checkout


class Run(Checkout):
    def setUp(self):
        super().setUp()
        self.program("script/bootstrap", "exit 0\n")
        self.program("script/lib/build-preset", "echo compiling\n")
        self.program("build/release/assent", 'printf "[%s]" "$PWD" "$@"\n')

    def words(self, *arguments, cwd=None, **environment):
        run = self.run_script(self.root / "script/run", *arguments, cwd=cwd, **environment)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout[1:-1].split("][")[1:]

    def test_without_a_model_it_is_the_demo(self):
        self.assertEqual(self.words(), ["demo"])

    def test_a_key_an_address_or_a_configuration_is_a_model(self):
        self.assertEqual(self.words(OPENAI_API_KEY="k"), [])
        self.assertEqual(self.words(DEEPSEEK_BASE_URL="http://127.0.0.1:1/"), [])
        self.assertEqual(self.words(ANTHROPIC_API_KEY=""), ["demo"])
        config = self.write("home/.config/assent/config.toml", "")
        self.assertEqual(self.words(HOME=str(self.root / "home")), [])
        self.assertEqual(self.words(XDG_CONFIG_HOME=str(config.parents[1])), [])

    def test_arguments_arrive_as_they_are(self):
        self.assertEqual(self.words("run", "two words", "", "-x", "*"),
                         ["run", "two words", "", "-x", "*"])

    def test_starts_in_the_folder_of_the_caller(self):
        folder = self.root / "elsewhere"
        folder.mkdir()
        run = self.run_script(self.root / "script/run", "x", cwd=folder)
        self.assertTrue(run.stdout.startswith(f"[{folder}]"), run.stdout)

    def test_a_failing_build_starts_nothing(self):
        self.program("script/lib/build-preset", "echo 'error: no' >&2\nexit 1\n")
        run = self.run_script(self.root / "script/run")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, "", "error: no\n"))

    def test_a_build_without_a_program_says_so(self):
        (self.root / "build/release/assent").unlink()
        run = self.run_script(self.root / "script/run")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("made no build/release/assent", run.stderr)


if __name__ == "__main__":
    unittest.main()
