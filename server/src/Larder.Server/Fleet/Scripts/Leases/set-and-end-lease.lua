-- Stores a value in a cache with leases: SET with PX, which also ends the lease and removes the tail.
-- KEYS: the item, its lease, its tail.
-- ARGV: the value, the TTL in ms, NX, XX or nothing.
-- Returns OK, or nil if the value was not stored.
local stored
if ARGV[3] == '' then
  stored = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
else
  stored = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], ARGV[3])
end
if stored then
  endLease()
end
return stored
