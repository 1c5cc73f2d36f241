-- Stores a value if the item exists and still has the SHA-1 that the gateway has read.
-- KEYS: the item.
-- ARGV: the value, the TTL in ms, the SHA-1 in lower-case hexadecimal.
local present = redis.call('GET', KEYS[1])
if present and redis.sha1hex(present) == ARGV[3] then
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return false
