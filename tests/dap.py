"""A client of the Debug Adapter Protocol, for tests: one request, its answer, and the events around it."""
import json
import subprocess
import threading


class Refused(Exception):
    pass


class Client:
    LONGEST = 600  # seconds that the adapter may live
    def __init__(self, wavesim, cwd=None):
        self.p = subprocess.Popen([wavesim, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
        self.seq = 0
        self.guard = threading.Timer(self.LONGEST, self.p.kill)
        self.guard.daemon = True
        self.guard.start()
        self.events = []

    def write(self, data):
        self.p.stdin.write(data)
        self.p.stdin.flush()

    def send(self, command, **arguments):
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        return self.seq

    def read(self):
        length = None
        while True:
            line = self.p.stdout.readline()
            if not line:
                raise EOFError("the adapter has ended")
            line = line.strip()
            if not line:
                break
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.p.stdout.read(length))

    def answer(self, seq):
        while True:
            m = self.read()
            if m["type"] == "event":
                self.events.append(m)
            elif m["request_seq"] == seq:
                if not m["success"]:
                    raise Refused(m["message"])
                return m["body"]

    def ask(self, command, **arguments):
        return self.answer(self.send(command, **arguments))

    def event(self, *names):
        """The next event of one of these names; others before it are passed over."""
        while True:
            m = self.events.pop(0) if self.events else self.read()
            if m["type"] == "event" and m["event"] in names:
                return m

    def start(self, program, args=(), breakpoints=(), filters=(), **more):
        can = self.ask("initialize", adapterID="wavesim", linesStartAt1=True, columnsStartAt1=True,
                       supportsInvalidatedEvent=True)
        self.ask("launch", program=program, args=list(args), **more)
        self.event("initialized")
        placed = self.ask("setBreakpoints", source={"path": program}, breakpoints=list(breakpoints))["breakpoints"]
        self.ask("setExceptionBreakpoints", filters=list(filters))
        self.ask("configurationDone")
        return can, placed

    def go(self, command, **arguments):
        self.ask(command, **{"threadId": 1, **arguments})
        return self.event("stopped", "terminated")

    def frames(self, thread=1):
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def scopes(self, frame):
        return {s["name"].split(" of ")[0]: s["variablesReference"]
                for s in self.ask("scopes", frameId=frame)["scopes"]}

    def variables(self, reference, **more):
        return {v["name"]: v for v in self.ask("variables", variablesReference=reference, **more)["variables"]}

    def evaluate(self, text, frame=0, context="watch"):
        return self.ask("evaluate", expression=text, frameId=frame, context=context)["result"]

    def end(self):
        try:
            self.ask("disconnect")
        except EOFError:
            pass
        self.p.stdin.close()
        self.guard.cancel()
        return self.p.wait(timeout=60)
