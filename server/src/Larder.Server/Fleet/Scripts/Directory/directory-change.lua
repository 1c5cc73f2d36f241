-- Makes, drops or empties a cache. The old generation's keys are noted for the sweep, by the time from which it may begin.
-- KEYS: the directory. ARGV: create, delete or flush; the cache; the most caches that there may be; the front, and the version that it knows.
-- Answers: 1 done, 0 not (it exists, or there is none), 2 there are too many; and the version of the directory.
local field = 'c:' .. ARGV[2]
local present = redis.call('HGET', KEYS[1], field)
if (ARGV[1] == 'create') == (present ~= false) then
  return {0, '0'}
end
if ARGV[1] == 'create' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return {2, '0'}
end
-- Never one that the front knows: a directory that is older than the front's counts on from there.
local was = tonumber(redis.call('HGET', KEYS[1], 'v') or redis.call('TIME')[1])
local version = string.format('%.0f', math.max(was, tonumber(ARGV[5])) + 1)
redis.call('HSET', KEYS[1], 'v', version, 'w', ARGV[4])
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
