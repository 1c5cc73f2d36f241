namespace Larder.Redis;

/// <summary>Commands that wait for a retry on one node, or for the slot map. Their number and size are limited by <see cref="ConnectionLimits"/>.</summary>
internal sealed class WaitingCommands
{
    private readonly Lock _lock = new();
    private readonly List<RedisCommand> _commands = [];
    private int _bytes;

    /// <summary>Gets the number of waiting commands.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _commands.Count;
            }
        }
    }

    /// <summary>Adds a command whose <see cref="RedisCommand.DueAt"/> is set. Returns false if the limit is reached.</summary>
    public bool TryAdd(RedisCommand command)
    {
        lock (_lock)
        {
            if (!ConnectionLimits.HasRoom(_commands.Count, _bytes, command.WireBytes))
            {
                return false;
            }

            _commands.Add(command);
            _bytes += command.WireBytes;
            return true;
        }
    }

    /// <summary>Makes all commands due, because the event that they wait for has happened.</summary>
    public void MakeDue()
    {
        lock (_lock)
        {
            foreach (RedisCommand command in _commands)
            {
                command.DueAt = 0;
            }
        }
    }

    /// <summary>Removes the commands that are due, in the order in which they were added. Returns true if other commands remain.</summary>
    public bool TakeDue(long now, List<RedisCommand> due)
    {
        lock (_lock)
        {
            int kept = 0;
            for (int index = 0; index < _commands.Count; index++)
            {
                RedisCommand command = _commands[index];
                if (command.DueAt <= now)
                {
                    due.Add(command);
                    _bytes -= command.WireBytes;
                }
                else
                {
                    _commands[kept++] = command;
                }
            }

            _commands.RemoveRange(kept, _commands.Count - kept);
            return kept > 0;
        }
    }
}
