"""script/lib/quietly shows what failed, and nothing of what did not."""

import os
import signal
import subprocess
import time
import unittest

from checkout import Checkout


class Quietly(Checkout):
    def quietly(self, body):
        return self.run_script(self.root / "script/lib/quietly", "making", "bash", "-c", body)

    def test_success_is_silent(self):
        run = self.quietly("echo noise; echo noise >&2")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_failure_shows_the_output_without_progress(self):
        run = self.quietly("echo '[1/2] step'; echo 'FAILED: a.o'; echo 'g++ -c a.cc'; "
                           "echo 'a.cc:1: error' >&2; exit 7")
        self.assertEqual(run.returncode, 7)
        self.assertEqual(run.stderr,
                         "FAILED: a.o\na.cc:1: error\nmaking: failed with exit code 7\n")

    def test_what_takes_long_says_so(self):
        run = self.quietly("echo '[1/2] step'; sleep 3")
        self.assertEqual((run.returncode, run.stderr), (0, "making …\n"))

    def test_the_command_ends_with_an_interrupt(self):
        process = subprocess.Popen(
            [self.root / "script/lib/quietly", "making", "sleep", "50"], start_new_session=True,
            stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        # The pipe ends when nobody holds it any more: the watcher is gone too.
        self.assertEqual(process.communicate(timeout=20)[1], "")
        self.assertNotEqual(process.returncode, 0)
        self.assertLess(time.monotonic() - start, 15)


if __name__ == "__main__":
    unittest.main()
