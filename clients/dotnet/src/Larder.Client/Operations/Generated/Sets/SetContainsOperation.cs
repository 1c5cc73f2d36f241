// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetContainsOperation(CacheBytes name, CacheBytes[] elements) : IOperation<SetContainsOperation, SetContainsResponse>
{
    public static OperationInfo Info => OperationTable.SetContains;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int Asked => elements.Length;

    public int Measure() => Field.Measure(1, name) + Field.Measure(2, elements);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, elements);
    }

    public static SetContainsResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new SetContainsResponse.Hit(Answer.ReadFlags(content, 1)),
        2 => SetContainsResponse.Miss.Instance,
        _ => throw Answer.Unexpected("setContains"),
    };

    public static void Require(in SetContainsOperation operation, SetContainsResponse response) =>
        Answer.RequireCount((response as SetContainsResponse.Hit)?.Contains.Count, operation.Asked);

    public static SetContainsResponse Fail(CacheError error) => new SetContainsResponse.Error(error);
}
