-- Gives a front one old generation to sweep, which is then its own for a while; claimed again before the time is over, by the one that sweeps.
-- KEYS: the directory. ARGV: for how many seconds; the generation that is claimed again, or nothing.
-- Answers: the generation as id.generation; nil where there is none.
local now = tonumber(redis.call('TIME')[1])
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  local generation = string.match(fields[index], '^s:(.+)$')
  if generation and (generation == ARGV[2] or (ARGV[2] == '' and tonumber(fields[index + 1]) <= now)) then
    redis.call('HSET', KEYS[1], fields[index], now + tonumber(ARGV[1]))
    return generation
  end
end
return false
