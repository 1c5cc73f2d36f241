-- Releases a lease if the token is that of the lease.
-- KEYS: the lease.
-- ARGV: the token.
-- Returns 1 if the lease was released, otherwise 0.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('UNLINK', KEYS[1])
  return 1
end
return 0
