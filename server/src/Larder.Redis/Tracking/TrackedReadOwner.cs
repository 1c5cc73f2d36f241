namespace Larder.Redis;

/// <summary>Handles the events of a tracked connection. Commands are handled as on any other connection.</summary>
internal sealed class TrackedReadOwner(RedisNode node, NodeLane lane, CommandRouter router) : IConnectionOwner
{
    private bool _wasOpened;

    public void OnOpened(HelloReply hello)
    {
        Volatile.Write(ref _wasOpened, true);
        lane.OnOpened();
        node.OnTracked(null);
    }

    public void OnError(RedisCommand command, ReadOnlySpan<byte> text) => router.OnError(node, command, text);

    public void OnLost(RedisCommand command, bool wasHanded, Exception reason) => router.OnLost(node, command, wasHanded, reason);

    public void OnPush(ReadOnlySpan<byte> frame) => router.Tracking.OnPush(frame);

    public void OnEnded(NodeConnection connection, Exception reason)
    {
        // Notify the watch before a new connection can be opened, because a new connection would hide the loss.
        if (Volatile.Read(ref _wasOpened))
        {
            router.Tracking.Lose();
        }

        lane.OnEnded(connection);
        node.OnTracked(reason);
        router.OnNodeLost();
    }
}
