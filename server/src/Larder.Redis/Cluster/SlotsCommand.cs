namespace Larder.Redis;

/// <summary>Sends CLUSTER SLOTS to one node.</summary>
internal sealed class SlotsCommand : RedisCommand
{
    private readonly Topology _topology;
    private readonly RedisNode _node;

    public SlotsCommand(Topology topology, RedisNode node, long deadline)
    {
        _topology = topology;
        _node = node;
        Begin(2);
        Add("CLUSTER"u8);
        Add("SLOTS"u8);
        Deadline = deadline;
        Pinned = node;
        IsOnce = true;
    }

    protected internal override void OnReply(ref RespReader reply)
    {
        try
        {
            _topology.OnSlots(_node, SlotRange.Read(ref reply, _node.EndPoint));
        }
        catch (InvalidDataException error)
        {
            _topology.OnUnread($"{_node.EndPoint}: {error.Message}");
        }
    }

    protected internal override void OnFailure(RedisFailure failure)
    {
        // A node outside a cluster replies "ERR This instance has cluster support disabled", and a proxy may reply "ERR unknown command". Other errors also
        // have the kind Other, so the node must also have reported in its reply to HELLO that it does not belong to a cluster.
        if (failure.Kind == RedisFailureKind.Other && _node.Hello is { IsCluster: false })
        {
            _topology.OnAlone(_node);
        }
        else
        {
            _topology.OnUnread($"{_node.EndPoint}: {failure.Message}");
        }
    }
}
