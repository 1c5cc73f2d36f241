"""The site's deadlines, for a busy machine."""

from tests.patience import patient_default

__all__ = ["patient_default"]
