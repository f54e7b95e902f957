#!/usr/bin/env python3
"""Start Battlemat from a checkout: make `.venv` beside this file, install what the game needs, run it.

    python3 play.py [arguments of the game]     play
    python3 play.py --setup                     only install
    python3 play.py --setup-dev                 install what the tests need, too

Standard library only. It must still parse under an old Python 3, in order to say which one is needed.
"""

import hashlib
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
STAMP = os.path.join(VENV, "battlemat-stamp")


class SetupError(Exception):
    """Something the user has to mend; the text is one clear line."""


def main(arguments):
    if sys.version_info < OLDEST:
        raise SetupError(
            "Battlemat needs Python %d.%d or newer, but this is Python %s (%s); "
            "start play.py with a newer one, such as python3.12"
            % (OLDEST[0], OLDEST[1], sys.version.split()[0], sys.executable)
        )
    setup_only = "--setup" in arguments or "--setup-dev" in arguments
    python = set_up(dev="--setup-dev" in arguments)
    if setup_only:
        return 0
    # -P: a folder named `game` where the user happens to stand must not be taken for ours
    return subprocess.call([python, "-P", "-m", "game"] + arguments)


def set_up(dev):
    """Bring `.venv` up to date and return its Python. Nothing is installed if nothing has changed since."""
    python = venv_python()
    wanted = fingerprint()
    have = read_stamp()
    if os.path.exists(python) and have[:1] == [wanted] and ("dev" in have or not dev):
        return python
    if not runs(python):
        make_venv()
    dev = dev or "dev" in have
    say("installing what Battlemat needs (once; this takes a minute) ...")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        pip + ["--editable", HERE + ("[dev]" if dev else "")], stdout=sys.stderr, stderr=subprocess.PIPE, text=True
    )
    if done.returncode:
        reason = [line.strip() for line in done.stderr.splitlines() if line.strip().startswith("ERROR: ")]
        raise SetupError(
            "could not install what Battlemat needs: %s; is the network up, and is there room on the disk? "
            "Then try again" % (reason[0][len("ERROR: ") :] if reason else "pip ended with status %d" % done.returncode)
        )
    with open(STAMP, "w", encoding="utf-8") as stamp:
        stamp.write(" ".join([wanted] + (["dev"] if dev else [])) + "\n")
    return python


def venv_python():
    if os.name == "nt":
        return os.path.join(VENV, "Scripts", "python.exe")
    return os.path.join(VENV, "bin", "python")


def fingerprint():
    """Changes with what is to be installed, with where, and with the Python that made the environment."""
    digest = hashlib.sha256()
    with open(os.path.join(HERE, "pyproject.toml"), "rb") as file:
        digest.update(file.read())
    digest.update(("%s %s" % (HERE, sys.version_info[:2])).encode("utf-8"))
    return digest.hexdigest()


def read_stamp():
    try:
        with open(STAMP, encoding="utf-8") as file:
            return file.read().split()
    except OSError:
        return []


def runs(python):
    """True if that environment exists, is of this Python's version and has pip."""
    if not os.path.exists(python):
        return False
    question = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([python, "-c", question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return False
    return answer.returncode == 0 and answer.stdout.strip() == "%d.%d" % sys.version_info[:2]


def make_venv():
    """A fresh `.venv`: by venv, else by virtualenv, else without pip, which this Python's own pip then adds."""
    if os.path.isdir(VENV):
        shutil.rmtree(VENV)
    say("making %s with Python %s ..." % (VENV, sys.version.split()[0]))
    ways = (
        [[sys.executable, "-m", "venv", VENV]],
        [[sys.executable, "-m", "virtualenv", "--quiet", VENV]],
        [
            [sys.executable, "-m", "venv", "--without-pip", VENV],
            [sys.executable, "-m", "pip", "--python", venv_python(), "install", "--quiet", "pip"],
        ],
    )
    for way in ways:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if all(subprocess.call(command, **quiet) == 0 for command in way) and runs(venv_python()):
            return
        shutil.rmtree(VENV, ignore_errors=True)
    raise SetupError(
        "this Python (%s) cannot make virtual environments; on Debian, Ubuntu and Mint install them with: "
        "sudo apt install python%d.%d-venv" % (sys.executable, sys.version_info[0], sys.version_info[1])
    )


def say(text):
    sys.stderr.write("battlemat: %s\n" % text)
    sys.stderr.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SetupError as error:
        say(str(error))
        sys.exit(2)
    except OSError as error:
        say("%s: %s" % (error.filename or VENV, error.strerror or error))
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
