namespace Larder.Redis;

/// <summary>Decides about what a tracked connection meets: what its commands meet is decided as on any other.</summary>
internal sealed class TrackedOwner(RedisNode node, NodeLane lane, CommandRouter router) : IConnectionOwner
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
        // Before another one can be made, on which all would seem well.
        if (Volatile.Read(ref _wasOpened))
        {
            router.Tracking.Lose();
        }

        lane.OnEnded(connection);
        node.OnTracked(reason);
        router.OnNodeLost();
    }
}
