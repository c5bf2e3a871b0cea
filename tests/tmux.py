"""The debugger on a terminal, for tests: tmux is the terminal."""
import os
import re
import shlex
import subprocess
import termios
import time


class Tmux:
    """A terminal of its own with a program in it; `seen`: what it showed last."""
    PROMPT = r"^\(wavesim\)"

    def __init__(self, folder, words, width=120, height=40):
        self.folder = folder
        self.server = ["tmux", "-L", f"wavesim-{os.getpid()}", "-f", "/dev/null"]
        self.do("new-session", "-d", "-s", "s", "-x", str(width), "-y", str(height),
                shlex.join(words))

    def do(self, *words):
        return subprocess.run(self.server + list(words), cwd=self.folder, capture_output=True, text=True).stdout

    def keys(self, *keys):
        self.do("send-keys", "-t", "s", *keys)

    def screen(self):
        return self.do("capture-pane", "-p", "-J", "-t", "s", "-S", "-").rstrip()

    def shows(self, text, keys=(), prompts=0, seconds=60):
        if keys:
            self.keys(*keys)
        end = time.time() + seconds
        while time.time() < end:
            self.seen = self.screen()
            if re.search(text, self.seen) and len(re.findall(self.PROMPT, self.seen, re.M)) >= prompts:
                return True
            if not self.seen and not self.do("list-sessions"):
                return False # it has ended
            time.sleep(0.05)
        return False

    def edits(self, seconds=60):
        """The program reads keys one by one: what is typed earlier the terminal itself would show, too."""
        tty = os.open(self.do("display-message", "-p", "-t", "s", "#{pane_tty}").strip(), os.O_RDWR | os.O_NOCTTY)
        end = time.time() + seconds
        try:
            while termios.tcgetattr(tty)[3] & termios.ICANON:
                if time.time() > end:
                    return False
                time.sleep(0.01)
            return True
        finally:
            os.close(tty)

    def gone(self, seconds=60):
        end = time.time() + seconds
        while time.time() < end and "s" in self.do("list-sessions"):
            time.sleep(0.1)
        return not self.do("list-sessions").strip()

    def close(self):
        self.do("kill-server")
