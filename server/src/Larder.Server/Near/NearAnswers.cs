using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Near;

/// <summary>The errors and responses of near streams.</summary>
internal static class NearAnswers
{
    public static readonly CallError TooMany = new(
        StatusCode.ResourceExhausted,
        "this server has reached its maximum of near streams (--max-near-streams), and this user has used its share of them; close some of them first",
        "near_streams_limit_exceeded");

    public static readonly CallError NoNearStream = new(StatusCode.FailedPrecondition, "this stream is not a near stream; send near_open first");

    public static readonly CallError GaveWay = new(
        StatusCode.FailedPrecondition,
        "the server revoked this near stream, because it reached its maximum of near streams and a user with fewer of them requested one");

    private static readonly byte[] s_opened = WriteOpened();

    /// <summary>Gets the encoded message NearOpened{lease_ms}.</summary>
    public static ReadOnlySpan<byte> Opened => s_opened;

    private static byte[] WriteOpened()
    {
        byte[] opened = new byte[ProtoWriter.VarintFieldLength(1, NearHub.LeaseMs)];
        ProtoWriter writer = new(opened);
        writer.WriteVarintField(1, NearHub.LeaseMs);
        return opened;
    }
}
