"""The blocking twins of the asyncio classes; written by tools/python-sync."""
