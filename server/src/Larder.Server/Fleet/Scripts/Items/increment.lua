-- Increments a counter and sets its TTL.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the amount, the TTL in ms, "1" if an existing counter keeps its remaining TTL.
-- Returns the new value as text, because numbers in Lua are doubles and cannot represent every 64-bit integer.
-- Redis rejects leading zeros and "-0", which Larder accepts (INC-4). The script therefore first rewrites such a value in canonical form.
local added = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(added) == 'table' and added.err then
  local text = redis.call('GET', KEYS[1])
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
  redis.call('SET', KEYS[1], plain, 'KEEPTTL')
  added = redis.pcall('INCRBY', KEYS[1], ARGV[1])
  if type(added) == 'table' and added.err then
    redis.call('SET', KEYS[1], text, 'KEEPTTL')
    return added
  end
end
endLease()
if ARGV[3] ~= '1' or redis.call('PTTL', KEYS[1]) == -1 then
  expire(ARGV[2])
elseif KEYS[2] then
  -- The counter keeps its TTL, but no longer has tags.
  local at = redis.call('PEXPIRETIME', KEYS[1])
  if isMarked(at) then
    redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', at + 1))
  end
end
return redis.call('GET', KEYS[1])
