// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class CreateCacheOperation(CacheBytes name) : IOperation<CreateCacheOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.CreateCache;

    public int KeyLength => 0;

    public void EndCopies(NearReads near, string cache)
    {
    }

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
