-- Describes an item for a scan.
-- KEYS: the item.
-- Returns its type, its remaining TTL in ms and its size in bytes, or nil if the item no longer exists.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return false
end
local bytes
if kind == 'string' then
  bytes = redis.call('STRLEN', KEYS[1])
else
  bytes = redis.call('MEMORY', 'USAGE', KEYS[1])
end
return {kind, redis.call('PTTL', KEYS[1]), bytes}
