"""`python -m tools.terminal_picture`: the picture of a start on localbase's front page, from the command's own output.

Runs `localbase start` on a copy of `examples/todo` in a terminal and draws what it shows then, as SVG: text that can
be selected, in the reader's own monospaced font, light or dark as the reader's system is. Needs the official ports.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "localbase-start.svg"
PROJECT = ROOT / "examples" / "todo"
# Where the reader's project would lie: the picture shows no folder of the machine that drew it.
_SHOWN_FOLDER = "/home/me/todo"
_COLUMNS = 78
_LINE, _WIDE, _MARGIN, _BAR = 20, 8.43, 20, 34
_ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")
_CLASSES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow"}
_STYLE = """
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
      fill: #1f2328; white-space: pre }
    .page { fill: #f6f8fa; stroke: #d1d9e0 } .dot { fill: #d1d9e0 } .prompt, .dim { fill: #59636e }
    .bold { font-weight: 600 } .red { fill: #cf222e } .green { fill: #1a7f37 } .yellow { fill: #9a6700 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .prompt, .dim { fill: #9198a1 }
      .page { fill: #151b23; stroke: #3d444d } .dot { fill: #3d444d }
      .red { fill: #ff7b72 } .green { fill: #3fb950 } .yellow { fill: #d29922 }
    }
  """


Line = list[tuple[str, str]]


def record(command: list[str], folder: Path, environ: Mapping[str, str]) -> str:
    """Return what the command writes to a terminal. Raises `CalledProcessError` with it if it fails."""
    terminal, slave = pty.openpty()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**environ, "TERM": "xterm-256color", "COLUMNS": str(_COLUMNS)},
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    output = b""
    with os.fdopen(terminal, "rb", buffering=0) as shown:
        # A terminal without a writer is an error on Linux, and an end on macOS.
        while part := _read(shown.fileno()):
            output += part
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command, output)
    return output.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def screen(output: str) -> list[Line]:
    """The lines that the terminal shows at the end, each as pieces of text with their style."""
    lines: list[Line] = []
    for written in output.replace("\r\n", "\n").rstrip().split("\n"):
        # A line that is written anew, as progress does, shows its last form.
        last = written.rpartition("\r")[2]
        line: Line = []
        style, at = "", 0
        for code in _ESCAPE.finditer(last):
            line.append((last[at : code.start()], style))
            at = code.end()
            style = _CLASSES.get(code[1], "") if code[2] == "m" else style
        line.append((last[at:], style))
        lines.append([(text, style) for text, style in line if text])
    return lines


def draw(title: str, command: str, lines: Iterable[Line]) -> str:
    """The picture: a window with the command that was typed and what it showed."""
    typed: list[Line] = [[("$ ", "prompt"), (command, "bold")], *lines]
    width = round(_COLUMNS * _WIDE) + 2 * _MARGIN
    height = _BAR + len(typed) * _LINE + _MARGIN
    rows = [
        f'  <text x="{_MARGIN}" y="{_BAR + (at + 1) * _LINE - 5}">{"".join(map(_piece, line))}</text>'
        for at, line in enumerate(typed)
        if line
    ]
    dots = "".join(f'<circle class="dot" cx="{_MARGIN + 4 + 18 * at}" cy="18" r="5"/>' for at in range(3))
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" role="img" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-label="{escape(title)}">',
            f"  <style>{_STYLE}</style>",
            f'  <rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            f"  {dots}",
            *rows,
            "</svg>\n",
        ]
    )


def _piece(piece: tuple[str, str]) -> str:
    text, style = piece
    return f'<tspan class="{style}">{escape(text)}</tspan>' if style else escape(text)


def text_of(picture: str) -> list[str]:
    """The lines of text in a picture that `draw` made, the command's first."""
    rows = re.findall(r"<text [^>]*>(.*)</text>", picture)
    plain = [re.sub(r"<[^>]+>", "", row) for row in rows]
    return [row.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for row in plain]


def start_of(project: Path, environ: Mapping[str, str]) -> list[Line]:
    """Return what `localbase start` shows for a fresh copy of a project, which is stopped then."""
    with tempfile.TemporaryDirectory(prefix="localbase-picture-") as temporary:
        # Postgres runs as another user when this runs as root.
        Path(temporary).chmod(0o755)
        folder = Path(temporary) / project.name
        shutil.copytree(
            project / "supabase", folder / "supabase", ignore=shutil.ignore_patterns(".localbase")
        )
        localbase = [sys.executable, "-m", "localbase"]
        try:
            output = record([*localbase, "start"], folder, environ)
        finally:
            subprocess.run([*localbase, "stop"], cwd=folder, env=environ, capture_output=True, check=True)
        return screen(output.replace(str(folder.resolve()), _SHOWN_FOLDER))


def main() -> None:
    """Draws the picture; prints its file and size."""
    lines = start_of(PROJECT, os.environ)
    picture = draw(
        "localbase start: its steps with their seconds, then addresses and keys", "localbase start", lines
    )
    PICTURE.write_text(picture, encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)}  {len(picture.encode())} bytes")


if __name__ == "__main__":
    main()
