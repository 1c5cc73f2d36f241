-- Runs a command on a collection.
-- KEYS: the item.
-- ARGV: the command that counts the elements, the command to run, and then the arguments of the command to run.
-- Returns the command's reply in an array, or nil if the collection does not exist.
if redis.call(ARGV[1], KEYS[1]) == 0 then
  return false
end
return {redis.call(ARGV[2], KEYS[1], unpack(ARGV, 3))}
