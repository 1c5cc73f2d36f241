-- Makes, drops or empties a cache. The old generation's keys are noted for the sweep, by the time from which it may begin.
-- KEYS: the directory. ARGV: create, delete or flush; the cache; the most caches that there may be.
-- Answers: 1 done, 0 not (it exists, or there is none), 2 there are too many; and the version of the directory.
local field = 'c:' .. ARGV[2]
local present = redis.call('HGET', KEYS[1], field)
if (ARGV[1] == 'create') == (present ~= false) then
  return {0, '0'}
end
if ARGV[1] == 'create' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return {2, '0'}
end
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then
  redis.call('HSET', KEYS[1], 'v', redis.call('TIME')[1])
end
local version = string.format('%d', redis.call('HINCRBY', KEYS[1], 'v', 1))
local id
if present then
  id = string.match(present, '^%d+')
  redis.call('HSET', KEYS[1], 's:' .. present, redis.call('TIME')[1] + 2)
else
  id = redis.call('HINCRBY', KEYS[1], 'n', 1)
end
if ARGV[1] == 'delete' then
  redis.call('HDEL', KEYS[1], field)
else
  redis.call('HSET', KEYS[1], field, id .. '.' .. version)
end
return {1, version}
