-- Increments an element's score. A new element starts at 0. If the result would be NaN, Redis fails and changes nothing.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the element, the amount, the TTL in ms, "1" to refresh the TTL.
-- Returns the new score as text.
local score = redis.call('ZINCRBY', KEYS[1], ARGV[2], ARGV[1])
endLease()
if ARGV[4] == '1' or redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return score
