"""The command's first module, of the console script and of `python -m localbase`."""

import gc
import signal

# What a command imports stays until its end: to look for garbage among it takes a tenth of its beginning.
gc.set_threshold(100_000)
# What is imported takes a fifth of a second, in which Ctrl-C shall end the command without a traceback. Where it is
# ignored, it stays so.
_HANDLER = signal.getsignal(signal.SIGINT)
if _HANDLER is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from localbase.cli.main import main  # noqa: E402


def run() -> int:
    """Runs one command, as `main`."""
    try:
        signal.signal(signal.SIGINT, _HANDLER)
        return main()
    except KeyboardInterrupt:
        return 130
    finally:
        # Nor does the interpreter look at its end, where all goes in any case.
        gc.freeze()
        # At its end Python calls what was registered for it, and Ctrl-C would show where.
        if _HANDLER is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    raise SystemExit(run())
