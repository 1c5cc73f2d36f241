using System.Text;

namespace Larder.Redis;

/// <summary>A range of slots of one master, as in CLUSTER SLOTS.</summary>
/// <param name="First">The first slot.</param>
/// <param name="Last">The last slot.</param>
/// <param name="Master">The master of the slots.</param>
/// <param name="Replicas">The replicas of the master.</param>
internal sealed record SlotRange(int First, int Last, RedisEndPoint Master, IReadOnlyList<RedisEndPoint> Replicas)
{
    /// <summary>Parses the reply to CLUSTER SLOTS. A host that is empty, null or <c>?</c> means the host of <paramref name="asked"/>.</summary>
    /// <exception cref="InvalidDataException">The reply is invalid.</exception>
    public static IReadOnlyList<SlotRange> Read(ref RespReader reply, RedisEndPoint asked)
    {
        List<SlotRange> ranges = [];
        for (int left = Items(ref reply, 0); left > 0; left--)
        {
            reply.Read();
            int fields = Items(ref reply, 3);
            int first = Number(ref reply, KeySlot.Count - 1);
            int last = Number(ref reply, KeySlot.Count - 1);
            var nodes = new RedisEndPoint[fields - 2];
            for (int index = 0; index < nodes.Length; index++)
            {
                nodes[index] = Node(ref reply, asked);
            }

            ranges.Add(first <= last ? new SlotRange(first, last, nodes[0], nodes[1..]) : throw Broken());
        }

        return ranges;
    }

    // A node is an array of the host, the port, the id, and further fields in newer versions.
    private static RedisEndPoint Node(ref RespReader reply, RedisEndPoint asked)
    {
        reply.Read();
        int fields = Items(ref reply, 2);
        reply.Read();
        string host = reply.Kind is RespKind.Null or RespKind.Bytes or RespKind.Text ? Encoding.UTF8.GetString(reply.Bytes) : throw Broken();
        int port = Number(ref reply, 65_535);
        for (; fields > 2; fields--)
        {
            reply.Read();
            reply.Skip();
        }

        return new RedisEndPoint(host is "" or "?" ? asked.Host : host, port);
    }

    private static int Items(ref RespReader reply, int least) => reply.Kind == RespKind.Array && reply.Count >= least ? reply.Count : throw Broken();

    private static int Number(ref RespReader reply, int most)
    {
        reply.Read();
        return reply.Kind == RespKind.Integer && reply.Integer >= 0 && reply.Integer <= most ? (int)reply.Integer : throw Broken();
    }

    private static InvalidDataException Broken() => new("The node sent an invalid response to CLUSTER SLOTS.");
}
