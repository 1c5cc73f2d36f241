namespace Larder.Server.Fleet;

/// <summary>A pool of commands, so that a call does not allocate a command. Thread-safe.</summary>
/// <param name="mostIdle">The maximum number of idle commands. Further idle commands are left to the garbage collector.</param>
internal sealed class CommandPool(int mostIdle)
{
    private readonly Lock _lock = new();
    private readonly Stack<RemoteCommand> _idle = new();

    /// <summary>Takes an idle command from the pool, or creates a command if none is idle. Assigns the command to <paramref name="caller"/>.</summary>
    public RemoteCommand Rent(RemoteCaller caller)
    {
        RemoteCommand? command;
        lock (_lock)
        {
            _idle.TryPop(out command);
        }

        command ??= new RemoteCommand();
        command.Caller = caller;
        return command;
    }

    /// <summary>Returns a completed command to the pool.</summary>
    public void Return(RemoteCommand command)
    {
        command.Forget();
        lock (_lock)
        {
            if (_idle.Count < mostIdle)
            {
                _idle.Push(command);
            }
        }
    }
}
