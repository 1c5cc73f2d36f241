-- Returns the number of the cache's last removed tag, as text.
-- KEYS: the cache's numbers.
return number
