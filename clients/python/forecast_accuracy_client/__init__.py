"""A typed client of the Forecast Accuracy Service, with Python's own library alone. `generated` has the types."""

from .client import ForecastAccuracy
from .errors import ForecastAccuracyError

__all__ = ["ForecastAccuracy", "ForecastAccuracyError"]
