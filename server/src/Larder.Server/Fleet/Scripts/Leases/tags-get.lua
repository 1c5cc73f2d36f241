-- Reads the tags of an item. If the item has lost its tags, deletes it.
-- KEYS: the item, its tail.
-- Returns the tags and the number of the last removed tag when the value was stored. Both are empty if the item has no tags.
local tail = redis.call('HMGET', KEYS[2], 't', 'n')
if tail[1] and tail[1] ~= '' then
  return tail
end
if isMarked(redis.call('PEXPIRETIME', KEYS[1])) and redis.call('TYPE', KEYS[1]).ok == 'string' then
  redis.call('UNLINK', KEYS[1])
end
return {'', ''}
