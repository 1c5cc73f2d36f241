-- Replaces a sorted set with the given elements. If there are no elements, the sorted set is deleted.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the TTL in ms; then scores and elements.
redis.call('ZCARD', KEYS[1])
redis.call('UNLINK', KEYS[1])
endLease()
for at = 2, #ARGV, 7000 do
  redis.call('ZADD', KEYS[1], unpack(ARGV, at, math.min(at + 6999, #ARGV)))
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
