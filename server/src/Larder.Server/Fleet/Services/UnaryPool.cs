namespace Larder.Server.Fleet;

/// <summary>A pool of unary calls. Thread-safe.</summary>
/// <param name="mostIdle">The maximum number of idle calls. Further idle calls are left to the garbage collector.</param>
internal sealed class UnaryPool(int mostIdle)
{
    private readonly Lock _lock = new();
    private readonly Stack<RemoteUnary> _idle = new();

    public RemoteUnary Rent(RemoteGateway gateway)
    {
        lock (_lock)
        {
            if (_idle.TryPop(out RemoteUnary? call))
            {
                return call;
            }
        }

        return new RemoteUnary(gateway);
    }

    public void Return(RemoteUnary call)
    {
        lock (_lock)
        {
            if (_idle.Count < mostIdle)
            {
                _idle.Push(call);
            }
        }
    }
}
