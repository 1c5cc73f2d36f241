// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetPopOperation(CacheBytes name, int count) : IOperation<SetPopOperation, SetPopResponse>
{
    public static OperationInfo Info => OperationTable.SetPop;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + ProtoWriter.VarintFieldLength(2, (ulong)count);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        writer.WriteVarintField(2, (ulong)count);
    }

    public static SetPopResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new SetPopResponse.Hit(Answer.ReadList(content, 1)),
        2 => SetPopResponse.Miss.Instance,
        _ => throw Answer.Unexpected("setPop"),
    };

    public static SetPopResponse Fail(CacheError error) => new SetPopResponse.Error(error);
}
