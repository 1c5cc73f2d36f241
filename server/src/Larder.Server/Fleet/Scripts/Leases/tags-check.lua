-- Returns 1 if an item with these tags is valid, 0 if one of its tags has been removed since it was stored.
-- KEYS: the cache's numbers, its removed tags with the number of their removal.
-- ARGV: the number of the last removed tag when the item was stored, its tags (8 bytes each).
local number = tonumber(ARGV[1])
local first = redis.call('HGET', KEYS[1], 'f')
if not first or number < tonumber(first) then
  return 0
end
for at = 1, #ARGV[2], 8 do
  local removed = redis.call('ZSCORE', KEYS[2], string.sub(ARGV[2], at, at + 7))
  if removed and tonumber(removed) > number then
    return 0
  end
end
return 1
