using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Near;

/// <summary>The errors and responses of near streams.</summary>
internal static class NearAnswers
{
    public static readonly CallError TooMany = new(
        StatusCode.ResourceExhausted,
        $"this server has {NearSlots.MaxStreams} near streams, its most, and this user its share of them",
        "near_streams_limit_exceeded");

    public static readonly CallError NoNearStream = new(StatusCode.FailedPrecondition, "this stream is no near stream: near_open makes it one");

    public static readonly CallError GaveWay = new(
        StatusCode.FailedPrecondition,
        "this stream is no near stream any more: it gave way to a user that has fewer");

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
