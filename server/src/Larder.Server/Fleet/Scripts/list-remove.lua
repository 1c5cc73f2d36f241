-- Removes the elements of a list that have a value, and answers the length afterwards. Nil where there is no list.
-- KEYS: the item. ARGV: the value.
if redis.call('LLEN', KEYS[1]) == 0 then
  return false
end
redis.call('LREM', KEYS[1], 0, ARGV[1])
return redis.call('LLEN', KEYS[1])
