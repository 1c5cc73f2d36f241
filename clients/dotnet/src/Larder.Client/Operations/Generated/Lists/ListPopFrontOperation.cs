// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct ListPopFrontOperation(CacheBytes name) : IOperation<ListPopFrontOperation, ListPopFrontResponse>
{
    public static OperationInfo Info => OperationTable.ListPopFront;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static ListPopFrontResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new ListPopFrontResponse.Hit(Answer.ReadBytes(content, 1).ToArray(), Answer.ReadInt(content, 2)),
        2 => ListPopFrontResponse.Miss.Instance,
        _ => throw Answer.Unexpected("listPopFront"),
    };

    public static ListPopFrontResponse Fail(CacheError error) => new ListPopFrontResponse.Error(error);
}
