namespace Larder.Server.Fleet;

/// <summary>Unary calls that wait to be used again. Safe from any thread.</summary>
/// <param name="mostIdle">Calls that it keeps.</param>
internal sealed class UnaryPool(int mostIdle)
{
    private readonly Lock _lock = new();
    private readonly Stack<RemoteUnary> _idle = new();

    public RemoteUnary Rent(RemoteFront front)
    {
        lock (_lock)
        {
            if (_idle.TryPop(out RemoteUnary? call))
            {
                return call;
            }
        }

        return new RemoteUnary(front);
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
