-- Replaces a sorted set with the sorted set in a temporary key.
-- KEYS: the item, the temporary key.
-- ARGV: the number of elements of the new set, the TTL in ms.
-- Returns 1. If the temporary key is incomplete, changes nothing and returns 0.
redis.call('ZCARD', KEYS[1])
if redis.call('ZCARD', KEYS[2]) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('UNLINK', KEYS[1])
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
