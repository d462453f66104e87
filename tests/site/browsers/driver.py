"""Firefox and WebKitGTK, driven by what comes with them: WebDriver's commands, without a package.

Firefox takes them on a socket of its own (Marionette), WebKit by way of WebKitWebDriver.  Their
scripts, keys and mouse are those of one standard, so what they have in common is `Browser`.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

KEYS = {
    "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Home": "\ue011", "End": "\ue010",
    "Control": "\ue009", "Delete": "\ue017", "Enter": "\ue007",
}  # fmt: skip
PATIENCE = 180  # seconds
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser"


class Browser:
    """One window.  Places are those of the page's part that is seen, in pixels."""

    name = how_to_get = ""

    def call(self, command, **params):
        raise NotImplementedError

    def said(self):
        """What the page complained of since it was last asked, as `listen.js` has heard it."""
        return self.run("return window.complaints?.splice(0) ?? []")

    def open(self, address):
        self.call("Navigate", url=address)

    def run(self, script, *args):
        """Run the body of a function of JavaScript and return what it returns."""
        return self.call("ExecuteScript", script=script, args=list(args))

    def until(self, script, *args):
        """Wait until the body of a function returns something, and return that."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script, *args)):
            assert time.monotonic() < end, f"{self.name}: this has not come to pass: {script}"
            time.sleep(0.03)
        return value

    def press(self, *keys):
        """Press keys down in this order, then let them go."""
        self._act("key", [{"type": "keyDown", "value": KEYS.get(key, key)} for key in keys])
        self._act("key", [{"type": "keyUp", "value": KEYS.get(key, key)} for key in reversed(keys)])

    def type(self, text):
        self._act(
            "key", [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        )

    def click(self, place):
        self.drag(place)

    def drag(self, start, *ways):
        """Press at a place, move by way of others, and let go."""
        moves = [{"type": "pointerMove", "duration": 30, "x": round(x), "y": round(y)} for x, y in ways]
        x, y = start
        self._act(
            "pointer",
            [
                {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
                {"type": "pointerDown", "button": 0},
                *moves,
                {"type": "pointerUp", "button": 0},
            ],
        )

    def _act(self, kind, actions):
        device = {"type": kind, "id": kind, "actions": actions}
        if kind == "pointer":
            device["parameters"] = {"pointerType": "mouse"}
        self.call("PerformActions", actions=[device])

    def save_picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("TakeScreenshot", full=False)))


class Firefox(Browser):
    name, how_to_get = "Firefox", "apt-get install firefox-esr"

    # No other host, no page of its own, and a mouse even where the machine has none.
    PREFERENCES = {  # noqa: RUF012
        "marionette.port": 0,
        "remote.system-access-check.enabled": False,
        "network.proxy.type": 1,
        "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": 9,
        "network.proxy.no_proxies_on": "127.0.0.1",
        "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False,
        "browser.shell.checkDefaultBrowser": False,
        "browser.startup.page": 0,
        "datareporting.policy.dataSubmissionEnabled": False,
        "ui.primaryPointerCapabilities": 6,
        "ui.allPointerCapabilities": 6,
    }

    @staticmethod
    def find():
        return next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)

    def __init__(self, folder, dark=False):
        profile = Path(folder) / "profile"
        profile.mkdir(parents=True)
        wanted = {**self.PREFERENCES, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [self.find(), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
        self.log = (Path(folder) / "log").open("wb")
        environment = {**os.environ, "HOME": str(folder), "MOZ_HEADLESS_WIDTH": "1400"}
        self.process = subprocess.Popen(
            [*command, "--profile", profile], stdout=self.log, stderr=self.log, env=environment
        )
        port = profile / "MarionetteActivePort"
        wait_for(lambda: port.exists() and port.read_text(encoding="utf-8"), self.process)
        self.socket = socket.create_connection(
            ("127.0.0.1", int(port.read_text(encoding="utf-8"))), timeout=PATIENCE
        )
        self._answer()  # it says hello
        self.call("NewSession")
        self.call("SetTimeouts", script=PATIENCE * 1000, pageLoad=PATIENCE * 1000)

    def call(self, command, **params):
        context = "Marionette" if command == "SetContext" else "WebDriver"
        data = json.dumps([0, 1, f"{context}:{command}", params]).encode()
        self.socket.sendall(f"{len(data)}:".encode() + data)
        _, _, error, result = self._answer()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def _answer(self):
        head = b""
        while not head.endswith(b":"):
            head += self.socket.recv(1)
        data, length = b"", int(head[:-1])
        while len(data) < length:
            data += self.socket.recv(length - len(data))
        return json.loads(data)

    def in_the_browser(self, script, *args):
        """Run a script that may touch the browser itself, not the page."""
        self.call("SetContext", value="chrome")
        try:
            return self.run(script, *args)
        finally:
            self.call("SetContext", value="content")

    def said(self):
        """That, and what Firefox itself has to say of the page, such as of what it fetched beforehand."""
        own = self.in_the_browser("""
            const said = Services.console.getMessageArray().filter(
                message => message instanceof Ci.nsIScriptError
                    && !(message.flags & Ci.nsIScriptError.warningFlag)
                    && /^(https?|blob|data):/.test(message.sourceName));
            Services.console.reset();
            return said.map(error => `${error.errorMessage} (${error.sourceName})`);
        """)
        return super().said() + own

    def resize(self, width, height):
        self.in_the_browser(
            """
            const style = gBrowser.selectedBrowser.style;
            const [width, height] = arguments;
            for (const limit of ["min", "max"]) {
                style.setProperty(`${limit}-width`, `${width}px`);
                style.setProperty(`${limit}-height`, `${height}px`);
            }
            """,
            width,
            height,
        )
        self.until("return innerWidth === arguments[0]", width)

    def close(self):
        self.socket.close()
        end(self.process)
        self.log.close()


class WebKit(Browser):
    """WebKitGTK's small browser, in a window on a screen that nobody sees."""

    name, how_to_get = "WebKit", "apt-get install webkit2gtk-driver xvfb"
    ENDPOINTS = {  # noqa: RUF012
        "Navigate": "url",
        "ExecuteScript": "execute/sync",
        "PerformActions": "actions",
        "SetTimeouts": "timeouts",
        "SetWindowRect": "window/rect",
        "TakeScreenshot": "screenshot",
    }

    @staticmethod
    def find():
        found = [path for pattern in MINI_BROWSER for path in Path("/").glob(pattern[1:])]
        return found[0] if found and shutil.which("WebKitWebDriver") and shutil.which("Xvfb") else None

    def __init__(self, folder, dark=False):
        ours, theirs = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
            pass_fds=[theirs], stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs)
        with open(ours, encoding="ascii") as pipe:
            display = pipe.readline().strip()
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        style = Path(folder) / ".config" / "gtk-3.0" / "gtk.css"
        style.parent.mkdir(parents=True, exist_ok=True)
        # or its buttons keep the window wider than a phone
        style.write_text(
            "button, entry, toolbutton { padding: 0; margin: 0; min-width: 0; }\n", encoding="utf-8"
        )
        environment = {**os.environ, "DISPLAY": f":{display}", "HOME": str(folder), "GDK_BACKEND": "x11"}
        environment.pop("XDG_CONFIG_HOME", None)
        environment.pop("WAYLAND_DISPLAY", None)
        if dark:
            environment["GTK_THEME"] = "Adwaita:dark"
        self.process = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        self.address = f"http://127.0.0.1:{port}/session"
        wait_for(lambda: not socket.socket().connect_ex(("127.0.0.1", port)), self.process)
        options = {"binary": str(self.find()), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.address += "/" + self._ask("POST", "", wanted)["sessionId"]
        self.call("SetTimeouts", script=PATIENCE * 1000, pageLoad=PATIENCE * 1000)

    def _ask(self, method, path, params=None):
        data = None if params is None else json.dumps(params).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message']}") from None

    def call(self, command, **params):
        path = f"/{self.ENDPOINTS[command]}"
        return self._ask("GET", path) if command == "TakeScreenshot" else self._ask("POST", path, params)

    def resize(self, width, height):
        """The window has a bar of its own above the page."""
        inside = self.run("return [innerWidth, innerHeight]")
        outside = self._ask("GET", "/window/rect")
        self.call(
            "SetWindowRect",
            x=0,
            y=0,
            width=width + outside["width"] - inside[0],
            height=height + outside["height"] - inside[1],
        )
        self.until("return innerWidth === arguments[0]", width)

    def close(self):
        for process in (self.process, self.screen):
            end(process)


def wait_for(state, process):
    limit = time.monotonic() + PATIENCE
    while not state():
        assert process.poll() is None, f"{process.args[0]} ended with {process.returncode}"
        assert time.monotonic() < limit, f"{process.args[0]} did not get ready"
        time.sleep(0.02)


def end(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    # Save pictures of a page: python driver.py KIND ADDRESS FILE.png [WIDTH [dark]]
    kind, address, file, *more = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        browser = {"firefox": Firefox, "webkit": WebKit}[kind](Path(name) / kind, dark="dark" in more)
        browser.open(address)
        browser.resize(int(more[0]) if more else 1280, 900)
        browser.save_picture(file)
        print("\n".join(browser.said()))
        browser.close()
