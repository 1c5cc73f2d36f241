-- Removes an item whose tag was removed, unless it has been replaced since its tags were read.
-- KEYS: the item, its tail.
-- ARGV: the tags and the number that were read.
local tail = redis.call('HMGET', KEYS[2], 't', 'n')
if tail[1] == ARGV[1] and tail[2] == ARGV[2] then
  redis.call('UNLINK', KEYS[1], KEYS[2])
end
return 1
