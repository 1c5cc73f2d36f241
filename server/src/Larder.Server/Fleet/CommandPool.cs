namespace Larder.Server.Fleet;

/// <summary>Commands that wait to be used again, so that a call allocates none. Safe from any thread.</summary>
/// <param name="mostIdle">Commands that it keeps; past it the garbage collector has them.</param>
internal sealed class CommandPool(int mostIdle)
{
    private readonly Lock _lock = new();
    private readonly Stack<RemoteCommand> _idle = new();

    /// <summary>A command of the caller's.</summary>
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

    /// <summary>Takes one back that has ended.</summary>
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
