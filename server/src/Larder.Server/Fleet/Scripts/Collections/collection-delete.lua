-- Deletes a whole collection.
-- KEYS: the item.
-- ARGV: its type.
-- Returns 1, or nil if the collection does not exist.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return false
end
if kind ~= ARGV[1] then
  return redis.error_reply('WRONGTYPE the item is of another type')
end
redis.call('UNLINK', KEYS[1])
return 1
