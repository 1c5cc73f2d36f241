-- Assigns an old generation to a gateway for sweeping. This claim expires unless the gateway renews it in time.
-- KEYS: the directory.
-- ARGV: the duration of the claim in seconds, the generation whose claim is renewed (empty for a new claim).
-- Returns the generation as id.generation, or nil if there is no generation to sweep.
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
