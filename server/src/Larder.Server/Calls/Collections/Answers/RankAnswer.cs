using System.Buffers;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Writes the <c>SortedSetGetRankResponse</c> for an existing sorted set.</summary>
internal static class RankAnswer
{
    /// <summary>Writes the rank. If the rank is null, writes a miss.</summary>
    public static void Write(IBufferWriter<byte> response, long? rank)
    {
        int following = rank is null or 0 ? 0 : ProtoWriter.VarintFieldLength(2, (ulong)rank);
        int length = ProtoWriter.BytesFieldLength(1, PartResult.Bytes + following);
        ProtoWriter writer = new(response.GetSpan(length));
        PartResult.Write(ref writer, rank is not null, following);
        if (following != 0)
        {
            writer.WriteVarintField(2, (ulong)rank!);
        }

        response.Advance(length);
    }
}
