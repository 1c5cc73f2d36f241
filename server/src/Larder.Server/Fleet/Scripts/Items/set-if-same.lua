-- Stores where the item is there and its SHA-1 is still what the front has read.
-- KEYS: the item. ARGV: value, TTL in ms, SHA-1 in lower-case hexadecimal.
local present = redis.call('GET', KEYS[1])
if present and redis.sha1hex(present) == ARGV[3] then
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return false
