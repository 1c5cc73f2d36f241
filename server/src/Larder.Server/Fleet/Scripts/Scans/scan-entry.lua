-- What a scan tells of an item: its type, the ms it has left, its bytes. Nothing where there is no item any more.
-- KEYS: the item.
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
