// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct ListPopBackOperation(CacheBytes name) : IOperation<ListPopBackOperation, ListPopBackResponse>
{
    public static OperationInfo Info => OperationTable.ListPopBack;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static ListPopBackResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new ListPopBackResponse.Hit(Answer.ReadBytes(content, 1).ToArray(), Answer.ReadInt(content, 2)),
        2 => ListPopBackResponse.Miss.Instance,
        _ => throw Answer.Unexpected("listPopBack"),
    };

    public static ListPopBackResponse Fail(CacheError error) => new ListPopBackResponse.Error(error);
}
