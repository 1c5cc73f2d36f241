// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetPopOperation(CacheBytes name, int count) : IOperation<SetPopOperation, LookupResult<IReadOnlyList<CacheValue>>>
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

    public static LookupResult<IReadOnlyList<CacheValue>> Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
        {
            1 => LookupResult<IReadOnlyList<CacheValue>>.Hit(Answer.ReadList(content, 1)),
            2 => LookupResult<IReadOnlyList<CacheValue>>.Miss,
            _ => throw Answer.Unexpected("setPop"),
        };

    public static LookupResult<IReadOnlyList<CacheValue>> Fail(CacheError error) => LookupResult<IReadOnlyList<CacheValue>>.Failed(error);
}
