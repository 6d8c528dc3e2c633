"""browser.py: a headless Chromium, driven over its DevTools protocol. Python's own library alone."""

import base64
import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time


class Socket:
    """The few parts of a WebSocket (RFC 6455) that DevTools needs: texts, whole or in parts."""

    def __init__(self, address):
        host, port, path = re.fullmatch(r"ws://([^:/]+):(\d+)(/.*)", address).groups()
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        if b"101" not in self.file.readline():
            raise RuntimeError("Chromium refuses the connection")
        while self.file.readline().strip():
            pass

    def send(self, text):
        body = text.encode()
        length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xff" + len(body).to_bytes(8, "big")
        self.socket.sendall(b"\x81" + length + bytes(4) + body)  # a mask of zeros leaves the text as it is

    def read(self, count):
        data = self.file.read(count)
        if len(data) < count:
            raise ConnectionError("Chromium has ended")
        return data

    def receive(self):
        text = b""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(self.read(2 if length == 126 else 8), "big")
            body = self.read(length)
            if first & 15 < 3:
                text += body
            if first & 128 and first & 15 < 3:
                return text.decode()


class Browser:
    def __init__(self, program, width=1280, height=800):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.errors = []  # what the page's console and rules complained about
        self.number = 0
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--remote-debugging-port=0", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        limit = threading.Timer(60, self.process.kill)
        limit.start()
        found = next(filter(None, (re.search(r"ws://\S+", line) for line in self.process.stderr)), None)
        limit.cancel()
        if not found:
            raise RuntimeError("Chromium does not start")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.socket = Socket(found.group(0))
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.receive())
            self._note(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _note(self, answer):
        parameters = answer.get("params", {})
        if answer.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        if answer.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def run(self, script):
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def wait(self, script, seconds=30):
        """Until an expression is true; its value. It may fail meanwhile: a page that is just opened replaces the last."""
        end, value = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                if value := self.run(script):
                    return value
            except RuntimeError as error:
                value = error
            time.sleep(0.05)
        shown = self.run("document.body.innerText.slice(0, 300)")
        raise RuntimeError(f"in vain: {script}: {value}\n{shown}\n{self.errors}")

    def screenshot(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def give_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            pass
        finally:
            self.process.kill()  # nothing, where it has ended
            self.process.wait()
            self.folder.cleanup()
