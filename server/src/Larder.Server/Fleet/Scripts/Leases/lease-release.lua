-- Releases a lease if the token is that of the lease.
-- KEYS: the lease.
-- ARGV: the token.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('UNLINK', KEYS[1])
end
return 1
