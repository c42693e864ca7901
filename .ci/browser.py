"""Open pages in headless Chromium, as a phone, a desktop and a printer see them, and say what is wrong with them.

    python .ci/browser.py [--pictures FOLDER] page.html …

Of each page: no message on the console, no error, no request beyond the file itself, nothing wider than the screen or
cut off inside its box, every link within the page has its target and no name is given twice, nothing cut off on paper.
Chromium is driven over a pipe (the DevTools protocol), so that it needs nothing else. Exit code 1: a page has faults.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

TALLEST = 12_000  # pixels of a picture
WIDTHS = (390, 1280)  # pixels: a phone, a desktop
PAPER = (8.27, 11.69)  # inches: A4
CONTENT = 688  # pixels of A4 between margins of 14 mm

LOOK = """(() => {
  const style = document.createElement('style');
  style.textContent = '* { content-visibility: visible !important }';
  document.head.append(style);
  const wrong = [], root = document.documentElement;
  if (root.scrollWidth > innerWidth) wrong.push(`the page is ${root.scrollWidth} pixels wide on ${innerWidth}`);
  for (const box of document.body.querySelectorAll('*')) {
    if (box.closest('svg')) continue;
    const at = box.getBoundingClientRect();
    const name = `${box.tagName} ${box.className} ${box.textContent.trim().slice(0, 40)}`;
    if (at.width && (at.right > innerWidth + 1 || at.left < -1)) wrong.push(`beyond the edge: ${name}`);
    const shown = getComputedStyle(box);
    if (box.clientWidth && box.scrollWidth > box.clientWidth + 1 && shown.display !== 'inline')
      wrong.push(`wider than its box (${box.scrollWidth} > ${box.clientWidth}): ${name}`);
  }
  for (const svg of document.querySelectorAll('figure svg')) {
    const edge = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll('text')) {
      const at = text.getBoundingClientRect();
      if (at.left < edge.left - 1 || at.right > edge.right + 1 || at.top < edge.top - 1 || at.bottom > edge.bottom + 1)
        wrong.push(`cut off in a figure: ${text.textContent}`);
      if (at.height && at.height < 7) wrong.push(`too small to read in a figure: ${text.textContent}`);
    }
  }
  const names = [...document.querySelectorAll('[id]')].map(one => one.id), known = new Set(names);
  if (known.size < names.length) wrong.push(`${names.length - known.size} names are given twice`);
  for (const link of document.querySelectorAll('a[href]')) {
    const to = link.getAttribute('href');
    if (!to.startsWith('#') || !known.has(to.slice(1))) wrong.push(`a link without its target: ${to}`);
  }
  if (document.querySelector('script')) wrong.push('a script');
  return {wrong: wrong.slice(0, 20), more: Math.max(0, wrong.length - 20), links: document.querySelectorAll('a').length,
    height: root.scrollHeight};
})()"""


class Browser:
    """A Chromium at the other end of a pipe."""

    def __init__(self, read: int, write: int) -> None:
        self.read, self.write, self.number, self.buffer = read, write, 0, b""
        self.events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command and wait for its answer; what happens meanwhile is kept."""
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def receive(self) -> dict[str, Any]:
        """Read one message."""
        while b"\0" not in self.buffer:
            part = os.read(self.read, 1 << 20)
            if not part:
                raise RuntimeError("expected an answer of Chromium, got the end of the pipe")
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def open(self, url: str) -> None:
        """Go to a page and wait until it is there."""
        self.events.clear()
        self.ask("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium and stop it again."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("expected chromium on the path, got none: apt-get install chromium")
    (to_read, to_write), (from_read, from_write) = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory() as profile:
        options = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --remote-debugging-pipe"
        line = f'exec "$0" {options} --user-data-dir="$1" 3<&{to_read} 4>&{from_write}'
        command = ["bash", "-c", line, program, profile]
        with subprocess.Popen(command, pass_fds=(to_read, from_write), stderr=subprocess.DEVNULL) as process:
            os.close(to_read)
            os.close(from_write)
            try:
                yield Browser(from_read, to_write)
            finally:
                process.terminate()
                process.wait()


def happened(browser: Browser, url: str) -> list[str]:
    """What the page said on the console, and what it asked for besides itself."""
    told = []
    for event in browser.events:
        params = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                told.append(f"console: {[argument.get('value') for argument in params['args']]}")
            case "Runtime.exceptionThrown":
                told.append(f"error: {params['exceptionDetails']['text']}")
            case "Log.entryAdded":
                told.append(f"log: {params['entry']['text']}")
            case "Network.requestWillBeSent" if params["request"]["url"] not in (url, "data:,"):
                told.append(f"request: {params['request']['url'][:100]}")
    return told


def inspect(browser: Browser, page: Path, pictures: Path | None) -> tuple[list[str], str]:
    """All that is wrong with a page, and a line on what was seen."""
    url, faults, seen = page.resolve().as_uri(), [], [f"{page.stat().st_size / 1e6:.2f} MB"]
    for width in WIDTHS:
        size = {"width": width, "height": 844 if width < 600 else 800}
        browser.ask("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, mobile=width < 600, **size)
        start = perf_counter()
        browser.open(url)
        seen.append(f"{width} px in {perf_counter() - start:.1f} s")
        found = look(browser)
        faults += [f"{width} px: {fault}" for fault in happened(browser, url) + found["wrong"]]
        faults += [f"{width} px: … and {found['more']} more"] * bool(found["more"])
        if pictures is not None:
            clip = {"x": 0, "y": 0, "width": width, "height": min(found["height"], TALLEST), "scale": 1}
            picture = browser.ask("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
            (pictures / f"{page.stem}-{width}.png").write_bytes(base64.b64decode(picture["data"]))
    browser.ask("Emulation.setEmulatedMedia", media="print")
    browser.ask("Emulation.setDeviceMetricsOverride", width=CONTENT, height=980, deviceScaleFactor=1, mobile=False)
    faults += [f"print: {fault}" for fault in look(browser)["wrong"]]
    browser.ask("Emulation.setEmulatedMedia", media="")
    browser.ask("Emulation.clearDeviceMetricsOverride")
    printed = browser.ask("Page.printToPDF", paperWidth=PAPER[0], paperHeight=PAPER[1], preferCSSPageSize=True)
    pdf = base64.b64decode(printed["data"])
    sheets = pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ")
    if not pdf.startswith(b"%PDF") or not sheets:
        faults.append("print: no pages")
    if pictures is not None:
        (pictures / f"{page.stem}.pdf").write_bytes(pdf)
    return faults, ", ".join([*seen, f"{found['links']:,} links", f"{sheets} pages of paper"])


def look(browser: Browser) -> dict[str, Any]:
    """What is wrong with the page as it stands."""
    answer = browser.ask("Runtime.evaluate", expression=LOOK, returnByValue=True)
    if "exceptionDetails" in answer:
        raise RuntimeError(str(answer["exceptionDetails"]))
    return answer["result"]["value"]


def main() -> None:
    """Inspect the pages that are named."""
    parser = argparse.ArgumentParser(description="Open pages in headless Chromium and say what is wrong with them.")
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--pictures", type=Path, help="a folder for pictures and the printed page")
    asked = parser.parse_args()
    if asked.pictures is not None:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    bad = 0
    with chromium() as browser:
        for page in asked.pages:
            faults, seen = inspect(browser, page, asked.pictures)
            print(f"{page.name}: {seen}")
            for fault in faults:
                print(f"  {fault}")
            bad += bool(faults)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
