"""Where a bundle begins: worker processes of forecasts are the same program started anew."""

from multiprocessing import freeze_support

if __name__ == "__main__":
    freeze_support()
    from game.cli import main

    raise SystemExit(main())
