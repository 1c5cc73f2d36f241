// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetRemoveOperation(CacheBytes name, CacheBytes[] elements) : IOperation<SortedSetRemoveOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.SortedSetRemove;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int SomeLength => Field.Measure(1, elements);

    public int Measure() => Field.Measure(1, name) + ProtoWriter.BytesFieldLength(3, SomeLength);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);

        int length = SomeLength;
        writer.WriteLengthPrefix(3, length);
        Field.Write(ref writer, 1, elements);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
