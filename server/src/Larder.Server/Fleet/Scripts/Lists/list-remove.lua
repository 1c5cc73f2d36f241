-- Removes the elements of a list that have a value, and answers the length afterwards. Nil where there is no list; where it is too long to be looked through
-- without a turn nothing is done: -2, or -3 where it is better done in parts.
-- KEYS: the item. ARGV: the value, the most elements, and the most that are looked through at once.
local n = redis.call('LLEN', KEYS[1])
if n == 0 then
  return false
end
if n > tonumber(ARGV[3]) then
  return -3
end
if n > tonumber(ARGV[2]) then
  return -2
end
redis.call('LREM', KEYS[1], 0, ARGV[1])
return redis.call('LLEN', KEYS[1])
