-- Removes tags: every item with one of them that was stored before is now a miss.
-- KEYS: the cache's numbers, its removed tags with the number of their removal.
-- ARGV: the maximum number of removed tags to remember, and then the tags.
-- The number is at least the current time, so that no number is used again if a failover loses the last ones.
local now = redis.call('TIME')
number = string.format('%.0f', math.max(tonumber(number) + 1, now[1] * 1000000 + now[2]))
redis.call('HSET', KEYS[1], 'n', number)
for index = 2, #ARGV do
  redis.call('ZADD', KEYS[2], number, ARGV[index])
end
-- When a removed tag is forgotten, every item with tags from before its removal must be a miss.
local over = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[1])
if over > 0 then
  local oldest = redis.call('ZPOPMIN', KEYS[2], over)
  redis.call('HSET', KEYS[1], 'f', string.format('%.0f', tonumber(oldest[#oldest])))
end
return 1
