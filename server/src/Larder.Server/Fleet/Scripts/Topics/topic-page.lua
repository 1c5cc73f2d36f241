-- What the scripts of topics begin with. A topic's place is: page, newest number, first number that is kept of it, bytes of all values that are kept, reign.
-- KEYS: the topic's stream, its place.
-- The page that begins now: above all that the stream has had, though the node's clock were behind.
local function newPage(before)
  local time = redis.call('TIME')
  local page = time[1] * 1000 + math.floor(time[2] / 1000)
  local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  local lastPage = last and tonumber(string.match(last[1], '^%d+')) or 0
  return math.max(page, tonumber(before or '0') + 1, lastPage + 1)
end
-- Which reign of which master this is: another one after a restart, a failover, and where the slot was moved.
local reign = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local page, number, first, bytes, began = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+) (%d+) (%d+) (%d+) (%x+)$')
