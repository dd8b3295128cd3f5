"""An installation below a folder, with a stand-in for the Python that a venv is made of: no network, no compiling.

Of the program that it installs, only the question whether a game runs is answered by the true one, of the checkout; all
else would only take time here.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

PYTHON = """#!/bin/sh
# Stands in for python3, and for the Python of the venvs that it makes.
if [ "$1 $2" = "-m venv" ]; then
	for folder; do :; done
	mkdir -p "$folder/bin" "$folder/lib"
	cp "$0" "$folder/bin/python"
	printf 'home = /usr/bin\\ncommand = -m venv %s\\n' "$folder" >"$folder/pyvenv.cfg"
	exit
fi
if [ "$1 $2" = "-m pip" ]; then
	shift 2
	printf '%s\\n' "$*" >>"$STAND_IN/pip"
	fails=$(cat "$STAND_IN/fails" 2>/dev/null)
	case "$*" in
	*"${fails:-nothing fails}"*)
		if [ -s "$STAND_IN/kills" ]; then kill -"$(cat "$STAND_IN/kills")" $PPID; fi
		echo "no such package" >&2
		exit 1
		;;
	esac
	folder=$(dirname "$(dirname "$0")")
	case "$*" in
	*.whl)
		printf '#!%s/bin/python\\nfrom firmware.command import entry\\n\\nentry()\\n' "$folder" >"$folder/bin/tableref"
		chmod 755 "$folder/bin/tableref"
		echo "the program" >"$folder/lib/program"
		mkdir -p "$folder/share/tableref"
		cp -R "$CHECKOUT/systemd" "$CHECKOUT/examples" "$folder/share/tableref"
		;;
	esac
	exit
fi
case "$1 $2 $3" in
"-V  ") cat "$STAND_IN/version" ;;
*calcsize*) cat "$STAND_IN/bits" ;;
"-c import sys"*gpiochip_open*)
	[ -e "$STAND_IN/own_lgpio" ] || { echo "No module named 'lgpio'" >&2; exit 1; }
	;;
*version_info*) [ ! -e "$STAND_IN/old" ] ;;
*gpiochip_open*) [ -e "$STAND_IN/lgpio" ] || { echo "module 'lgpio' has no attribute 'gpiochip_open'" >&2; exit 1; } ;;
*/tableref' --version'*) echo "tableref, version 0.1.0" ;;
*/tableref' check'*)
	[ -e "$STAND_IN/rules" ] || { echo "no rules" >&2; exit 2; }
	echo "2 bid 1: refused not-your-turn"
	exit 1
	;;
*) PYTHONPATH=$CHECKOUT exec "$REAL" "$@" ;;
esac
"""


class Machine(NamedTuple):
    """A root to install into, and how the stand-in behaves."""

    root: Path
    stand_in: Path

    @classmethod
    def new(cls, folder: Path) -> "Machine":
        """An empty one, with the files of a Pi's boot partition."""
        made = cls(folder / "root", folder / "stand-in")
        boot = made.root / "boot/firmware"
        boot.mkdir(parents=True)
        (boot / "config.txt").write_text("dtparam=audio=on\n\n[all]\n", encoding="utf-8")
        (boot / "cmdline.txt").write_text("console=serial0,115200 console=tty1 root=/dev/sda\n", encoding="utf-8")
        made.stand_in.mkdir()
        (made.stand_in / "python3").write_text(PYTHON, encoding="utf-8")
        (made.stand_in / "python3").chmod(0o755)
        made.behaves(version="Python 3.11.2", bits="8", lgpio="there", own_lgpio="there", rules="there")
        return made

    def copy(self, folder: Path) -> "Machine":
        """The same machine once more."""
        made = Machine(folder / "root", folder / "stand-in")
        shutil.copytree(self.root, made.root, symlinks=True)
        shutil.copytree(self.stand_in, made.stand_in)
        return made

    def behaves(self, **how: str | None) -> None:
        """Have the stand-in behave in a way: `fails` at a call of pip with these words, and so on; None: no longer."""
        for name, value in how.items():
            place = self.stand_in / name
            if value is None:
                place.unlink()
            else:
                place.write_text(f"{value}\n", encoding="utf-8")

    def run(self, program: str = "install", *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one of the two scripts below the root."""
        return subprocess.run(
            ["sh", str(ROOT / "systemd" / program), *options],
            env={
                **os.environ, "DESTDIR": str(self.root), "STAND_IN": str(self.stand_in), "CHECKOUT": str(ROOT),
                "REAL": sys.executable, "PATH": f"{self.stand_in}:{os.environ['PATH']}", **environment,
            },
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    def install(self, *options: str) -> str:
        """Install, which must go well; what was said."""
        done = self.run("install", *options)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
        return done.stdout

    def refused(self, *options: str, program: str = "install") -> str:
        """Try, which must fail; what was said of it."""
        done = self.run(program, *options)
        assert done.returncode == 1, done.stdout
        return done.stderr

    def file(self, name: str) -> Path:
        """The place of a file below the root."""
        return self.root / name.lstrip("/")

    def files(self) -> dict[str, tuple[str, str]]:
        """All that is there: of each file its mode and its text, of each link where it leads."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = f"/{path.relative_to(self.root)}"
            if path.is_symlink():
                found[name] = ("link", str(path.readlink()))
            elif path.is_dir():
                found[name] = (f"{path.stat().st_mode & 0o7777:o}", "")
            else:
                found[name] = (f"{path.stat().st_mode & 0o7777:o}", path.read_text("utf-8", "replace"))
        return found

    def system(self) -> dict[str, tuple[str, str]]:
        """The same, without the versions of the program and which of them is in use."""
        return {name: what for name, what in self.files().items() if not name.startswith("/opt/tableref/")}
