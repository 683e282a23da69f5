#!/usr/bin/env python3
"""An HTTP/1.1 proxy on 127.0.0.1 that damages what a model server answers.

    cutting_proxy.py --target PORT [--port PORT] [--mode MODE] [--control FILE] [--log FILE]

The chosen port is printed as one line. The mode of a request is the first of: its header
X-Proxy-Mode, the first line of the control file, --mode. A control file of several lines gives
one mode to each request, in order; its last line stays.

    pass            as it is
    cut:N           the response's body ends after N bytes and the connection closes
    bad-arguments   the first piece of a call's arguments is replaced by text that is not JSON
    bad-line        the second data line of the stream is replaced by one that is not JSON
    refuse          the connection closes without a byte
    limit:N         the first N requests get 429 with Retry-After: 0, those after it pass
    stall           the head and the first data line come, then nothing until the client goes
"""

import argparse
import http.client
import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LIMIT_BODY = b'{"error":{"message":"Rate limited by the proxy","type":"rate_limit_error"}}'
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


class State:
    """What the requests share: how many came, and where the modes are found."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.requests = 0
        self.limited = 0

    def next_mode(self, header):
        with self.lock:
            number = self.requests
            self.requests += 1
        if header:
            return header
        if self.options.control:
            with open(self.options.control, encoding="utf-8") as control:
                modes = control.read().split()
            if modes:
                return modes[min(number, len(modes) - 1)]
        return self.options.mode

    def take_limited(self, count):
        with self.lock:
            self.limited += 1
            return self.limited <= count

    def log(self, mode, path, status):
        if self.options.log:
            with self.lock, open(self.options.log, "a", encoding="utf-8") as log:
                log.write(json.dumps({"mode": mode, "path": path, "status": status}) + "\n")


def spoil_arguments(line):
    """The data line with the first arguments that are not empty spoilt; None where it has none."""
    try:
        chunk = json.loads(line[len(b"data:"):])
        calls = chunk["choices"][0]["delta"]["tool_calls"]
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    for call in calls:
        if call.get("function", {}).get("arguments"):
            call["function"]["arguments"] = "{not json "
            return b"data: " + json.dumps(chunk).encode() + b"\n"
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state = None

    def do_GET(self):
        self.forward()

    def do_POST(self):
        self.forward()

    def log_message(self, *_):
        pass

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        mode = self.state.next_mode(self.headers.get("X-Proxy-Mode"))
        name, _, count = mode.partition(":")
        self.close_connection = True
        if name == "refuse":
            self.state.log(mode, self.path, None)
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if name == "limit" and self.state.take_limited(int(count or 1)):
            self.state.log(mode, self.path, 429)
            self.send_response(429)
            self.send_header("Content-Type", "application/json")
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(LIMIT_BODY)))
            self.end_headers()
            self.wfile.write(LIMIT_BODY)
            return
        target = http.client.HTTPConnection("127.0.0.1", self.state.options.target, timeout=60)
        headers = {k: v for k, v in self.headers.items()
                   if k.lower() not in HOP_BY_HOP and k.lower() != "x-proxy-mode"}
        target.request(self.command, self.path, body, headers)
        response = target.getresponse()
        self.state.log(mode, self.path, response.status)
        self.send_response(response.status)
        for key, value in response.getheaders():
            if key.lower() not in HOP_BY_HOP and key.lower() not in ("date", "server"):
                self.send_header(key, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            if self.damage(response, name, count):
                self.wfile.write(b"0\r\n\r\n")
        except OSError:
            pass  # the client went first
        finally:
            target.close()

    def write_chunk(self, data):
        if data:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

    def damage(self, response, name, count):
        """Writes the body; True where it is to be ended properly."""
        left = int(count) if name == "cut" else None
        lines = 0
        spoilt = False
        while True:
            line = response.readline()
            if not line:
                return True
            if line.startswith(b"data:"):
                lines += 1
                if name == "bad-line" and lines == 2:
                    line = b'data: {"choices": [oops\n'
                if name == "bad-arguments" and not spoilt:
                    replaced = spoil_arguments(line)
                    spoilt = replaced is not None
                    line = replaced or line
            if left is not None and len(line) >= left:
                self.write_chunk(line[:left])
                return False
            if left is not None:
                left -= len(line)
            self.write_chunk(line)
            if name == "stall" and lines == 1:
                self.connection.recv(1)
                return False


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=int, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--mode", default="pass")
    parser.add_argument("--control")
    parser.add_argument("--log")
    options = parser.parse_args()
    Handler.state = State(options)
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
