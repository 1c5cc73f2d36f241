-- Shared beginning of the topic scripts. The messages of a topic are numbered within a page. A new page begins if messages may have been lost.
-- A topic's state consists of the page, the number of the newest message, the number of the page's first kept message, the total size of all kept
-- values in bytes, and the replication id that the master had when the page began.
-- KEYS: the topic's stream, its state.
-- newPage returns a page number that is higher than all previous page numbers of the stream, even if the node's clock is behind.
local function newPage(before)
  local time = redis.call('TIME')
  local page = time[1] * 1000 + math.floor(time[2] / 1000)
  local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  local lastPage = last and tonumber(string.match(last[1], '^%d+')) or 0
  return math.max(page, tonumber(before or '0') + 1, lastPage + 1)
end
-- The replication id of the master. It changes after a restart, after a failover and when the slot moves to another master.
local reign = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local page, number, first, bytes, began = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+) (%d+) (%d+) (%d+) (%x+)$')
