-- Adds elements at an end of a list and trims the other end if the list becomes too long.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: LPUSH or RPUSH, the TTL in ms, "1" to refresh the TTL, the maximum length (0: unlimited), and then the elements, in the order in which the
-- command adds them.
-- Returns the length of the list.
for at = 5, #ARGV, 7000 do
  redis.call(ARGV[1], KEYS[1], unpack(ARGV, at, math.min(at + 6999, #ARGV)))
end
local length = redis.call('LLEN', KEYS[1])
local most = tonumber(ARGV[4])
if most > 0 and length > most then
  if ARGV[1] == 'RPUSH' then
    redis.call('LTRIM', KEYS[1], -most, -1)
  else
    redis.call('LTRIM', KEYS[1], 0, most - 1)
  end
  length = most
end
endLease()
if ARGV[3] == '1' or redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return length
