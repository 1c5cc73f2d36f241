-- Opens a topic for reading, and creates its state if it is missing. Each call restarts the TTL of both keys.
-- KEYS: the topic's stream, its state.
-- ARGV: the TTL in ms.
-- Returns the page, the number of the newest message (0 if the page has no message yet), and the number of the page's first kept message (the newest
-- number + 1 if no message is kept).
if not page then
  page = string.format('%.0f', newPage())
  number, first = '0', '1'
  redis.call('SET', KEYS[2], string.format('%s 0 1 0 %s', page, reign), 'PX', ARGV[1])
else
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
end
if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then
  first = string.format('%.0f', tonumber(number) + 1)
end
return {page, number, first}
