-- Increments the integer in a dictionary's field. See increment.lua.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the field, the amount, the TTL in ms, "1" to refresh the TTL.
-- Returns the new value as text.
local added = redis.pcall('HINCRBY', KEYS[1], ARGV[1], ARGV[2])
if type(added) == 'table' and added.err then
  local text = redis.call('HGET', KEYS[1], ARGV[1])
  if not text or #text > 20 then
    return added
  end
  local sign, digits = string.match(text, '^(%-?)0*(%d+)$')
  if not digits then
    return added
  end
  local plain = digits == '0' and '0' or sign .. digits
  if plain == text then
    return added
  end
  redis.call('HSET', KEYS[1], ARGV[1], plain)
  added = redis.pcall('HINCRBY', KEYS[1], ARGV[1], ARGV[2])
  if type(added) == 'table' and added.err then
    redis.call('HSET', KEYS[1], ARGV[1], text)
    return added
  end
end
endLease()
if ARGV[4] == '1' or redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return redis.call('HGET', KEYS[1], ARGV[1])
