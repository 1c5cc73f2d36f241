"""Example arguments for every call on a collection, without the first argument, which is the collection's name."""

from __future__ import annotations

from typing import Any

DICTIONARIES: dict[str, tuple[Any, ...]] = {
    "dictionary_get": (["f"],),
    "dictionary_fetch": (),
    "dictionary_set": ({"f": "v"},),
    "dictionary_increment": ("n",),
    "dictionary_delete": (),
    "dictionary_remove": (["f"],),
    "dictionary_length": (),
    "dictionary_set_field": ("f", "v"),
    "dictionary_set_fields": ([("f", "v")],),
    "dictionary_get_field": ("f",),
    "dictionary_get_fields": (["f"],),
    "dictionary_remove_field": ("f",),
    "dictionary_remove_fields": (["f"],),
}
SETS: dict[str, tuple[Any, ...]] = {
    "set_fetch": (),
    "set_sample": (1,),
    "set_union": (["e"],),
    "set_difference": (["e"],),
    "set_difference_from": (["e"],),
    "set_contains": (["e"],),
    "set_length": (),
    "set_pop": (),
    "set_add_element": ("e",),
    "set_add_elements": (["e"],),
    "set_remove_element": ("e",),
    "set_remove_elements": (["e"],),
    "set_contains_element": ("e",),
    "set_contains_elements": (["e"],),
}
LISTS: dict[str, tuple[Any, ...]] = {
    "list_push_front": ("v",),
    "list_push_back": ("v",),
    "list_concatenate_front": (["v"],),
    "list_concatenate_back": (["v"],),
    "list_pop_front": (),
    "list_pop_back": (),
    "list_fetch": (),
    "list_retain": (),
    "list_remove": ("v",),
    "list_erase": ([(0, 1)],),
    "list_length": (),
}
SORTED_SETS: dict[str, tuple[Any, ...]] = {
    "sorted_set_put": ({"e": 1.5},),
    "sorted_set_fetch_by_rank": (),
    "sorted_set_fetch_by_score": (),
    "sorted_set_get_score": (["e"],),
    "sorted_set_get_rank": ("e",),
    "sorted_set_increment": ("e",),
    "sorted_set_remove": (["e"],),
    "sorted_set_length": (),
    "sorted_set_length_by_score": (),
    "sorted_set_union_store": (["s"],),
    "sorted_set_put_element": ("e", 1.5),
    "sorted_set_put_elements": ([("e", 1.5)],),
    "sorted_set_get_element_score": ("e",),
    "sorted_set_remove_element": ("e",),
    "sorted_set_remove_elements": (["e"],),
}
CALLS = DICTIONARIES | SETS | LISTS | SORTED_SETS

# The calls that have a parameter for a collection's time to live.
WITH_TTL = [
    *("dictionary_set", "dictionary_increment", "dictionary_set_field", "dictionary_set_fields"),
    *("set_union", "set_add_element", "set_add_elements"),
    *("list_push_front", "list_push_back", "list_concatenate_front", "list_concatenate_back"),
    *("sorted_set_put", "sorted_set_increment", "sorted_set_put_element", "sorted_set_put_elements"),
]

# The calls that RETRY-1 forbids to retry.
NEVER_AGAIN = {
    *("dictionary_increment", "set_difference_from", "set_pop"),
    *("list_push_front", "list_push_back", "list_concatenate_front", "list_concatenate_back"),
    *("list_pop_front", "list_pop_back", "list_retain", "list_erase"),
    *("sorted_set_increment", "sorted_set_union_store"),
}
