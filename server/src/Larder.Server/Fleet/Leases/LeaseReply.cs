using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The reply of the script <c>lease-get</c>.</summary>
/// <param name="Kind">What was found.</param>
/// <param name="Value">The value; empty if there is none.</param>
/// <param name="Tags">The tags of the value, 8 bytes each.</param>
/// <param name="Number">The number of the cache's last removed tag when the value was stored, as text.</param>
/// <param name="ExpiredMs">The time since the end of the TTL of a stale value, in milliseconds.</param>
/// <param name="Validator">The validator of a stale value; empty if there is none.</param>
/// <param name="IsMine">Whether the caller has the lease.</param>
/// <param name="LeftMs">The remaining time of the lease in milliseconds; negative if nobody has it.</param>
internal sealed record LeaseReply(
    LeaseReplyKind Kind,
    byte[] Value,
    byte[] Tags,
    byte[] Number,
    long ExpiredMs,
    byte[] Validator,
    bool IsMine,
    long LeftMs)
{
    /// <summary>Parses the reply.</summary>
    public static LeaseReply Read(ref RespReader reply)
    {
        LeaseReplyKind kind = (LeaseReplyKind)Integer(ref reply);
        byte[] value = [];
        byte[] tags = [];
        byte[] number = [];
        if (kind != LeaseReplyKind.Missing)
        {
            value = Bytes(ref reply);
            tags = Bytes(ref reply);
            number = Bytes(ref reply);
        }

        long expiredMs = kind == LeaseReplyKind.Stale ? Integer(ref reply) : 0;
        byte[] validator = kind == LeaseReplyKind.Stale ? Bytes(ref reply) : [];
        bool isMine = kind != LeaseReplyKind.Hit && Integer(ref reply) == 1;
        long leftMs = kind != LeaseReplyKind.Hit ? Integer(ref reply) : 0;
        return new LeaseReply(kind, value, tags, number, expiredMs, validator, isMine, leftMs);
    }

    private static long Integer(ref RespReader reply)
    {
        reply.Read();
        return reply.Integer;
    }

    private static byte[] Bytes(ref RespReader reply)
    {
        reply.Read();
        return reply.Bytes.ToArray();
    }
}
