"""Codecs of typed caches, the envelope of their values, and decoding limits."""
