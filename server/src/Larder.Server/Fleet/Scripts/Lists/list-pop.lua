-- Takes an element from an end of a list: answers it and the length afterwards; 1 where it is more bytes than the answer may have, and stays; nil where there
-- is no list.
-- KEYS: the item. ARGV: LPOP or RPOP, the index of that end, the most bytes of the answer, bytes of the element beside its own.
local value = redis.call('LINDEX', KEYS[1], ARGV[2])
if not value then
  return false
end
if #value + ARGV[4] > tonumber(ARGV[3]) then
  return 1
end
redis.call(ARGV[1], KEYS[1])
return {value, redis.call('LLEN', KEYS[1])}
