"""Codecs of typed caches, the envelope around encoded values, and decoding limits."""
