"""Codecs of typed caches, the envelope around each value, and limits of decoding."""
