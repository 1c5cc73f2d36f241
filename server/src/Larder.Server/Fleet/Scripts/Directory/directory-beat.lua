-- A front says that it is up and which version of the directory it has, and reads the directory where that is another.
-- KEYS: the directory, the fronts. ARGV: the front, its version ("0" for none), the default cache, "1" where that is to be made if missing, who wrote its
-- version. Answers: the version; where it is another than the front's, then the directory's fields and values.
local time = redis.call('TIME')
local version = redis.call('HGET', KEYS[1], 'v')
if not version then
  if ARGV[2] ~= '0' then
    -- It was lost: who knows what was in it writes it again.
    return {'0', {}}
  end
  -- From the clock on: a directory that was lost and made again never names what an older one did.
  version = time[1]
  redis.call('HSET', KEYS[1], 'v', version)
  ARGV[4] = '1'
end
local default = 'c:' .. ARGV[3]
if ARGV[4] == '1' and redis.call('HEXISTS', KEYS[1], default) == 0 then
  version = string.format('%d', redis.call('HINCRBY', KEYS[1], 'v', 1))
  redis.call('HSET', KEYS[1], default, redis.call('HINCRBY', KEYS[1], 'n', 1) .. '.' .. version)
end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[2], 60000)
if version == ARGV[2] and (redis.call('HGET', KEYS[1], 'w') or '') == ARGV[5] then
  return {version}
end
return {version, redis.call('HGETALL', KEYS[1])}
