-- Stores a value with its tags and its stale time.
-- KEYS: the item, its lease, its tail.
-- ARGV: the value, the TTL in ms, the stale time in ms, the token (empty to store without a lease), the tags (8 bytes each), the number of the last removed
-- tag when the lease was granted, or now if there is no token, and the validator.
-- Returns 1 if the value was stored, otherwise 0.
if ARGV[4] ~= '' and (redis.call('GET', KEYS[2]) ~= ARGV[4] or redis.call('EXISTS', KEYS[1]) == 1) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PXAT', expiryOf(ARGV[2], ARGV[5] ~= ''))
endLease()
local stale = tonumber(ARGV[3])
if stale > 0 or ARGV[5] ~= '' then
  redis.call('HSET', KEYS[3], 's', ARGV[3], 't', ARGV[5], 'n', ARGV[6])
  if stale > 0 then
    redis.call('HSET', KEYS[3], 'v', ARGV[1], 'e', ARGV[7])
  end
  redis.call('PEXPIRE', KEYS[3], tonumber(ARGV[2]) + stale)
end
return 1
