-- Stores a value in a cache with leases.
-- KEYS: the item, its lease, its tail.
-- ARGV: the value, the TTL in ms, NX, XX or nothing.
-- Returns OK, or nil if the value was not stored.
local stored = store(ARGV[1], ARGV[2], ARGV[3] ~= '' and ARGV[3] or nil)
if stored then
  endLease()
end
return stored
