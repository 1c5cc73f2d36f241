-- Shared function. Reads elements in growing batches, which bounds the size of each Redis reply.
-- read(at, some): reads some elements from index at on; it returns width values per element, and only the first one counts towards the size.
-- first, count: the first index and the number of elements to read.
-- most: the maximum response size in bytes. beside: the overhead of an element in the response. turn: the maximum size in bytes for a light command.
-- Returns the values and the number of elements read. It stops early when the values exceed the size of a page.
-- Returns 1 if the response would be too large, -2 if the elements exceed turn bytes.
local function gather(read, first, count, width, most, beside, turn)
  local got, values, bytes, at, some = {}, 0, 0, 0, 1
  while at < count and bytes < 524288 do
    local asked = math.min(some, count - at)
    local part = read(first + at, asked)
    local before = bytes
    for index = 1, #part, width do
      bytes = bytes + #part[index]
    end
    at = at + asked
    if bytes > turn then
      return -2, at
    end
    if bytes + at * beside > most then
      return 1, at
    end
    if asked == count then
      return part, at
    end
    for index = 1, #part do
      got[values + index] = part[index]
    end
    values = values + #part
    some = bytes - before <= 65536 and math.min(2 * some, 256) or 1
  end
  return got, at
end
