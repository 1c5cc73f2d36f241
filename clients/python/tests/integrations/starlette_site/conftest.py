"""Sets longer deadlines, for a busy machine."""

from tests.support.patience import patient_default

__all__ = ["patient_default"]
