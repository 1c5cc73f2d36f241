namespace Larder.Redis;

/// <summary>Sends HELLO to a node outside a cluster, because the role of the node may have changed since the connection was opened.</summary>
internal sealed class HelloCommand : RedisCommand
{
    private readonly Topology _topology;
    private readonly RedisNode _node;

    public HelloCommand(Topology topology, RedisNode node, long deadline)
    {
        _topology = topology;
        _node = node;
        Begin(1);
        Add("HELLO"u8);
        Deadline = deadline;
        Pinned = node;
        IsOnce = true;
    }

    protected internal override void OnReply(ref RespReader reply)
    {
        try
        {
            _topology.OnHello(_node, HelloReply.Read(ref reply));
        }
        catch (InvalidDataException error)
        {
            _topology.OnUnread($"{_node.EndPoint}: {error.Message}");
        }
    }

    protected internal override void OnFailure(RedisFailure failure) => _topology.OnUnread($"{_node.EndPoint}: {failure.Message}");
}
