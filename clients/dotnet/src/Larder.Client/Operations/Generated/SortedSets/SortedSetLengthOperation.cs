// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetLengthOperation(CacheBytes name) : IOperation<SortedSetLengthOperation, SortedSetLengthResponse>
{
    public static OperationInfo Info => OperationTable.SortedSetLength;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static SortedSetLengthResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new SortedSetLengthResponse.Hit(Answer.ReadInt(content, 1)),
        2 => SortedSetLengthResponse.Miss.Instance,
        _ => throw Answer.Unexpected("sortedSetLength"),
    };

    public static SortedSetLengthResponse Fail(CacheError error) => new SortedSetLengthResponse.Error(error);
}
