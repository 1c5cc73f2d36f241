// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ListLengthOperation(CacheBytes name) : IOperation<ListLengthOperation, ListLengthResponse>
{
    public static OperationInfo Info => OperationTable.ListLength;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static ListLengthResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new ListLengthResponse.Hit(Answer.ReadInt(content, 1)),
        2 => ListLengthResponse.Miss.Instance,
        _ => throw Answer.Unexpected("listLength"),
    };

    public static ListLengthResponse Fail(CacheError error) => new ListLengthResponse.Error(error);
}
