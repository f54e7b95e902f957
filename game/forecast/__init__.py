"""Forecasts: an encounter played many times by the computer, and what comes of it (docs/forecast.md)."""

from __future__ import annotations

from game.forecast.counts import Counts
from game.forecast.play import Dealer, Trial
from game.forecast.report import Forecast, report
from game.forecast.simulate import simulate

__all__ = ["Counts", "Dealer", "Forecast", "Trial", "report", "simulate"]
